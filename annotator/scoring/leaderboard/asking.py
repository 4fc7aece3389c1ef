"""What the screens of the leaderboard ask for: filters that the corpus has, and analyses by a worker."""

from collections.abc import Mapping

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotator import pipeline
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.actions import known_filters
from annotator.scoring.leaderboard.analyses import is_small, request_analysis
from annotator.scoring.leaderboard.filters import LeaderboardFilters, filters_from
from annotator.scoring.models import Analysis, AnalysisKind


def asked_filters(request: CorpusRequest) -> LeaderboardFilters:
    """The filters of the address, as far as the corpus has what they name."""
    return known_filters(request.access.corpus, filters_from(request.GET))


def extractor_or_404(corpus: Corpus, pk: int) -> Extractor:
    """The extractor, if the corpus runs it or ran it."""
    found = queries.extractor_of_corpus(corpus, pk)
    if found is None:
        raise Http404
    return found


def to_screen(request: CorpusRequest, name: str, *args: object) -> HttpResponse:
    """The way to a screen with the filters of the address, where a file has no figures yet."""
    return redirect(f"{reverse(name, args=args)}?{request.GET.urlencode()}")


def ask_for(
    corpus: Corpus, name: AnalysisKind, filters: Mapping[str, str], state: str | None = None
) -> Analysis:
    """Return the last analysis, and have a worker compute a newer one where scores have changed.

    `state` is that of the scores, where it is known.
    """
    analysis, is_asked = request_analysis(corpus=corpus, name=name, filters=filters, state=state)
    if is_asked:
        pipeline.analysis_requested(analysis, is_small=is_small(analysis))
    return analysis
