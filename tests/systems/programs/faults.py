"""What can go wrong with a program, each on demand. Runs in the program under test."""
# mypy: ignore-errors

import os
import sys
import time

MARKER = "third turn"
"""A prompt that holds this text strikes the fault."""


def strike(fault, write):
    """Do what a fault does; `write` puts bytes where an answer belongs."""
    if fault in FAULTS:
        FAULTS[fault](write)


def garbage(write):
    write(b"\x00\xff\xfe not an answer \x80\n")
    os._exit(0)


def long_line(write):
    for _ in range(100):
        write(b"x" * 1_000_000)
    write(b"\n")


def half_line(write):
    write(b'{"jsonrpc": "2.0", "resu')
    os._exit(0)


def stderr_flood(write):
    while True:
        os.write(2, b"::error::flooding\n" * 1000)


def fork_and_die(write):
    _leave_a_child()
    os._exit(1)


def stray(write):
    write(b"::error::not a command\n  ::add-mask::1\n##[group]neither\nLoaded 3 pages\n")
    log("::stop-commands::x\r::error::y")


FAULTS = {
    "crash": lambda write: os._exit(3),
    "quit": lambda write: os._exit(0),
    "hang": lambda write: time.sleep(600),
    "garbage": garbage,
    "long-line": long_line,
    "half-line": half_line,
    "stderr-flood": stderr_flood,
    "fork-and-die": fork_and_die,
    "stray": stray,
}


def _leave_a_child():
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
        os._exit(0)


def log(text):
    """Say something on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
