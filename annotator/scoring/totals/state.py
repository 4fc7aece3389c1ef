"""What pages count with now, read from gold, scores and comparisons; and what they counted with before."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Max, Min

from annotator.agreement.queries import compared_rounds
from annotator.annotations.models import TO_GOLD, Annotation
from annotator.common.dates import utc_day
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.releases.models import ReleasePage
from annotator.runs.tuned_on import tuned_on
from annotator.scoring.measuring import told_sets
from annotator.scoring.models import CountedPage, CountedScore, Score
from annotator.scoring.totals import slices
from annotator.scoring.totals.figures import Kind, amounts_of, single
from annotator.scoring.totals.slices import EVERYTHING, Slice

LabelSets = Mapping[str, frozenset[str]]


class ScoreRow(NamedTuple):
    """What a score counts with, as it is read."""

    extractor: int
    tuned_on: bool
    score: int
    blind: bool
    error: str
    seconds: float | None
    matrix: dict[str, Any]
    figures: dict[str, Any] | None


class Facts(NamedTuple):
    """What a page has in common with others of its slices, and its place in a sample; see `CountedPage`."""

    gold: int
    finalised_at: datetime
    since: datetime
    draw: int
    language: str
    site: str
    month: str
    capture: str
    verdict: str
    guideline: int | None
    releases: tuple[int, ...]
    labels: tuple[str, ...]
    characters: int
    placed: int

    @property
    def slices(self) -> list[Slice]:
        """The slices that the page counts in; none if it is no article."""
        if self.verdict not in WITH_SPANS:
            return []
        return [
            EVERYTHING,
            Slice(slices.LANGUAGE, self.language),
            Slice(slices.SITE, self.site),
            Slice(slices.MONTH, self.month),
            Slice(slices.CAPTURE, self.capture),
            Slice(slices.VERDICT, self.verdict),
            Slice(slices.GUIDELINE, str(self.guideline or "")),
            Slice(slices.DAY, utc_day(self.since).isoformat()),
            *(Slice(slices.RELEASE, str(number)) for number in self.releases),
        ]


class Counted(NamedTuple):
    """A score as it counts; see `CountedScore`."""

    score: int | None
    kind: int
    failed: bool
    microseconds: int | None
    amounts: tuple[int | None, ...]


class PageState(NamedTuple):
    """A page with its scores by extractor; None stands for its annotators."""

    facts: Facts
    scores: dict[int | None, Counted]


# ---- as counted before ----


def counted_before(pages: Collection[int]) -> dict[int, PageState]:
    """What was added to the totals for these pages."""
    scores: dict[int, dict[int | None, Counted]] = defaultdict(dict)
    for row in CountedScore.objects.filter(page__in=pages).values_list(
        "page", "extractor", "score", "kind", "failed", "microseconds", "amounts"
    ):
        page, extractor, score, kind, failed, microseconds, amounts = row
        scores[page][extractor] = Counted(score, kind, failed, microseconds, tuple(amounts))
    return {
        each.page: PageState(_facts_of_row(each), scores[each.page])
        for each in CountedPage.objects.filter(pk__in=pages)
    }


def _facts_of_row(row: CountedPage) -> Facts:
    values = {name: getattr(row, name) for name in Facts._fields}
    return Facts(**{**values, "releases": tuple(row.releases), "labels": tuple(row.labels)})


# ---- as it is now ----


def counts_now(corpus: Corpus, pages: Collection[int]) -> dict[int, PageState]:
    """What is to be in the totals for these pages; pages without current gold are left out."""
    sets = sets_of(corpus)
    golds = list(
        Gold.objects.filter(page__in=pages, page__corpus=corpus, current=True)
        .select_related("page")
        .defer("spans", "exposed_families")
    )
    facts = _facts(golds, sets)
    scored = [gold for gold in golds if gold.verdict in WITH_SPANS]
    scores = _scores(corpus, scored, facts, sets)
    for page, counted in _people(corpus, [gold.page_id for gold in scored], facts, sets):
        scores[page][None] = counted
    return {page: PageState(of_page, scores.get(page, {})) for page, of_page in facts.items()}


def sets_of(corpus: Corpus) -> LabelSets:
    """The label sets of the corpus by name, with one for each single label."""
    names = corpus.labels.order_by("pk").values_list("name", flat=True)
    singles = {single(name): frozenset({name}) for name in names}
    return {**singles, **label_sets_of(corpus)}


def _facts(golds: Sequence[Gold], sets: LabelSets) -> dict[int, Facts]:
    pages = [gold.page_id for gold in golds]
    since = dict(Gold.objects.filter(page__in=pages).values_list("page").annotate(Min("finalised_at")))
    releases = _releases([gold.pk for gold in golds])
    guidelines = _guidelines(golds)
    return {
        gold.page_id: Facts(
            gold=gold.pk,
            finalised_at=gold.finalised_at,
            since=since[gold.page_id],
            draw=int(gold.page.sha256[:10], 16),
            language=gold.page.language,
            site=gold.page.site,
            month=(gold.page.captured_at or gold.page.added_at).astimezone(UTC).strftime("%Y-%m"),
            capture=gold.page.capture,
            verdict=gold.verdict,
            guideline=guidelines.get(gold.page_id),
            releases=tuple(releases[gold.pk]),
            labels=tuple(told_sets(gold.distinguishable_labels, sets)),
            characters=gold.characters or 0,
            placed=(gold.placed or 0) if gold.characters else 0,
        )
        for gold in golds
    }


def _releases(golds: Collection[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    rows = ReleasePage.objects.filter(gold__in=golds).exclude(release__sha256="").order_by("release__number")
    for gold, number in rows.values_list("gold", "release__number"):
        found[gold].append(number)
    return found


def _guidelines(golds: Iterable[Gold]) -> dict[int, int]:
    """The newest guideline version under which each page was annotated before its gold."""
    until = {gold.page_id: gold.finalised_at for gold in golds}
    rows = Annotation.objects.filter(
        slot__round__page__in=until, slot__round__purpose__in=TO_GOLD, submitted_at__isnull=False
    ).exclude(slot__round__finalised_at=None)
    found: dict[int, int] = {}
    for page, finalised_at, version in (
        rows.order_by()
        .values_list("slot__round__page", "slot__round__finalised_at")
        .annotate(Max("guideline_version"))
    ):
        if finalised_at and finalised_at <= until[page]:
            found[page] = max(version, found.get(page, 0))
    return found


def _scores(
    corpus: Corpus, golds: Iterable[Gold], facts: Mapping[int, Facts], sets: LabelSets
) -> dict[int, dict[int | None, Counted]]:
    pages = {gold.pk: gold.page for gold in golds}
    done = Score.objects.done().filter(gold__in=pages)
    rows = done.values_list(
        "gold",
        "extraction__extractor",
        "pk",
        "blind",
        "extraction__error",
        "extraction__seconds",
        "matrix",
        "measurement__figures",
    )
    scored = list(rows)
    seen = tuned_on(corpus.pk, {extractor for _gold, extractor, *_columns in scored})
    by_page: dict[int, list[ScoreRow]] = defaultdict(list)
    for gold, extractor, *columns in scored:
        page = pages[gold]
        by_page[page.pk].append(ScoreRow(extractor, page in seen[extractor], *columns))
    found: dict[int, dict[int | None, Counted]] = {page.pk: {} for page in pages.values()}
    for key, of_page in by_page.items():
        common = _common(of_page)
        for row in of_page:
            found[key][row.extractor] = _counted(row, common, facts[key].labels, sets)
    return found


def _common(rows: Sequence[ScoreRow]) -> Kind:
    """Whether the page counts for all extractors that were scored on it."""
    if any(row.tuned_on for row in rows):
        return Kind(0)
    return Kind.COMMON | Kind.COMMON_BLIND if all(row.blind for row in rows) else Kind.COMMON


def _counted(row: ScoreRow, common: Kind, labels: Collection[str], sets: LabelSets) -> Counted:
    failed = bool(row.error)
    amounts = amounts_of(row.matrix, row.figures or {}, labels, sets, failed=failed)
    kind = (Kind.TUNED if row.tuned_on else common) | (Kind.BLIND if row.blind else Kind(0))
    microseconds = None if row.seconds is None else round(row.seconds * 1_000_000)
    return Counted(row.score, int(kind), failed, microseconds, tuple(amounts))


def _people(
    corpus: Corpus, pages: Collection[int], facts: Mapping[int, Facts], sets: LabelSets
) -> Iterable[tuple[int, Counted]]:
    """The annotators of a page against each other, before adjudication: by characters only."""
    kind = int(Kind.BLIND | Kind.COMMON | Kind.COMMON_BLIND)
    compared = compared_rounds(corpus).filter(round__page__in=pages).exclude(f1=None)
    for page, confusion in compared.values_list("round__page", "confusion"):
        amounts = amounts_of(confusion, {}, facts[page].labels, sets, failed=False)
        yield page, Counted(None, kind, False, None, tuple(amounts))
