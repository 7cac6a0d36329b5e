"""Reading a corpus: every fault at once, each with file and place, and a hash that is stable."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_replay.corpus import hash_corpus, parse_corpus, read_corpus
from brainbench_schema.errors import InvalidInputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

FIXTURE: dict[str, Any] = {
    "schema_version": 1,
    "fixture_id": "a",
    "suites": ["know-to-ask"],
    "turns": [
        {"turn_id": 1, "role": "user", "text": "Hello"},
        {"turn_id": 2, "role": "assistant", "text": "Hi"},
    ],
}
GOLD: dict[str, Any] = {"fixture_id": "a", "turns": {"1": {"should_retrieve": False}}}


def encode(document: Any) -> bytes:
    return json.dumps(document).encode()


def load(*pairs: tuple[dict[str, Any], dict[str, Any]]) -> Any:
    return parse_corpus(
        {f"{fixture['fixture_id']}.fixture.json": encode(fixture) for fixture, _ in pairs},
        {f"{gold['fixture_id']}.gold.json": encode(gold) for _, gold in pairs},
    )


def faults(*pairs: tuple[dict[str, Any], dict[str, Any]]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInputError) as caught:
        load(*pairs)
    return [(fault.file, fault.pointer) for fault in caught.value.faults]


def fixture(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(FIXTURE), **changes}


def gold(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOLD), **changes}


def pair_of(pair_id: str, *, holdout: bool = False) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """A writer and a reader that go together."""
    ts = "2026-01-01T00:00:00Z"
    turns = [{"turn_id": 1, "role": "user", "text": "Hello", "ts": ts}]
    decision = {"decision_id": "d", "expected_slugs": [], "match_keywords": ["x"]}
    made = []
    for role in ("writer", "reader"):
        name = f"{pair_id}-{role}"
        one = fixture(
            fixture_id=name,
            suites=["continuity"],
            turns=turns,
            continuity={"pair_id": pair_id, "pair_role": role},
            holdout=holdout,
        )
        notes = gold(fixture_id=name)
        if role == "reader":
            notes["continuity"] = {"pair_id": pair_id, "decisions": [decision]}
        made.append((one, notes))
    return made


def test_reads_cases_in_order_of_name(tmp_path: Path) -> None:
    """Cases come in order of file name, each with its gold; other files don't count."""
    for name in ("b", "a"):
        (tmp_path / f"{name}.fixture.json").write_bytes(encode(fixture(fixture_id=name)))
        (tmp_path / f"{name}.gold.json").write_bytes(encode(gold(fixture_id=name)))
    (tmp_path / "README.md").write_text("not a fixture")

    corpus = read_corpus(tmp_path, tmp_path)

    assert ["a", "b"] == [case.fixture.fixture_id for case in corpus.cases]
    assert ["a", "b"] == [case.gold.fixture_id for case in corpus.cases]


def test_line_ends_do_not_change_the_hash() -> None:
    """CRLF is read as LF."""
    lf = {"a.fixture.json": b"{\n}\n"}
    crlf = {"a.fixture.json": b"{\r\n}\r\n"}

    assert hash_corpus(lf, lf) == hash_corpus(crlf, crlf)
    assert hash_corpus(lf, lf) != hash_corpus(lf, {"b.gold.json": b"{\n}\n"})


def test_an_empty_corpus_is_an_error() -> None:
    """No fixture proves nothing."""
    with pytest.raises(InvalidInputError, match=r"no \*\.fixture\.json"):
        parse_corpus({}, {})


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    """The folder is named, and what to do."""
    with pytest.raises(UsageError, match="no such folder"):
        read_corpus(tmp_path / "none", tmp_path)


