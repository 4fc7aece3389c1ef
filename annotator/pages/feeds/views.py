"""Feeds on the import screen: follow one, check it now, pause it, remove it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotator import pipeline
from annotator.common.http import shows_errors
from annotator.corpora.access import CorpusRequest
from annotator.pages.feeds import actions
from annotator.pages.feeds.forms import FeedForm
from annotator.pages.feeds.models import FollowedFeed


@require_POST
@shows_errors("imports")
def follow(request: CorpusRequest, slug: str) -> HttpResponse:
    """Follow a feed, and check it at once."""
    form = FeedForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("A feed needs an address, a time and a daily limit from 1 to 100."))
        return redirect("imports", slug)
    feed = actions.follow_feed(corpus=request.access.corpus, user=request.user, **form.cleaned_data)
    pipeline.enqueue(feed)
    return redirect("imports", slug)


@require_POST
@shows_errors("imports")
def check(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    feed = _feed_or_404(request, pk)
    actions.check_now(feed=feed)
    pipeline.enqueue(feed)
    return redirect("imports", slug)


@require_POST
@shows_errors("imports")
def pause(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.pause_feed(feed=_feed_or_404(request, pk), user=request.user)
    return redirect("imports", slug)


@require_POST
@shows_errors("imports")
def resume(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.resume_feed(feed=_feed_or_404(request, pk), user=request.user)
    return redirect("imports", slug)


@require_POST
@shows_errors("imports")
def remove(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.remove_feed(feed=_feed_or_404(request, pk), user=request.user)
    return redirect("imports", slug)


def _feed_or_404(request: CorpusRequest, pk: int) -> FollowedFeed:
    return get_object_or_404(FollowedFeed, pk=pk, corpus=request.access.corpus)
