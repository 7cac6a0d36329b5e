"""The built-in adapters, and what any adapter may give back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.making import memory

from brainbench_replay.recall.adapters.builtin import Empty, Everything, Keyword, Latest
from brainbench_replay.recall.adapters.postgres import INDEX_FROM, Postgres
from brainbench_replay.recall.adapters.protocol import read_returned, read_size
from brainbench_replay.recall.adapters.registry import Setting, open_adapter
from brainbench_schema.errors import DatabaseError, MemorySystemError, SystemStartError, UsageError

if TYPE_CHECKING:
    import psycopg

    from brainbench_replay.recall.adapters.protocol import Adapter

NOTES = [
    memory("m1", "01", text="Ada likes green tea"),
    memory("m2", "02", text="Ada likes coffee", supersedes="m1"),
    memory("m3", "03", text="Ben likes green tea"),
    memory("m4", "04", text="It rained"),
]


def _ids(adapter: Adapter, query: str, top_k: int = 5) -> list[str]:
    return [one["memory_id"] for one in adapter.retrieve(query, top_k=top_k)]


def _filled(adapter: Adapter, notes: list[dict[str, Any]] | None = None) -> Adapter:
    adapter.ingest([dict(note) for note in notes or NOTES])
    return adapter


def test_keyword_counts_shared_words_then_prefers_the_newer() -> None:
    adapter = _filled(Keyword())
    assert _ids(adapter, "Does Ada like GREEN tea?") == ["m1", "m3", "m2"]
    assert _ids(adapter, "who likes what") == ["m3", "m2", "m1"]
    assert _ids(adapter, "what is it to you?") == []
    assert _ids(adapter, "likes", top_k=1) == ["m3"]


def test_keyword_folds_case_fully() -> None:
    adapter = _filled(Keyword(), [memory("m1", text="Die STRASSE ist lang")])
    assert _ids(adapter, "straße") == ["m1"]


def test_latest_gives_what_was_revised_last_then_the_newest() -> None:
    assert _ids(_filled(Latest()), "anything") == ["m2", "m4", "m3"]
    assert _ids(_filled(Latest()), "anything", top_k=1) == ["m2"]


def test_everything_ignores_how_many_are_wanted() -> None:
    assert _ids(_filled(Everything()), "anything", top_k=1) == ["m4", "m3", "m2", "m1"]


def test_empty_gives_nothing_and_stores_nothing() -> None:
    adapter = _filled(Empty())
    assert _ids(adapter, "Ada") == []
    assert adapter.storage_bytes() == 0


@pytest.mark.parametrize("adapter", [Keyword(), Latest(), Everything()])
def test_a_new_session_replaces_the_one_before(adapter: Adapter) -> None:
    _filled(adapter)
    adapter.ingest([memory("x1", text="Ada")])
    assert _ids(adapter, "Ada likes tea") == ["x1"]
    assert adapter.storage_bytes() == 3


def test_postgres_ranks_by_text_with_stems_and_recency(database: psycopg.Connection) -> None:
    adapter = _filled(Postgres(database))
    assert _ids(adapter, "Does Ada like green tea?", top_k=1) == ["m1"]
    assert _ids(adapter, "rains") == ["m4"]
    twins = [memory("m1", "01", text="same words"), memory("m2", "02", text="same words")]
    assert _ids(_filled(adapter, twins), "words") == ["m2", "m1"]


def test_postgres_gives_memories_back_as_they_came(database: psycopg.Connection) -> None:
    notes = [
        memory("m1", None, text="It's Ada's \\ tab\there\nand 'quotes' | & !"),
        memory("m2", "01", text="Ada, revised", supersedes="m1"),
    ]
    adapter = _filled(Postgres(database), notes)
    assert sorted(adapter.retrieve("Ada", top_k=5), key=lambda one: str(one["memory_id"])) == notes


@pytest.mark.parametrize("query", ["", "the of", "'); DROP TABLE memory; --", "a\0b", "| & ! ()"])
def test_postgres_takes_any_query(database: psycopg.Connection, query: str) -> None:
    adapter = _filled(Postgres(database))
    assert _ids(adapter, query) == []
    assert _ids(adapter, "Ada")


def test_postgres_stores_what_it_cannot_hold_as_a_mark(database: psycopg.Connection) -> None:
    adapter = _filled(Postgres(database), [memory("m1", text="nul \0 byte")])
    assert adapter.retrieve("nul", top_k=1)[0]["text"] == "nul \ufffd byte"


def test_postgres_finds_the_same_with_and_without_an_index(database: psycopg.Connection) -> None:
    adapter = Postgres(database)
    for count in (INDEX_FROM - 1, INDEX_FROM):
        _filled(adapter, [memory(f"m{n}", text=f"note w{n} common") for n in range(count)])
        assert _ids(adapter, "w7") == ["m7"]
        assert _ids(adapter, "common", top_k=1) == [f"m{count - 1}"]


def test_postgres_tells_the_size_on_disk_and_forgets_the_session_before(
    database: psycopg.Connection,
) -> None:
    adapter = Postgres(database)
    assert adapter.storage_bytes() == 0
    _filled(adapter, [memory(f"m{n}", text=f"word{n} " * 50) for n in range(600)])
    large = adapter.storage_bytes()
    _filled(adapter)
    assert 0 < adapter.storage_bytes() < large
    assert _ids(adapter, "word5") == []


def test_postgres_takes_memories_of_any_length(database: psycopg.Connection) -> None:
    long = " ".join(f"w{n}" for n in range(300_000)) + " x" + "y" * 3000
    adapter = _filled(Postgres(database), [memory("m1", text=long)])
    assert _ids(adapter, "w7") == ["m1"]


def test_postgres_names_what_the_server_says(database: psycopg.Connection) -> None:
    adapter = _filled(Postgres(database))
    database.execute("DROP TABLE memory")
    with pytest.raises(DatabaseError, match="does not exist"):
        adapter.retrieve("Ada", top_k=1)


def test_the_postgres_adapter_needs_a_connection() -> None:
    with pytest.raises(UsageError, match="PostgreSQL"), open_adapter("postgres", Setting()):
        pass


@pytest.mark.parametrize("name", ["keywrd-x", "a:b:c", "../x", "mod:", ":attr", "x y", ""])
def test_what_is_no_adapter_is_refused_with_the_names_that_are(name: str) -> None:
    with pytest.raises(UsageError, match="keyword, postgres"), open_adapter(name, Setting()):
        pass


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "not a list"),
        ({"memory_id": "m1"}, "not a list"),
        (["m1"], "not a memory"),
        ([{"memory_id": "m1"}], "neither text nor answer"),
        ([{"memory_id": 1, "text": "x"}], "memory_id 1"),
        ([{"text": 1}], "neither text nor answer"),
        ([{"text": "\ud800"}], "surrogate"),
    ],
)
def test_garbage_is_an_error_never_a_score(returned: object, message: str) -> None:
    with pytest.raises(MemorySystemError, match=message):
        read_returned(returned)


@pytest.mark.parametrize("size", [-1, True, 1.5, "7", None])
def test_a_size_is_a_whole_number(size: object) -> None:
    with pytest.raises(MemorySystemError, match="storage_bytes"):
        read_size(size)


def test_a_misspelt_adapter_is_told_what_there_is() -> None:
    """A name that is no module may be a built-in's, written wrongly."""
    setting = Setting(environ=dict(os.environ), show=False)
    told = pytest.raises(SystemStartError, match="no adapter or module 'keywrod'")
    with told as caught, open_adapter("keywrod", setting):
        pass
    assert "built in are keyword, postgres" in str(caught.value)
    told = pytest.raises(SystemStartError, match="has no attribute 'nope'")
    with told, open_adapter("json:nope", setting):
        pass