def test_a_symlink_out_of_the_corpus_is_refused(tmp_path: Path) -> None:
    """A fixture that points elsewhere is no fixture."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.fixture.json").symlink_to("/etc/passwd")

    with pytest.raises(InvalidInputError, match="a symlink that leaves it"):
        read_corpus(folder, folder)


@pytest.mark.parametrize("twin", ["A.fixture.json", "é.fixture.json"])
def test_twin_names_are_refused(twin: str) -> None:
    """Names that differ only in case or Unicode form are one name on some file systems."""
    names = {"a.fixture.json": twin, "é.fixture.json": "e\u0301.fixture.json"}
    other = names.get(twin, "a.fixture.json")
    with pytest.raises(InvalidInputError, match="only in case or Unicode form"):
        parse_corpus({other: encode(FIXTURE), twin: encode(FIXTURE)}, {"a.gold.json": encode(GOLD)})


def test_faults_of_all_documents_at_once() -> None:
    """A schema fault in one document hides no rule broken in another."""
    bad = fixture(fixture_id="b", suites=[])
    twice = fixture()
    twice["turns"][1]["turn_id"] = 1

    assert [
        ("a.fixture.json", "/turns/1/turn_id"),
        ("b.fixture.json", "/suites"),
    ] == faults((twice, gold()), (bad, gold(fixture_id="b")))


def test_nul_is_named_with_its_place() -> None:
    """Text that no database stores is found before seeding."""
    bad = fixture(seed_pages=[{"slug": "p", "content": "a\0b"}])

    assert [("a.fixture.json", "/seed_pages/0/content")] == faults((bad, gold()))


def test_a_slug_twice_in_one_source_is_refused() -> None:
    """The same slug may stand in two sources, and not twice in one."""
    pages = [{"slug": "p", "content": "x"}, {"slug": "p", "content": "y", "source_id": "v"}]
    load((fixture(seed_pages=pages), gold()))
    pages.append({"slug": "p", "content": "z", "source_id": "default"})

    assert [("a.fixture.json", "/seed_pages/2/slug")] == faults((fixture(seed_pages=pages), gold()))


def test_ids_join_fixtures_and_gold() -> None:
    """A fixture without gold, gold without a fixture, and an id used twice."""
    lonely = parse_faults({"a.fixture.json": FIXTURE}, {"b.gold.json": gold(fixture_id="b")})
    twice = parse_faults(
        {"a.fixture.json": FIXTURE, "b.fixture.json": FIXTURE}, {"a.gold.json": GOLD}
    )

    assert [("a.fixture.json", "/fixture_id"), ("b.gold.json", "/fixture_id")] == lonely
    assert [("a.fixture.json", "/fixture_id"), ("b.fixture.json", "/fixture_id")] == twice


def parse_faults(fixtures: dict[str, Any], golds: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInputError) as caught:
        parse_corpus(
            {name: encode(document) for name, document in fixtures.items()},
            {name: encode(document) for name, document in golds.items()},
        )
    return [(fault.file, fault.pointer) for fault in caught.value.faults]


def test_a_pair_is_one_writer_and_one_reader() -> None:
    """Two readers, or a writer alone, are refused."""
    writer, reader = pair_of("p")
    load(writer, reader)

    assert [("p-writer.fixture.json", "/continuity/pair_id")] == faults(writer)


def test_a_pair_is_held_out_together() -> None:
    """Half a pair can't be held out."""
    writer, _ = pair_of("p", holdout=True)
    _, reader = pair_of("p")

    assert [("p-reader.fixture.json", "/holdout")] == faults(writer, reader)


def test_decisions_have_ids_of_their_own() -> None:
    """A decision id used twice would make two items one."""
    writer, (reader, notes) = pair_of("p")
    notes["continuity"]["decisions"] *= 2

    assert [("p-reader.gold.json", "/continuity/decisions/1/decision_id")] == faults(
        writer, (reader, notes)
    )


def test_times_are_needed_where_a_conversation_is_written() -> None:
    """A write-back fixture or continuity writer without a time is refused."""
    assert [
        ("a.fixture.json", "/turns/0"),
        ("a.fixture.json", "/turns/1"),
    ] == faults((fixture(suites=["write-back"]), gold()))


def test_holdout_is_selected_on_demand() -> None:
    """Held-out fixtures are left out unless asked for."""
    corpus = load((fixture(holdout=True), gold()), (fixture(fixture_id="b"), gold(fixture_id="b")))

    assert ["b"] == [c.fixture.fixture_id for c in corpus.select(include_holdout=False)]
    assert 2 == len(corpus.select(include_holdout=True))
