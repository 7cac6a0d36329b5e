"""Why a page came at a turn on a harness, or did not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brainbench_replay.explain.causes import Cause, Diagnosis, code, list_codes, quote
from brainbench_replay.explain.mentions import Hearing, Names, explain_unheard, name_page
from brainbench_replay.seams import Standing, how_known
from brainbench_replay.systems.reflex.candidates import Sifted
from brainbench_replay.systems.reflex.resolution import Counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brainbench_replay.explain.stages import Moment, Stage
    from brainbench_replay.systems.protocol import BrainSeed
    from brainbench_schema.fixture import Fixture
    from brainbench_schema.gold import GoldTurn

SILENT = Diagnosis(cause=Cause.SILENT, sentence="nothing came, as it should be")
ARMS = {"alias": "an alias", "title": "the title", "slug-suffix": "the last part of the slug"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A fixture's replayed turns, over the brain they were replayed on.

    Attributes:
        written: Pages that a conversation left there: slug, title and source.
    """

    fixture: Fixture
    seed: BrainSeed
    moments: Mapping[int, Moment]
    written: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def homes(self, slug: str) -> list[str]:
        """List the sources that hold a page."""
        seeded = {page.source_id for page in self.seed.pages if page.slug == slug}
        return sorted(seeded | ({self.written[slug][1]} if slug in self.written else set()))

    def names(self) -> list[Names]:
        """Give the pages of the active source by what they answer to."""
        active = self.fixture.active_source
        seeded = [name_page(page) for page in self.seed.pages if page.source_id == active]
        written = [
            Names(slug=slug, title=title, aliases=())
            for slug, (title, source) in self.written.items()
            if source == active
        ]
        return seeded + written


def explain_turn(scene: Scene, moment: Moment, gold: GoldTurn, harness: str) -> Diagnosis:
    """Say why a turn got what it needed, kept still, or did neither."""
    came = moment.stages[harness].injected
    if not gold.should_retrieve:
        if not came:
            return SILENT
        return _join([(slug, explain_stray(scene, moment, slug, harness)) for slug in came])
    useful = [slug for slug in came if slug in (*gold.gold_slugs, *gold.acceptable_slugs)]
    if useful:
        return explain_page(scene, moment, useful[0], harness)
    return _join([(slug, explain_page(scene, moment, slug, harness)) for slug in gold.gold_slugs])


def explain_push(scene: Scene, moment: Moment, gold: GoldTurn, harness: str) -> Diagnosis:
    """Say why all pages of a turn came and no others, or what was missing and what was wrong."""
    came = moment.stages[harness].injected
    wanted = gold.gold_slugs if gold.should_retrieve else ()
    missing = [slug for slug in wanted if slug not in came]
    strays = [slug for slug in came if slug not in (*gold.gold_slugs, *gold.acceptable_slugs)]
    told = [(slug, explain_page(scene, moment, slug, harness)) for slug in missing]
    told += [(slug, explain_stray(scene, moment, slug, harness)) for slug in strays]
    told = told or [(slug, explain_page(scene, moment, slug, harness)) for slug in came]
    return _join(told) if told else SILENT


def explain_page(scene: Scene, moment: Moment, slug: str, harness: str) -> Diagnosis:
    """Say why a page that should come did or did not."""
    stage = moment.stages[harness]
    active = scene.fixture.active_source
    homes = scene.homes(slug)
    if slug in stage.injected:
        return _came(moment, slug, stage)
    if not homes:
        sentence = f"no page {code(slug)} was given to memory: gold or seeds are wrong"
        return Diagnosis(cause=Cause.UNSEEDED, sentence=sentence)
    if active not in homes:
        sentence = (
            f"the page is only in the source {_sources(homes)}, and {quote(active)} is active"
        )
        return Diagnosis(cause=Cause.OTHER_SOURCE, sentence=sentence)
    if slug in stage.standings:
        return _held(scene, moment, slug, stage)
    return _unreturned(scene, moment, slug, stage)


