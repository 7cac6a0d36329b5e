# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2024.10.9"]
# ///
"""Everything this project does, as sessions: `nox -l` lists them, CI runs the same ones.

`gate`, `bless` and `replay` pass what follows `--` on to the command. Their exit codes are the
command's own: 0 pass, 1 regression, 2 anything else. Times are those of 2 cores.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "types", "tests", "build", "gate"]

HERE = Path(__file__).parent
CONSTRAINTS = HERE / "requirements" / "constraints.txt"
RULES_AND_METRICS = "gate/brainbench_gate/rules.py,replay/brainbench_replay/metrics/*"


@nox.session
def gate(session: nox.Session) -> None:
    """Replay this tree and judge it against the base branch."""
    _brainbench(session, "gate")


@nox.session
def bless(session: nox.Session) -> None:
    """Replay this tree and write its baseline: nox -s bless -- --justification "…"."""
    _brainbench(session, "bless")


@nox.session
def replay(session: nox.Session) -> None:
    """Replay a corpus and print the scoreboard."""
    _brainbench(session, "run")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests, conformance, states, docs and most attacks among them; 3 minutes.

    Left out is what runs the real action (`attacks`, `action`) and what needs other systems
    (`systems`). Rules and metrics have to be covered by branches, completely.
    """
    _install(session, "test")
    if session.posargs:
        session.run("pytest", *session.posargs)
        return
    session.run("pytest", "--numprocesses=2", "--cov", "--cov-report=")
    session.run("coverage", "report", f"--include={RULES_AND_METRICS}", "--fail-under=100")


@nox.session
def conformance(session: nox.Session) -> None:
    """Hold the rules to the vectors of an independent implementation; in `tests`; 10 seconds."""
    _install(session, "test")
    session.run("pytest", "tests/conformance", *session.posargs)


@nox.session
def attacks(session: nox.Session) -> None:
    """Try every known way past the gate, one line each; a third by the real action; 2 minutes."""
    _install(session, "action")
    files = "python_files=test_*.py act_*.py"
    session.run("pytest", "--quiet", "-n", "2", "-o", files, "tests/attacks", *session.posargs)


@nox.session
def states(session: nox.Session) -> None:
    """Try the way out of every state a repository can get into; in `tests`; 1 minute."""
    _install(session, "test")
    session.run("pytest", "--quiet", "tests/states", "tests/story", *session.posargs)


@nox.session
def action(session: nox.Session) -> None:
    """Run the real action through a real runner, for every event; not in `tests`; 2 minutes."""
    _install(session, "action")
    files = "python_files=act_*.py"
    session.run("pytest", "-n", "2", "-o", files, "tests/action", *session.posargs)


@nox.session
def goldens(session: nox.Session) -> None:
    """Write the golden comments and the glossary again; the diff is for a reviewer."""
    _install(session, "test")
    session.run("python", "-m", "tests.report.goldens")
    session.run("python", "-m", "tests.docs.glossary")


@nox.session
def pictures(session: nox.Session) -> None:
    """Take pictures of the golden comments, to be looked at: nox -s pictures -- FOLDER."""
    _install(session, "test")
    session.run("python", "-m", "tests.report.picture", *(session.posargs or ["pictures"]))


@nox.session
def systems(session: nox.Session) -> None:
    """Measure real memory systems, and follow the tutorials to the letter; needs Node.js 20."""
    _install(session, "test")
    folder = HERE / "tests" / "systems_real"
    session.install("--quiet", "-r", str(folder / "requirements.txt"))
    place = session.cache_dir / "systems"
    place.mkdir(exist_ok=True)
    shutil.copy(folder / "package.json", place)
    session.run("npm", "install", "--no-audit", "--no-fund", f"--prefix={place}", external=True)
    session.run("pytest", str(folder), *session.posargs, env={"BRAINBENCH_SYSTEMS": str(place)})


@nox.session
def slow(session: nox.Session) -> None:
    """Measure the second benchmark at size: a 300 MB import, 100,000 memories."""
    _install(session)
    session.run("python", "tests/recall/slow/large_import.py")
    session.run("python", "tests/recall/slow/postgres_speed.py")


@nox.session
def corpus(session: nox.Session) -> None:
    """Write the generated corpora; with `-- --check` only tell what drifted."""
    session.run("python", "evals/brainbench/generator", *session.posargs)
    session.run("python", "evals/braincore/generator", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and the layers between the packages."""
    _install(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", silent=True)


@nox.session
def types(session: nox.Session) -> None:
    """Check types strictly: sources, tests, this file."""
    _install(session, "types")
    session.run("mypy")
    session.run("mypy", "noxfile.py")


@nox.session
def docs(session: nox.Session) -> None:
    """Check that documents which are generated or quote figures still say the truth."""
    _install(session, "test")
    session.run("pytest", "tests/docs", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist, and try the wheel outside the checkout."""
    session.install("build")
    target = Path(session.create_tmp()) / "dist"
    shutil.rmtree(target, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(target), ".", silent=True)
    wheel = next(target.glob("*.whl"))
    session.install("--force-reinstall", f"--constraint={CONSTRAINTS}", str(wheel))
    with tempfile.TemporaryDirectory() as outside, session.chdir(outside):
        session.run("brainbench", "--version")
        session.run("brainbench", "run")


@nox.session
def bench(session: nox.Session) -> None:
    """Time the whole process and its stages; prints medians and ratios."""
    _install(session)
    session.run("python", "tests/bench/bench.py", *session.posargs)


def _install(session: nox.Session, group: str | None = None) -> None:
    """Install this project as it stands, and the tools of a dependency group."""
    session.install("--quiet", f"--constraint={CONSTRAINTS}", "--editable", ".")
    if group:
        wanted = nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), group)
        session.install("--quiet", f"--constraint={CONSTRAINTS}", *wanted)


def _brainbench(session: nox.Session, command: str) -> None:
    """Run a command and end with its exit code: nox alone would turn 2 into 1."""
    _install(session)
    program = shutil.which("brainbench", path=session.bin)
    assert program is not None
    code = subprocess.call([program, command, *session.posargs], env=_environment(session))
    if code:
        sys.stdout.flush()
        raise SystemExit(code)


def _environment(session: nox.Session) -> dict[str, str]:
    return {key: value for key, value in session.env.items() if value is not None}
