"""Explanations for a reader: the cause first, then all that led to it. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from brainbench_gate.scoreboard import render_table
from brainbench_replay.explain.causes import clean, code, list_codes, quote
from brainbench_replay.explain.retrieval import ARMS
from brainbench_replay.systems.reflex.candidates import Sifted
from brainbench_replay.systems.reflex.resolution import Counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_replay.explain.document import Explanation, Heard, Held, Said
    from brainbench_replay.explain.investigation import Failure

SHOWN_PAGES = 20
SHOWN_CHARS = 300
MARKED_CHARS = 1_500


def render_explanation(told: Explanation) -> str:
    """Write an explanation as Markdown; its first line says the cause."""
    blocks = [
        f"# {clean(told.headline)}",
        _section("What should happen", "\n".join(f"- {line}" for line in told.expected)),
        _section(f"What came ({told.system}, {told.suite})", _outcomes(told)),
        *(_section(title, _conversation(said)) for title, said in told.conversations),
        _section("How memory read the turn", _heard(told)),
        _section("What each seam did with the pages that memory brought up", _standings(told)),
        _section("What the conversation left in storage", _stored(told)),
        _section(
            f"What memory held before (the active source is {code(told.active_source)})",
            _held(told),
        ),
    ]
    return "\n\n".join(block for block in blocks if block)


def render_failures(failures: Sequence[Failure], *, title: str) -> str:
    """Write a list of failures as Markdown: how many there are of each cause, then each."""
    if not failures:
        return f"# {title}: none"
    counts = Counter(failure.diagnosis.cause for failure in failures)
    items = {(failure.suite, failure.item) for failure in failures}
    blocks = [f"# {title}: {len(items)}"]
    for cause in sorted(counts, key=lambda cause: (-counts[cause], cause.value)):
        rows = [_failure(one) for one in failures if one.diagnosis.cause is cause]
        table = render_table(["item", "suite", "fails on", "why"], rows)
        blocks += [f"## {cause.value[0].upper()}{cause.value[1:]}: {counts[cause]}", table]
    return "\n\n".join([*blocks, "One of them in full: `brainbench explain ITEM`"])


def _failure(one: Failure) -> list[str]:
    harnesses = ", ".join(one.harnesses)
    return [code(one.item), one.suite, harnesses, clean(one.diagnosis.sentence)]


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def _outcomes(told: Explanation) -> str:
    rows = [
        [
            outcome.harness,
            "passes" if outcome.passed else "**fails**",
            list_codes(outcome.injected),
            clean(outcome.diagnosis.sentence),
        ]
        for outcome in told.outcomes
    ]
    if told.suite == "write-back":
        return render_table(["harness", "", "why"], ([one[0], one[1], one[3]] for one in rows))
    return render_table(["harness", "", "injected", "why"], rows)


def _conversation(said: Sequence[Said]) -> str:
    return "\n".join(_line(one) for one in said)


def _line(one: Said) -> str:
    limit = MARKED_CHARS if one.marked else SHOWN_CHARS
    when = f" at {one.ts}" if one.ts and one.remark else ""
    line = f"{one.turn_id} {one.role}{when}: {quote(one.text, limit)}"
    if one.marked:
        line = f"**{line}** ← this turn"
    return f"- {line} ({one.remark})" if one.remark else f"- {line}"


def _heard(told: Explanation) -> str:
    if told.heard is None:
        return ""
    if not told.heard:
        return "No word of the turn was taken for a name: nothing was looked up."
    rows = [
        [
            quote(one.said),
            quote(one.looked_up),
            one.sifted,
            _found(one),
        ]
        for one in told.heard
    ]
    return render_table(["in the turn", "looked up as", "filter", "found"], rows)


def _found(one: Heard) -> str:
    if one.sifted != Sifted.KEPT.value:
        return "not looked up"
    pointer = Counted.POINTER.value
    counting = {slug for slug, _, counted in one.found if counted == pointer}
    found = [
        f"{code(slug)} by {ARMS[arm]}{'' if counted == pointer else f': {counted}'}"
        for slug, arm, counted in one.found
        if counted != Counted.REPEATED.value or slug not in counting
    ]
    return "; ".join(found) or "nothing"


def _standings(told: Explanation) -> str:
    seen = {outcome.harness: dict(outcome.standings) for outcome in told.outcomes}
    slugs = dict.fromkeys(slug for standings in seen.values() for slug in standings)
    rows = [
        [code(slug), *(standings.get(slug, "–") for standings in seen.values())] for slug in slugs
    ]
    return render_table(["page", *seen], rows) if rows else ""


def _stored(told: Explanation) -> str:
    if told.stored is None:
        return ""
    if not told.stored:
        return "No fact."
    rows = [
        [quote(fact.fact, 120), fact.entity_slug or "–", fact.source or "–", fact.source_id]
        for fact in told.stored
    ]
    return render_table(["fact", "entity", "written as", "source"], rows)


def _held(told: Explanation) -> str:
    if not told.pages and not told.facts:
        return "Nothing."
    return "\n\n".join(block for block in (_pages(told), _facts(told)) if block)


def _pages(told: Explanation) -> str:
    named = [page for page in told.pages if _is_told_of(page, told)]
    shown = [*named, *(page for page in told.pages if page not in named)][:SHOWN_PAGES]
    rows = [
        [code(page.slug), clean(page.title), clean(", ".join(page.aliases)), page.source_id]
        for page in shown
    ]
    more = len(told.pages) - len(shown)
    table = render_table(["page", "title", "aliases", "source"], rows) if rows else ""
    return f"{table}\n\n… and {more} more pages" if more else table


def _is_told_of(page: Held, told: Explanation) -> bool:
    return code(page.slug) in " ".join(_mentions(told))


def _mentions(told: Explanation) -> Iterator[str]:
    yield from told.expected
    for outcome in told.outcomes:
        yield outcome.diagnosis.sentence
        yield list_codes(outcome.injected)


def _facts(told: Explanation) -> str:
    rows = [
        [quote(fact.fact, 120), fact.entity_slug or "–", fact.source or "–", fact.source_id]
        for fact in told.facts
    ]
    return render_table(["fact", "entity", "written as", "source"], rows) if rows else ""
