"""Feeds on the import screen: follow one, check it now, pause it, remove it."""

from collections.abc import Callable
from functools import wraps

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

Act = Callable[[CorpusRequest, FollowedFeed], None]


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


def _asks(act: Act) -> Callable[..., HttpResponse]:
    """A view that does something to a feed and shows the feeds again, with the reason if that was refused."""

    @require_POST
    @shows_errors("imports")
    @wraps(act)
    def view(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
        feed = get_object_or_404(FollowedFeed, pk=pk, corpus=request.access.corpus)
        act(request, feed)
        return redirect("imports", slug)

    return view


@_asks
def check(request: CorpusRequest, feed: FollowedFeed) -> None:
    actions.check_now(feed=feed)
    pipeline.enqueue(feed)


@_asks
def pause(request: CorpusRequest, feed: FollowedFeed) -> None:
    actions.pause_feed(feed=feed, user=request.user)


@_asks
def resume(request: CorpusRequest, feed: FollowedFeed) -> None:
    actions.resume_feed(feed=feed, user=request.user)


@_asks
def remove(request: CorpusRequest, feed: FollowedFeed) -> None:
    actions.remove_feed(feed=feed, user=request.user)
