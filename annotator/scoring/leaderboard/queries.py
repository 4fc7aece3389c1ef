"""What a corpus has for a leaderboard: gold, scores, extractors, label sets."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.annotations.study import weights as study
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of
from annotator.gold.models import Gold
from annotator.releases.models import Release
from annotator.releases.queries import finished as finished_releases
from annotator.runs.models import CorpusExtractor, Extraction, Extractor
from annotator.scoring.measuring import STORED
from annotator.scoring.models import CountedPage, Score, ScoreTotal
from annotator.scoring.queries import leaderboard_version
from annotator.scoring.totals import queries as totals
from extraction.spans import LABEL_SETS, together


def state_of(corpus: Corpus) -> str:
    """Return a value that changes whenever a figure of the leaderboard may have changed."""
    return f"{leaderboard_version(corpus)}:{study.state(corpus)}"


def scored_gold(corpus: Corpus, labels: str | None = None) -> QuerySet[Gold]:
    """Return current gold of pages with an article; with `labels`, only what distinguishes that label set."""
    gold = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=WITH_SPANS)
    return gold.filter(distinguishes(label_set_of(corpus, labels))) if labels else gold


def distinguishes(labels: frozenset[str]) -> Q:
    """Return `spans.can_tell` as a database condition."""
    return Q(distinguishable_labels__contains=sorted(labels)) | Q(
        distinguishable_labels__contains=[together(labels)]
    )


def finished_scores(corpus: Corpus, labels: str) -> QuerySet[Score]:
    """Return the scores against gold that distinguishes the label set."""
    return Score.objects.done().filter(gold__in=scored_gold(corpus, labels)).order_by("gold__page")


def chosen_labels(corpus: Corpus, wanted: str | None = None) -> str:
    """Return the label set that was asked for, or that most of the gold distinguishes; `main` in a tie."""
    if wanted:
        return wanted
    golds = totals.gold_by_labels(corpus)
    return max(LABEL_SETS, key=lambda name: (golds.get(name, 0), name == "main"))


def label_choices(corpus: Corpus) -> list[str]:
    """The label sets, and the single labels that some gold distinguishes."""
    return [*LABEL_SETS, *sorted(set(totals.gold_by_labels(corpus)) - set(LABEL_SETS))]


def scored_extractors(corpus: Corpus) -> list[Extractor]:
    """Return the extractors that were scored in the corpus, the enabled ones first."""
    scored = ScoreTotal.objects.filter(
        corpus=corpus, metric=STORED, dimension="", value="", pages__gt=0, extractor=OuterRef("pk")
    )
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=OuterRef("pk"), ended_at=None)
    extractors = Extractor.objects.filter(Exists(scored))
    return list(extractors.annotate(is_enabled=Exists(enabled)).order_by("-is_enabled", "name", "pk"))


def extractor_of_corpus(corpus: Corpus, pk: int) -> Extractor | None:
    """Return the extractor if the corpus runs it or ran it."""
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=OuterRef("pk"))
    found = Extractor.objects.filter(Exists(enabled), pk=pk).first()
    # Seldom asked, as it may look through all extractions: a run that is not on the leaderboard yet.
    made = Extraction.objects.filter(extractor=OuterRef("pk"), document__page__corpus=corpus)
    return found or Extractor.objects.filter(Exists(made), pk=pk).first()


def releases(corpus: Corpus) -> list[Release]:
    """Return the finished releases, oldest first."""
    return list(finished_releases(corpus).defer("datasheets", "manifest").order_by("number"))


def versions(corpus: Corpus) -> list[tuple[Extractor, datetime]]:
    """Return the extractors that the corpus runs or ran, and since when."""
    enabled = CorpusExtractor.objects.filter(corpus=corpus).select_related("extractor").order_by("since")
    return [(each.extractor, each.since) for each in enabled]


def progress(corpus: Corpus) -> tuple[int, int]:
    """Return how many scores are computed, and how many there are in all."""
    done = totals.gold_total(corpus).scores
    scores = Score.objects.filter(gold__page__corpus=corpus, gold__current=True)
    return done, done + scores.open().count()


def latest_gold(corpus: Corpus, limit: int = 6) -> list[Gold]:
    """Return the most recent gold."""
    newest = CountedPage.objects.filter(corpus=corpus.pk).order_by("-finalised_at", "-gold")
    golds = Gold.objects.filter(pk__in=list(newest.values_list("gold", flat=True)[:limit]), current=True)
    return list(golds.select_related("page").defer("spans").order_by("-finalised_at", "-pk"))
