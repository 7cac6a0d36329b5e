"""What can go wrong with a program, each on demand. Runs in the program under test."""
# mypy: ignore-errors

import os
import sys
import time

MARKER = "third turn"
"""A prompt that holds this text strikes the fault."""


def strike(fault, write):
    """Do what a fault does; `write` puts bytes where an answer belongs."""
    if fault == "crash":
        os._exit(3)
    elif fault == "hang":
        time.sleep(600)
    elif fault == "garbage":
        write(b"\x00\xff\xfe not an answer \x80\n")
        os._exit(0)
    elif fault == "long-line":
        for _ in range(100):
            write(b"x" * 1_000_000)
        write(b"\n")
    elif fault == "half-line":
        write(b'{"jsonrpc": "2.0", "resu')
        os._exit(0)
    elif fault == "stderr-flood":
        while True:
            os.write(2, b"::error::flooding\n" * 1000)
    elif fault == "fork-and-die":
        _leave_a_child()
        os._exit(1)


def _leave_a_child():
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
        os._exit(0)


def log(text):
    """Say something on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
