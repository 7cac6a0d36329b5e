"""From the name on the command line to a driver."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters import builtin
from brainbench_replay.recall.adapters.hosted import HostedDriver, module_folder
from brainbench_replay.recall.adapters.local import LocalDriver
from brainbench_replay.systems.starting import starting
from brainbench_schema.errors import SystemStartError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    import psycopg

    from brainbench_replay.recall.adapters.protocol import Adapter, Driver

PLAIN: dict[str, Callable[[], Adapter]] = {
    "keyword": builtin.Keyword,
    "latest": builtin.Latest,
    "everything": builtin.Everything,
    "empty": builtin.Empty,
}
BUILT_IN = ("keyword", "postgres", "latest", "everything", "empty")

_SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(:[^\W\d]\w*(\.[^\W\d]\w*)*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What starting an adapter may need.

    Attributes:
        connect: Opens a PostgreSQL connection; called for `postgres` only.
        environ: The environment that a user's adapter is given a part of.
        pass_on: Names of variables to give it beside the usual ones.
        python: Interpreter for a user's adapter; None for the one that runs this.
        folder: Folder that a user's module is imported from; None for the current one.
        timeout_s: Longest time for one call of a user's adapter, in seconds.
        show: Whether a user's adapter's output is shown on stderr.
    """

    connect: Callable[[], AbstractContextManager[psycopg.Connection]] | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    pass_on: tuple[str, ...] = ()
    python: str | None = None
    folder: Path | None = None
    timeout_s: float = 60
    show: bool = True


@contextmanager
def open_adapter(spec: str, setting: Setting) -> Iterator[Driver]:
    """Start an adapter for the length of a run.

    Args:
        spec: A name of `BUILT_IN`, or ``module[:attribute]`` of the user's.

    Raises:
        UsageError: It is neither.
        SystemStartError: The user's adapter can't be loaded.
        DatabaseError: There is no PostgreSQL.
    """
    if spec in PLAIN:
        yield LocalDriver(spec, PLAIN[spec]())
    elif spec == "postgres":
        with _open_postgres(setting) as driver:
            yield driver
    else:
        driver = _start(spec, setting)
        try:
            yield driver
        finally:
            driver.close()


@contextmanager
def _open_postgres(setting: Setting) -> Iterator[Driver]:
    from brainbench_replay.recall.adapters.postgres import Postgres

    if setting.connect is None:
        raise UsageError("the adapter postgres needs a PostgreSQL connection")
    with setting.connect() as connection:
        version = connection.info.parameter_status("server_version")
        details: dict[str, Any] = {"postgresql": version}
        yield LocalDriver("postgres", Postgres(connection), details=details)


def _start(spec: str, setting: Setting) -> HostedDriver:
    try:
        with starting():
            return _host(spec, setting)
    except SystemStartError as error:
        module = spec.partition(":")[0]
        if f"No module named {module!r}" not in error.what:
            raise
        raise SystemStartError(
            f"there is no adapter or module {module!r}",
            where=error.where,
            advice=f"built in are {', '.join(BUILT_IN)}; your own is module:attribute, "
            "found in --module-dir",
        ) from None


def _host(spec: str, setting: Setting) -> HostedDriver:
    if not _SPEC.fullmatch(spec):
        raise UsageError(
            f"no adapter {spec!r}",
            advice=f"built in are {', '.join(BUILT_IN)}; your own is module:attribute",
        )
    extra = {"python": setting.python} if setting.python else {}
    return HostedDriver(
        spec,
        folder=module_folder(setting.folder),
        environ=setting.environ,
        pass_on=setting.pass_on,
        timeout_s=setting.timeout_s,
        show=setting.show,
        **extra,
    )
