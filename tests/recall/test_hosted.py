"""A user's adapter in an interpreter of its own: what it sees, and how it may fail."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.making import memory, query, session

from brainbench_replay.recall.adapters.hosted import HostedDriver
from brainbench_replay.recall.evaluator import evaluate
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from brainbench_replay.recall.dataset import Session

HERE = Path(__file__).parent
MODULE = "adapters_under_test"


def _host(attribute: str, **more: Any) -> HostedDriver:
    spec = f"{MODULE}:{attribute}" if attribute else MODULE
    defaults = {"folder": HERE, "environ": dict(os.environ), "show": False, "timeout_s": 20}
    return HostedDriver(spec, **{**defaults, **more})


def _sessions(count: int = 1) -> list[Session]:
    gold = query("retrieval", ["m1"], query_text="where?", query_id="gold-q", top_k=3)
    one = session(memory("m1", "01"), memory("m2", "02", supersedes="m1"), queries=[gold])
    return [one] * count


def _run(attribute: str, count: int = 1, **more: Any) -> Any:
    with closing(_host(attribute, **more)) as driver:
        return evaluate(_sessions(count), driver)


@pytest.mark.parametrize("attribute", ["", "Plain", "make", "Resetting"])
def test_a_module_a_class_and_a_function_can_be_an_adapter(attribute: str) -> None:
    recalled = _run(attribute)
    assert [row.passed for row in recalled.rows] == [True]
    assert recalled.rows[0].evidence["latency_ms"] >= 0


@pytest.mark.parametrize(("attribute", "made"), [("Plain", 2), ("Resetting", 1)])
def test_each_session_starts_from_nothing(attribute: str, made: int) -> None:
    recalled = _run(attribute, count=2)
    assert [row.evidence["returned"] for row in recalled.rows] == [2, 2]
    assert recalled.storage_bytes_max == made


def test_an_adapter_sees_memories_and_the_query_and_nothing_else() -> None:
    secret = {"GITHUB_TOKEN": "t0ken", "MY_SETTING": "on", "PATH": os.environ["PATH"]}
    recalled = _run("Spy", environ=secret, pass_on=("MY_SETTING",))
    told = recalled.rows[0].evidence["answer"]
    seen = json.loads(told)
    assert (seen["query"], seen["top_k"]) == ("where?", 3)
    assert [sorted(one) for one in seen["memories"]] == [
        ["memory_id", "text", "timestamp"],
        ["memory_id", "supersedes", "text", "timestamp"],
    ]
    assert seen["environ"].keys() - {"LC_CTYPE"} == {"MY_SETTING", "PATH"}
    for gold in ("expected", "required", "gold-q", "s1", "retrieval", "t0ken"):
        assert gold not in told


def test_its_working_folder_is_a_scratch_folder_that_goes() -> None:
    cwd = json.loads(_run("Spy").rows[0].evidence["answer"])["cwd"]
    assert Path(cwd) != Path.cwd()
    assert not Path(cwd).exists()


def test_what_it_prints_is_no_reply_and_no_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert _run("Chatty", show=True).rows[0].passed
    out, err = capfd.readouterr()
    assert out == ""
    assert "adapter | ::error::from print" in err
    assert "adapter | over·::error::x·[2J" in err
    assert all(line.startswith("adapter | ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("Crashing", r"session s1, query gold-q: retrieve: .* ended with exit code 7"),
        ("Raising", r"query gold-q: .*LookupError: nothing for where\? and 3"),
        ("Shouting", r"it raised ValueError: a ::error::b·\[2J"),
        ("Garbage", r"it raised TypeError: .*not JSON serializable"),
        ("Infinite", r"session s1: storage_bytes: garbage in place of a reply"),
        ("Huge", r"a reply is longer than 67,108,864 bytes"),
        ("NotReady", r"session s1: ingest: it raised RuntimeError: await_ready gave False"),
    ],
)
def test_a_failure_names_adapter_session_and_query(attribute: str, message: str) -> None:
    with pytest.raises(MemorySystemError) as caught:
        _run(attribute)
    told = str(caught.value)
    assert told.startswith(f"adapter {MODULE}:{attribute}, session s1")
    assert re.search(message, told)


def test_a_hang_ends_in_time_and_nothing_is_left_running() -> None:
    start = time.monotonic()
    with pytest.raises(MemorySystemError, match=r"no reply within 0\.5 s") as caught:
        _run("Hanging", timeout_s=0.5)
    assert time.monotonic() - start < 10
    child = re.search(r"child (\d+)", str(caught.value))
    assert child
    assert _has_ended(int(child[1]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_such_module", "ModuleNotFoundError"),
        (f"{MODULE}:Nope", "has no attribute 'Nope'"),
        (f"{MODULE}:nothing", "has no ingest"),
    ],
)
def test_what_cannot_be_loaded_is_told(spec: str, message: str) -> None:
    with pytest.raises(MemorySystemError, match=message) as caught:
        HostedDriver(spec, folder=HERE, environ=dict(os.environ), show=False)
    assert f"adapter {spec}: loading it" in str(caught.value)


def test_an_interpreter_that_is_not_there_is_told() -> None:
    with pytest.raises(MemorySystemError, match="can't be started: No such file"):
        _host("Plain", python="/no/such/python")


def test_a_program_that_is_no_host_is_told() -> None:
    with pytest.raises(MemorySystemError, match="ended with exit code"):
        _host("Plain", python="/bin/false")
    with pytest.raises(MemorySystemError, match="garbage in place of a reply: '-u"):
        _host("Plain", python="/bin/echo")


def _has_ended(pid: int) -> bool:
    """Wait a moment for a process that was killed; a zombie has ended too."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
