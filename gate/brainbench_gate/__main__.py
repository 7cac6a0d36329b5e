"""The process: exit codes, and what a failure looks like. Only here is anything caught broadly.

Python's own exit code 1 on an unhandled exception would read as a regression, so that no
exception may leave `main`.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback

from brainbench_gate.exits import EXIT_ERROR, EXIT_INTERRUPTED

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
"""What a device says that takes no more."""


def main() -> None:
    """Run the command line and end the process with a code that means something."""
    _open_missing_streams()
    code = EXIT_ERROR
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout went away: nothing is left to say to it.
        _abandon_stdout()
    except OSError as error:
        if error.errno not in FULL:
            _report_bug()
        else:
            _abandon_stdout()
            sys.stderr.write(f"brainbench: can't write: {error.strerror}\n  → make room there\n")
        code = EXIT_ERROR
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) and error.code != 1 else EXIT_ERROR
    except BaseException:  # noqa: BLE001 - a bug must not look like a regression
        code = EXIT_ERROR
        _report_bug()
    sys.exit(code)


def _report_bug() -> None:
    traceback.print_exc()
    sys.stderr.write("brainbench: this is a bug in brainbench-gate, please report it\n")


def _abandon_stdout() -> None:
    """Let what is still to be written there go nowhere, so that Python's own end doesn't fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _open_missing_streams() -> None:
    """Stand in for streams that the caller closed (`2>&-`).

    Python gives None for them, the next file opened would take their number, and an error while
    the error is told would end the process with 1.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _run(arguments: list[str]) -> int:
    from brainbench_gate.bench import launching
    from brainbench_schema.errors import BrainbenchError

    try:
        launching.prepare(arguments)
        from brainbench_gate.cli import invoke

        return invoke(arguments)
    except BrainbenchError as error:
        sys.stderr.write(f"brainbench: {error}\n")
        return EXIT_ERROR
    finally:
        launching.end()


if __name__ == "__main__":
    main()
