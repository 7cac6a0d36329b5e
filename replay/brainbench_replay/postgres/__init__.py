"""PostgreSQL for a run: an embedded server that dies with it, or one of the user's."""

from brainbench_replay.postgres.binaries import find_binaries
from brainbench_replay.postgres.connection import connect
from brainbench_replay.postgres.launch import Launch, launch

__all__ = ["Launch", "connect", "find_binaries", "launch"]
