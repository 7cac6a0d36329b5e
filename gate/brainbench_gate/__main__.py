"""The process: exit codes, and what a failure looks like. Only here is anything caught broadly.

Python's own exit code 1 on an unhandled exception would read as a regression, so that no
exception may leave `main`.
"""

from __future__ import annotations

import os
import sys
import traceback

from brainbench_gate.exits import EXIT_ERROR, EXIT_INTERRUPTED


def main() -> None:
    """Run the command line and end the process with a code that means something."""
    code = EXIT_ERROR
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout went away: nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) and error.code != 1 else EXIT_ERROR
    except BaseException:  # noqa: BLE001 - a bug must not look like a regression
        traceback.print_exc()
        sys.stderr.write("brainbench: this is a bug in brainbench-gate, please report it\n")
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    from brainbench_gate.bench import launching

    launching.prepare(arguments)
    try:
        from brainbench_gate.cli import invoke

        return invoke(arguments)
    finally:
        launching.end()


if __name__ == "__main__":
    main()
