"""What can go wrong between the gate and a repository, each with its own reason code."""

from __future__ import annotations

from brainbench_schema.errors import GitError, UsageError


class EventError(UsageError):
    """The event's name, payload or environment lacks something or is not known."""

    reason = "bad-event"


class RefNameError(UsageError):
    """A name is not a full ref, an object id or a remote-tracking branch."""

    reason = "bad-ref-name"


class PathError(UsageError):
    """A path does not stay inside the repository, or is not a plain relative path."""

    reason = "bad-path"


class ProgramError(GitError):
    """No usable git program outside the repository."""

    reason = "no-git"


class MissingRefError(GitError):
    """The ref or commit asked for does not exist."""

    reason = "missing-ref"


class AmbiguousRefError(GitError):
    """A shortened object id fits more than one commit."""

    reason = "ambiguous-ref"


class MissingFileError(GitError):
    """The commit exists and holds nothing at the path."""

    reason = "missing-file"


class MissingObjectError(GitError):
    """An object that a commit refers to is neither in the clone nor to be had elsewhere."""

    reason = "missing-object"


class CorruptObjectError(GitError):
    """An object's content does not hash to its id."""

    reason = "corrupt-object"


class RefusedObjectError(GitError):
    """A path holds something other than the plain file or folder expected there."""

    reason = "refused-object"


class FetchError(GitError):
    """The remote could not be asked or did not give what it was asked for."""

    reason = "fetch-failed"


class AncestryError(GitError):
    """Nothing could show how two commits are related."""

    reason = "ancestry-unknown"


class ForeignParentError(GitError):
    """The merge commit's first parent is shown not to come from the base branch."""

    reason = "foreign-parent"


class NoMergeBaseError(GitError):
    """Two histories share no commit."""

    reason = "no-merge-base"
