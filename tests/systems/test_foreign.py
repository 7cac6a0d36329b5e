"""A foreign runner: its document is judged as it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_gate.measured import CorpusFiles
from brainbench_replay.corpus import parse_corpus
from brainbench_replay.packaged import packaged_folder
from brainbench_schema.errors import MemorySystemError
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = "import sys; from brainbench_gate.__main__ import main; {0}; main()"
THROUGH = "sys.argv[1:1] = ['run', '--quiet', '--system', 'silent']"


@pytest.fixture(scope="module")
def files() -> CorpusFiles:
    """Three files of the packaged corpus."""
    folder = packaged_folder("brainbench")
    names = sorted(path.name for path in folder.glob("fixtures/adv-alias-*"))
    golds = [name.replace(".fixture.", ".gold.") for name in names]
    return CorpusFiles(
        fixtures={name: (folder / "fixtures" / name).read_bytes() for name in names},
        gold={name: (folder / "gold" / name).read_bytes() for name in golds},
    )


def run(files: CorpusFiles, program: str) -> object:
    """Measure with a runner written inline."""
    entry = SystemEntry(kind="result", command=(sys.executable, "-c", program), timeout_s=30)
    corpus = parse_corpus(files.fixtures, files.gold)
    return measure(corpus, Plan(system="theirs", systems={"theirs": entry}), files=files)


def test_its_document_is_taken_as_it_is(files: CorpusFiles, tmp_path: Path) -> None:
    """This project's own runner stands in for a foreign one."""
    measured = run(files, RUNNER.format(THROUGH))
    assert measured.result.system.name == "silent"  # type: ignore[attr-defined]
    assert measured.result.cells  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(2)", "exit code 2"),
        ("pass", "wrote no result"),
        ("import sys; open(sys.argv[-1], 'w').write('{}')", "not what it must be"),
    ],
)
def test_a_runner_that_fails_is_an_error(files: CorpusFiles, program: str, said: str) -> None:
    """Never a score."""
    with pytest.raises(MemorySystemError, match=said):
        run(files, program)


def test_a_result_of_another_corpus_is_refused(files: CorpusFiles) -> None:
    """The hash must be that of the corpus it was handed."""
    packaged = RUNNER.format(
        "sys.argv[1:5] = ['run', '--quiet', '--system', 'silent']; out = sys.argv.index('--out')"
    )
    with pytest.raises(MemorySystemError, match="is for the corpus"):
        run(files, packaged)
