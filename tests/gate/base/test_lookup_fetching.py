"""The base is fetched where the clone lacks it, with a token that is neither written nor shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gate.base.hosting import Hosted, baseline
from tests.gate.githttp import serving

from brainbench_gate.base import Event, Remote, find_base
from brainbench_gate.base.errors import FetchError, MissingRefError

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    "act",
    [
        lambda hosted: (hosted.pull_request(), "refs/heads/topic"),
        lambda hosted: (hosted.push("refs/heads/topic"), "refs/heads/topic"),
    ],
)
def test_a_failed_fetch_is_an_error(
    hosted: Hosted, act: Callable[[Hosted], tuple[Event, str]]
) -> None:
    """Attack 17: the shallow clone lacks the base and the server does not answer."""
    event, ref = act(hosted)
    event = replace(event, server_url=f"{hosted.folder.as_uri()}/none")
    with hosted.job(ref) as repository, pytest.raises(FetchError) as caught:
        find_base(repository, event)
    assert caught.value.reason == "fetch-failed"


def test_a_base_that_the_server_lacks_is_an_error(hosted: Hosted) -> None:
    """Attack 17: the event names a commit that is nowhere."""
    event = replace(hosted.pull_request(), base_sha="1" * 40)
    with hosted.job("refs/heads/topic") as repository, pytest.raises(MissingRefError) as caught:
        find_base(repository, event)
    assert caught.value.reason == "missing-ref"


@pytest.mark.parametrize("job", ["pull_request", "push"])
def test_a_private_repository_is_read_with_the_token(hosted: Hosted, job: str) -> None:
    """No credential in the clone; the token reaches neither an argument nor the disk."""
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    with serving(hosted.folder, "t0ken") as server:
        merge = job == "pull_request"
        event = hosted.pull_request() if merge else hosted.push("refs/heads/topic")
        event = replace(event, server_url=server.url)
        with hosted.job("refs/pull/1/merge" if merge else "refs/heads/topic") as repository:
            choice = find_base(repository, event, token="t0ken")
            assert choice.commit == (tip if merge else hosted.opened_on)
            assert baseline(repository, choice) == (b"2" if merge else b"1")


def test_a_private_repository_refuses_another_token(hosted: Hosted) -> None:
    """A failed fetch, at once: nobody is asked for a password."""
    with serving(hosted.folder, "t0ken") as server:
        event = replace(hosted.push("refs/heads/topic"), server_url=server.url)
        for token in ("other", ""):
            with hosted.job("refs/heads/topic") as repository:
                with pytest.raises(FetchError) as caught:
                    find_base(repository, event, token=token)
                assert "other" not in str(caught.value)


def test_the_token_is_not_written_or_shown(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the gate's own repository, not in a command line, not in a repr."""
    scratch = hosted.folder / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    remote = Remote(url="https://example.org/a/b", token="t0ken")
    assert "t0ken" not in repr(remote)
    hosted.move_on()
    with serving(hosted.folder, "t0ken") as server:
        event = replace(hosted.push("refs/heads/topic"), server_url=server.url)
        with hosted.job("refs/heads/topic") as repository:
            find_base(repository, event, token="t0ken")
            files = [path for path in scratch.rglob("*") if path.is_file()]
            assert [p for p in files if p.suffix == ".pack"]
            assert not [p for p in files if b"t0ken" in p.read_bytes()]
            assert not [p for p in files if b"Authorization" in p.read_bytes()]
