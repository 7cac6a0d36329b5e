"""Tells a system that can't start from one that fails at work."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from brainbench_schema.errors import MemorySystemError, SystemStartError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def starting() -> Iterator[None]:
    """Raise whatever fails in here as a failure to start.

    Raises:
        SystemStartError: In place of a MemorySystemError.
    """
    try:
        yield
    except MemorySystemError as error:
        raise SystemStartError(error.what, where=error.where, advice=error.advice) from error
