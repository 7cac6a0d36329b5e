"""One session while it is written: notes on a clock, then queries about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dice import Dice

START = datetime(2031, 1, 6, 8, 0, tzinfo=UTC)


class Notebook:
    """Notes get ids and times in the order in which they are written."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._clock = START + timedelta(days=dice.between(0, 300))
        self.memories: list[dict[str, Any]] = []
        self.queries: list[dict[str, Any]] = []

    def write(self, text: str, *, supersedes: str | None = None, same_day: bool = False) -> str:
        """Write a note some days later, or an hour or two later, and give its id."""
        if same_day:
            self._clock += timedelta(minutes=self._dice.between(50, 110))
        else:
            # Whole days to the next morning, so that notes of one day never run into the next.
            day = self._clock.replace(hour=8, minute=0) + timedelta(days=self._dice.between(4, 9))
            self._clock = day + timedelta(minutes=self._dice.between(0, 120))
        memory_id = f"m{len(self.memories) + 1:02}"
        memory = {
            "memory_id": memory_id,
            "timestamp": self._clock.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "text": text,
        }
        if supersedes is not None:
            memory["supersedes"] = supersedes
        self.memories.append(memory)
        return memory_id

    def text_of(self, memory_id: str) -> str:
        """Give the text of a note."""
        return next(str(one["text"]) for one in self.memories if one["memory_id"] == memory_id)

    def ask(
        self, text: str, query_type: str, required: list[str], *, answer: str, category: str
    ) -> None:
        """Add a query whose answer is the text of a note.

        Args:
            required: Ids of the notes that hold the evidence.
            answer: Id of the note that is the answer.
            category: What makes the query hard.
        """
        top_k = {"top_k": 3} if query_type == "retrieval" else {}
        self.queries.append(
            {
                "query_id": f"q{len(self.queries) + 1}",
                "query_text": text,
                "expected_answer": self.text_of(answer),
                "query_type": query_type,
                "required_memory_ids": required,
                **top_k,
                "source_category": category,
                "answer_kind": "span",
            }
        )
