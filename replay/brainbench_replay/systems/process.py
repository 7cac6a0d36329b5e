"""A system's program: started apart, talked to line by line, and never left behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from brainbench_replay.systems.quoting import excerpt
from brainbench_replay.systems.shown import Shown, say_on_stderr
from brainbench_schema.errors import MemorySystemError, SystemStartError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line read from a system. The facts of a large brain stay well below it."""

MAX_STDERR_BYTES = 16 * 1024 * 1024
"""What a system may write to stderr between two answers."""

POLL_SECONDS = 0.1
"""How often a silent program is asked whether it still lives: a child of its own may hold its
pipes open after it died."""

CHUNK_BYTES = 1 << 18


class Child:
    """A program in a process group of its own, with pipes as its only open files.

    Args:
        command: The program and its arguments; never a shell.
        where: What errors call it.
        say: Shows a line of its stderr, quoted.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        where: str,
        say: Callable[[str], None] = say_on_stderr,
    ) -> None:
        self.where = where
        self._shown = Shown(where, say)
        self._unsent = b""
        self._lines: deque[bytes] = deque()
        self._tail = bytearray()
        self._errors = bytearray()
        self._error_bytes = 0
        self._process = self._start(command, cwd, env)
        self._stdin, self._stdout, self._stderr = _pipes(self._process)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def _start(
        self, command: Sequence[str], cwd: Path, env: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SystemStartError(
                f"can't be started: {excerpt(command[0])}: {reason}",
                where=self.where,
                advice="check `command` and `cwd`, and that it is installed here",
            ) from None

    def send(self, data: bytes) -> None:
        """Queue bytes for its stdin, and write at once what the pipe takes."""
        self._error_bytes = 0
        self._unsent += data
        self._write()

    def end_input(self, deadline: float) -> None:
        """Write what is queued and close its stdin."""
        while self._unsent:
            self._pump(deadline)
        self._close(self._stdin)

    def read_line(self, deadline: float) -> bytes | None:
        """Give the next line of its stdout, without its end; None at the end of the output.

        Args:
            deadline: `time.monotonic()` by which the line must be there.

        Raises:
            MemorySystemError: Nothing came in time, the line is too long, it ended in the
                middle of a line, or it floods stderr.
        """
        while not self._lines:
            if self._stdout.closed:
                self._refuse_half_line()
                return None
            self._pump(deadline)
        return self._lines.popleft()

    def read_all(self, deadline: float) -> bytes:
        """Give everything it writes to stdout until it ends; raises as `read_line` does."""
        output = bytearray()
        while not self._stdout.closed:
            self._pump(deadline)
            output += b"".join(line + b"\n" for line in self._lines)
            self._lines.clear()
            if len(output) > MAX_LINE_BYTES:
                raise self._too_long("wrote an output")
        output += self._tail
        self._tail.clear()
        return bytes(output)

    def exit_code(self, seconds: float = 1) -> int | None:
        """Give the code it ended with, negative for a signal; None where it still runs."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def describe_end(self, when: str = "") -> str:
        """Say in words how it ended, and when, with the end of its stderr."""
        code = self.exit_code()
        self._read_rest()
        if code is None:
            end = "closed its output"
        elif code < 0:
            end = f"was ended by {_signal_name(-code)}"
        else:
            end = f"ended with exit code {code}"
        return end + when + self._shown.quote_last_words()

    def stop(self) -> None:
        """End it and its process group, and forget what it still wanted to say."""
        _kill_group(self._process.pid)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._selector.close()
        self._read_rest()
        self._shown.finish()
        for stream in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                stream.close()

    # The loop: everything that is readable or writable, until the deadline

    def _pump(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise MemorySystemError(
                f"did not answer in time{self._shown.quote_last_words()}",
                where=self.where,
                advice="raise `timeout_s` where it is slow; else find out why it hangs",
            )
        events = self._selector.select(min(left, POLL_SECONDS))
        heard = False
        for key, _ in events:
            if key.fileobj is self._stdout:
                heard = True
                self._read_stdout()
            elif key.fileobj is self._stderr:
                self._read_stderr()
            else:
                self._write()
        if not heard and self._process.poll() is not None and not self._stdout.closed:
            self._read_stdout()
            self._close(self._stdout)

    def _read_stdout(self) -> None:
        data = _read(self._stdout)
        if data is None:
            return
        if not data:
            self._close(self._stdout)
            return
        *lines, rest = data.split(b"\n")
        if lines:
            self._lines.append(bytes(self._tail) + lines[0])
            self._lines.extend(lines[1:])
            self._tail.clear()
        self._tail += rest
        if len(self._tail) > MAX_LINE_BYTES:
            raise self._too_long("wrote a line")

    def _too_long(self, what: str) -> MemorySystemError:
        return MemorySystemError(
            f"{what} of more than {MAX_LINE_BYTES:,} bytes",
            where=self.where,
            advice="answer with less; one JSON object a line",
        )

    def _read_stderr(self) -> None:
        data = _read(self._stderr)
        if data is None:
            return
        if not data:
            self._close(self._stderr)
            return
        self._error_bytes += len(data)
        *lines, rest = (bytes(self._errors) + data).split(b"\n")
        self._errors[:] = rest[:CHUNK_BYTES]
        for line in lines:
            self._shown.show(line)
        if self._error_bytes > MAX_STDERR_BYTES:
            raise MemorySystemError(
                f"wrote more than {MAX_STDERR_BYTES:,} bytes to stderr without an answer",
                where=self.where,
                advice="log less",
            )

    def show_stray(self, line: bytes) -> None:
        """Show a line of its stdout that is no protocol."""
        self._shown.show(line)

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._unsent)
        except BlockingIOError:
            written = 0
        except (OSError, ValueError):
            # It closed its stdin or died: what it says or how it ended tells more.
            self._unsent = b""
            self._forget(self._stdin)
            return
        self._unsent = self._unsent[written:]
        waiting = self._stdin in self._selector.get_map()
        if self._unsent and not waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif waiting and not self._unsent:
            self._selector.unregister(self._stdin)

    def _close(self, stream: IO[bytes]) -> None:
        self._forget(stream)
        stream.close()

    def _forget(self, stream: IO[bytes]) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(stream)

    def _refuse_half_line(self) -> None:
        if self._tail:
            half = excerpt(self._tail.decode("utf-8", "backslashreplace"), 60)
            raise MemorySystemError(
                self.describe_end(f" in the middle of a line: {half!r}"),
                where=self.where,
                advice="end each message with a newline, and flush it",
            )

    def _read_rest(self) -> None:
        with suppress(MemorySystemError, ValueError, OSError):
            while not self._stderr.closed and (data := _read(self._stderr)):
                for line in data.splitlines():
                    self._shown.show(line)
                if self._shown.is_flooded():
                    return


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]
    for pipe in pipes:
        os.set_blocking(pipe.fileno(), False)
    stdin, stdout, stderr = pipes
    return stdin, stdout, stderr


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _read(stream: IO[bytes]) -> bytes | None:
    """Read what is there: None for nothing yet, empty at the end."""
    try:
        return os.read(stream.fileno(), CHUNK_BYTES)
    except BlockingIOError:
        return None
    except (OSError, ValueError):
        return b""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
