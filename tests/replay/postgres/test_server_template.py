"""A template is used when it is sound and ours; otherwise there is none, and no error."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brainbench_replay.postgres.server_template import KEPT_TEMPLATES, MAGIC, Template

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "postgres of one kind"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with what matters of a data folder."""
    data = tmp_path / "data"
    for folder in ("base/1", "base/4", "pg_wal/summaries", "pg_notify"):
        (data / folder).mkdir(parents=True)
    (data / "PG_VERSION").write_text("18\n")
    (data / "base/1/112").touch()
    (data / "base/1/1249").write_bytes(bytes(range(256)) * 64)
    (data / "base/1/1249_fsm").write_bytes(b"free space")
    (data / "base/1/1249_vm").write_bytes(b"visible")
    (data / "base/4/1249").write_bytes(b"never connected to")
    for number in range(7, 12):
        (data / f"pg_wal/0000000100000000{number:08X}").write_bytes(b"%d" % number)
    return data


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "brainbench-gate"


@pytest.fixture
def template(cache: Path, data: Path) -> Template:
    template = Template(str(cache), KEY)
    template.save(str(data), "first")
    return template


def contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_what_was_saved_is_restored(template: Template, data: Path, tmp_path: Path) -> None:
    """All but databases nobody connects to, maps, and log segments that hold nothing."""
    assert template.restore(str(tmp_path / "restored"))
    maps = ["base/1/1249_fsm", "base/1/1249_vm"]
    left_out = [
        "base/4",
        "base/4/1249",
        *maps,
        *(f"pg_wal/{'1':0>8}{n:016X}" for n in range(9, 12)),
    ]
    expected = {path: content for path, content in contents(data).items() if path not in left_out}
    assert contents(tmp_path / "restored") == expected


def test_what_is_restored_is_closed_to_others(template: Template, tmp_path: Path) -> None:
    template.restore(str(tmp_path / "restored"))
    assert (tmp_path / "restored").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "restored/PG_VERSION").stat().st_mode & 0o777 == 0o600


def test_the_cache_holds_one_file_closed_to_others(template: Template, cache: Path) -> None:
    assert list(cache.iterdir()) == [Path(template.path)]
    assert cache.stat().st_mode & 0o777 == 0o700
    assert Path(template.path).stat().st_mode & 0o777 == 0o600


def resealed(content: bytes) -> bytes:
    """The content with a checksum that agrees with it."""
    body = content[len(MAGIC) + 8 :]
    return MAGIC + b"%08x" % zlib.crc32(body) + body


FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"\0",
    "zeros at the end": lambda content: content[:-4096] + bytes(4096),
    "one bit": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "another format": lambda content: content.replace(b"folder", b"f0lder", 1),
    "another key": lambda content: resealed(content.replace(b"one kind", b"my kind!", 1)),
    "a file's size": lambda content: resealed(content.replace(b"16384\n", b"16385\n", 1)),
    "a negative size": lambda content: resealed(content.replace(b"16384\n", b"-1638\n", 1)),
    "no number": lambda content: resealed(content.replace(b"16384\n", b"x6384\n", 1)),
    "a path that leads out": lambda content: resealed(content.replace(b"pg_notify", b"../notify")),
    "a path from the root": lambda content: resealed(content.replace(b"pg_notify", b"/g_notify")),
    "an odd index": lambda content: resealed(content.replace(b"-\npg_notify", b"-/pg_notify")),
    "no index": lambda content: resealed(content[: len(MAGIC) + 8] + KEY.encode() + b"\0"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_template_with_a_fault_is_not_used(
    template: Template, tmp_path: Path, fault: str
) -> None:
    path = Path(template.path)
    changed = FAULTS[fault](path.read_bytes())
    assert changed != path.read_bytes()
    path.write_bytes(changed)
    assert not template.restore(str(tmp_path / "restored"))
    assert not (tmp_path / "restored").exists()


def test_a_faulty_template_is_replaced(template: Template, data: Path, tmp_path: Path) -> None:
    Path(template.path).write_bytes(b"")
    template.save(str(data), "second")
    assert template.restore(str(tmp_path / "restored"))


def test_a_template_open_to_others_is_not_used(template: Template, tmp_path: Path) -> None:
    Path(template.path).chmod(0o620)
    assert not template.restore(str(tmp_path / "restored"))


def test_a_link_is_not_followed(template: Template, tmp_path: Path) -> None:
    path = Path(template.path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert not template.restore(str(tmp_path / "restored"))


def test_a_template_of_another_user_is_not_used(
    template: Template, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert not template.restore(str(tmp_path / "restored"))


def test_a_template_too_large_is_not_read(template: Template, tmp_path: Path) -> None:
    os.truncate(template.path, 2**30)
    assert not template.restore(str(tmp_path / "restored"))


def test_another_key_has_another_file(template: Template, cache: Path, tmp_path: Path) -> None:
    assert not Template(str(cache), "another").restore(str(tmp_path / "restored"))


def test_without_a_cache_there_is_no_template(data: Path, tmp_path: Path) -> None:
    template = Template("", KEY)
    template.save(str(data), "first")
    assert not template.restore(str(tmp_path / "restored"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def open_to_others(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o770)


def a_link(cache: Path) -> None:
    cache.parent.mkdir()
    (cache.parent / "elsewhere").mkdir(mode=0o700)
    cache.symlink_to("elsewhere")


def a_file(cache: Path) -> None:
    cache.parent.mkdir()
    cache.touch(0o700)


def a_file_above(cache: Path) -> None:
    cache.parent.touch()


@pytest.mark.parametrize("prepare", [open_to_others, a_link, a_file, a_file_above])
def test_a_cache_that_is_not_private_stays_empty(
    cache: Path, data: Path, prepare: Callable[[Path], None]
) -> None:
    prepare(cache)
    Template(str(cache), KEY).save(str(data), "first")
    assert not cache.is_dir() or list(cache.iterdir()) == []


def test_a_cache_of_another_user_stays_empty(
    cache: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    Template(str(cache), KEY).save(str(data), "first")
    assert list(cache.iterdir()) == []


def test_a_save_killed_half_way_leaves_a_part_that_a_later_one_removes(
    template: Template, cache: Path, data: Path
) -> None:
    """A part that may still be written stays."""
    stale, young = cache / "stale.part", cache / "young.part"
    for part in (stale, young):
        part.write_bytes(b"half of it")
    os.utime(stale, (0, 0))
    template.save(str(data), "second")
    assert sorted(cache.iterdir()) == sorted([Path(template.path), young])


def test_only_the_newest_templates_are_kept(cache: Path, data: Path) -> None:
    templates = [Template(str(cache), str(number)) for number in range(KEPT_TEMPLATES + 2)]
    for second, template in enumerate(templates):
        template.save(str(data), "unique")
        os.utime(template.path, (second, second))
    assert {*cache.iterdir()} == {Path(template.path) for template in templates[2:]}


FULL_DISK = """
import resource, signal, sys
from brainbench_replay.postgres.server_template import Template
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
Template(*sys.argv[1:3]).save(sys.argv[3], "first")
"""


def test_a_full_disk_costs_the_template_only(cache: Path, data: Path) -> None:
    """Where no file can grow, there is no template and no error; in a process of its own."""
    command = [sys.executable, "-c", FULL_DISK, str(cache), KEY, str(data)]
    assert subprocess.run(command, check=False).returncode == 0
    assert list(cache.iterdir()) == []
