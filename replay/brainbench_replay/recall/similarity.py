"""How alike two answers are: a lexical cosine, or a user's sentence embeddings."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from brainbench_schema.errors import MemorySystemError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_WORD = re.compile(r"\w+")


class Similarity(Protocol):
    """A measure of two texts, from 0 to 1; `name` stands in the result."""

    @property
    def name(self) -> str:
        """How the measure is called in the result."""
        ...

    def __call__(self, answer: str, expected: str) -> float:
        """Compare an answer with an expected one."""
        ...


class Lexical:
    """Cosine of word counts after case folding: a stand-in that knows no meaning."""

    name = "lexical"

    def __call__(self, answer: str, expected: str) -> float:
        """Give 1 for the same words, 0 for none in common or none at all."""
        mine, theirs = _count_words(answer), _count_words(expected)
        dot = sum(count * theirs[word] for word, count in mine.items())
        norms = sum(n * n for n in mine.values()) * sum(n * n for n in theirs.values())
        return dot / math.sqrt(norms) if norms else 0


class Embedded:
    """Cosine of the vectors that a function gives for texts; negative ones count as 0."""

    def __init__(self, name: str, embed: Callable[[list[str]], Sequence[Sequence[float]]]) -> None:
        self.name = name
        self._embed = embed
        self._vector = lru_cache(maxsize=4096)(self._embed_one)

    def __call__(self, answer: str, expected: str) -> float:
        """Give the cosine; 0 where a text is blank or its vector is zero."""
        if not answer.strip() or not expected.strip():
            return 0
        mine, theirs = self._vector(answer), self._vector(expected)
        norms = math.hypot(*mine) * math.hypot(*theirs)
        dot = sum(x * y for x, y in zip(mine, theirs, strict=False))
        return max(0, dot / norms) if norms else 0

    def _embed_one(self, text: str) -> list[float]:
        try:
            return [float(x) for x in self._embed([text])[0]]
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
            raise MemorySystemError(f"it raised {raised}", where=f"embedder {self.name}") from error


def load_similarity(spec: str | None, folder: Path | None = None) -> Similarity:
    """Find a measure: none for the lexical one, or ``module:function`` for an embedder.

    Args:
        spec: A function that takes a list of texts and gives a list of vectors.
        folder: Folder that is searched for the module before all others.

    Raises:
        UsageError: The function can't be found.
    """
    if spec is None or spec == Lexical.name:
        return Lexical()
    module, _, attribute = spec.partition(":")
    if folder is not None and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return Embedded(spec, getattr(import_module(module), attribute))
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"the embedder {spec!r} can't be loaded: {error}",
            advice="give module:function; it takes a list of texts and gives a list of vectors",
        ) from None


@lru_cache(maxsize=4096)
def _count_words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))