def explain_stray(scene: Scene, moment: Moment, slug: str, harness: str) -> Diagnosis:
    """Say why a page that should not come did."""
    stage = moment.stages[harness]
    homes = scene.homes(slug)
    if scene.fixture.active_source not in homes and homes:
        sentence = f"the page belongs to the source {_sources(homes)}, which is not active: a leak"
        return Diagnosis(cause=Cause.LEAK, sentence=sentence)
    called = _called_by(moment, slug)
    if stage.known.get(slug, Standing.NEW) is not Standing.NEW and not stage.seam.remembers:
        sentence = (
            f"{_where_known(scene, moment, slug)}, and {harness}, which sees only the prompt, "
            f"can't hold it back: {called}"
        )
        return Diagnosis(cause=Cause.REPEATED, sentence=sentence)
    cause = Cause.CALLED_UP if moment.recall.trace else Cause.GIVEN
    return Diagnosis(cause=cause, sentence=called)


def _came(moment: Moment, slug: str, stage: Stage) -> Diagnosis:
    place = stage.injected.index(slug) + 1
    sentence = f"it came in place {place}: {_called_by(moment, slug)}"
    return Diagnosis(cause=Cause.CAME, sentence=sentence)


def _called_by(moment: Moment, slug: str) -> str:
    trace = moment.recall.trace
    if trace is None:
        return f"memory gave {code(slug)} for the turn"
    kept = [seen.candidate for seen in trace.sightings if seen.sifted is Sifted.KEPT]
    for traced in trace.matches:
        if traced.match.slug == slug and traced.counted is Counted.POINTER:
            said = quote(kept[traced.match.candidate].display)
            return f"{said} in the turn is {ARMS[traced.match.arm]} of {code(slug)}"
    return f"{code(slug)} was injected"


def _held(scene: Scene, moment: Moment, slug: str, stage: Stage) -> Diagnosis:
    harness, standing = stage.seam.harness, stage.standings[slug]
    if standing is Standing.OVER_BUDGET:
        pages = "1 page" if stage.seam.budget == 1 else f"{stage.seam.budget} pages"
        sentence = (
            f"memory brought the page up, but {harness} takes {pages} a turn, and "
            f"{list_codes(stage.injected)} came first"
        )
        return Diagnosis(cause=Cause.OVER_BUDGET, sentence=sentence)
    cause = Cause.SLUG_KNOWN if standing is Standing.SLUG_KNOWN else Cause.TITLE_KNOWN
    sentence = (
        "memory brought the page up, and the seam held it back as known: "
        f"{_where_known(scene, moment, slug)}"
    )
    return Diagnosis(cause=cause, sentence=sentence)


def _where_known(scene: Scene, moment: Moment, slug: str) -> str:
    pointer = next(pointer for pointer in moment.recall.pointers if pointer.slug == slug)
    for turn in scene.fixture.turns:
        if turn.turn_id == moment.turn.turn_id:
            break
        how = how_known(pointer, turn.text.lower())
        if how is not Standing.NEW:
            what = "slug" if how is Standing.SLUG_KNOWN else f"title {quote(pointer.title)}"
            return f"turn {turn.turn_id} has its {what}"
    return "an earlier injection showed it"


def _unreturned(scene: Scene, moment: Moment, slug: str, stage: Stage) -> Diagnosis:
    recall = moment.recall
    returned = [pointer.slug for pointer in recall.pointers]
    if slug in returned:
        sentence = "memory returned the page, and the harness's own integration left it out"
        return Diagnosis(cause=Cause.OUT_OF_SIGHT, sentence=sentence)
    if recall.trace is None:
        got = returned or stage.injected
        sentence = f"memory gave {list_codes(got)} for the turn, and not {code(slug)}"
        return Diagnosis(cause=Cause.NOT_RETURNED, sentence=sentence)
    names = scene.names()
    page = next(name for name in names if name.slug == slug)
    others = [name for name in names if name.slug != slug]
    return explain_unheard(Hearing(text=recall.text, trace=recall.trace, page=page, others=others))


def _join(found: Sequence[tuple[str, Diagnosis]]) -> Diagnosis:
    """Make one of several; the first cause counts, every sentence is kept once."""
    if len(found) == 1:
        return found[0][1]
    sentences = [f"{code(slug)}: {diagnosis.sentence}" for slug, diagnosis in found]
    return Diagnosis(cause=found[0][1].cause, sentence="; ".join(sentences))


def _sources(homes: Sequence[str]) -> str:
    return " and ".join(quote(home) for home in homes)
