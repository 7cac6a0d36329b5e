"""Lines to and from a child process, with limits on time and size."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import IO, TYPE_CHECKING, cast

from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAX_LINE_BYTES = 64 * 1024 * 1024
GRACE_SECONDS = 2
_TAIL_LINES = 20


def make_harmless(text: str) -> str:
    """Replace what moves a cursor or starts a line, so that a mark before the text stays there."""
    return "".join(char if char.isprintable() or char == "\t" else "·" for char in text)


class Wire:
    """A child process in a session of its own; nothing of it is left after `close`."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], show: bool
    ) -> None:
        """Start it.

        Args:
            show: Whether its stderr is passed on, each line marked.

        Raises:
            MemorySystemError: The program can't be started.
        """
        try:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise MemorySystemError(
                f"can't be started: {error.strerror}", where=command[0]
            ) from None
        self._stdin = cast("IO[bytes]", self._process.stdin)
        self._stdout = cast("IO[bytes]", self._process.stdout)
        self._buffer = bytearray()
        self._tail: deque[str] = deque(maxlen=_TAIL_LINES)
        self._listener = threading.Thread(target=self._listen, args=(show,), daemon=True)
        self._listener.start()
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)

    def ask(self, line: bytes, *, seconds: float) -> bytes:
        """Send a line and wait for one.

        Raises:
            MemorySystemError: The process ended, the time is over, or the reply is too long.
        """
        deadline = monotonic() + seconds
        unsent = memoryview(line)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            if unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._buffer:
                ready = selector.select(max(0, deadline - monotonic()))
                if not ready:
                    raise MemorySystemError(f"no reply within {seconds:g} s")
                for key, _ in ready:
                    if key.fileobj is self._stdin:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(self._stdin)
                    else:
                        self._read()
        reply, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer[:] = rest
        return reply

    def tail(self) -> str:
        """Give the last lines of its stderr, once it has ended or been ended."""
        self._listener.join(GRACE_SECONDS)
        return "\n".join(self._tail)

    def close(self) -> None:
        """End the process and everything that it started."""
        with suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and everything that it started at once."""
        if self._stdout.closed:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._listener.join(GRACE_SECONDS)
        for pipe in (self._stdin, self._stdout):
            with suppress(OSError):
                pipe.close()

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._stdin.fileno(), data[:65536])
        except BlockingIOError:
            return 0
        except OSError:
            raise self._ended() from None

    def _read(self) -> None:
        chunk = os.read(self._stdout.fileno(), 1 << 20)
        if not chunk:
            raise self._ended()
        self._buffer += chunk
        if len(self._buffer) > MAX_LINE_BYTES:
            raise MemorySystemError(f"a reply is longer than {MAX_LINE_BYTES:,} bytes")

    def _ended(self) -> MemorySystemError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        half = ", in the middle of a line" if self._buffer else ""
        return MemorySystemError(f"the adapter's process {how}{half}")

    def _listen(self, show: bool) -> None:
        with cast("IO[bytes]", self._process.stderr) as stderr:
            while data := stderr.readline(8192):
                line = make_harmless(data.decode(errors="replace").rstrip("\r\n"))
                self._tail.append(line)
                if show:
                    # The mark keeps a line that starts with :: from being read as a command.
                    sys.stderr.write(f"adapter | {line}\n")
