"""Followed feeds: checked at their times, new entries imported up to a daily cap, conditional requests."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from annotator.administration.danger.actions import archive, delete, restore
from annotator.common.errors import Conflict
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.pages import tasks
from annotator.pages.feeds import actions
from annotator.pages.feeds.models import FeedEntry, FollowedFeed
from annotator.pages.imports.models import Import, Stage
from annotator.pages.models import Page
from tests.annotator.fetching.sites import Site, response
from tests.annotator.pages.imports.made import work_on
from tests.annotator.pages.imports.test_addresses import article

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def rss(site: Site, *numbers: int, **headers: Any) -> bytes:
    items = "".join(
        f"<item><link>{site.url(f'/{n}')}</link><pubDate>Mon, 02 Nov 2026 08:{n:02}:00 GMT</pubDate></item>"
        for n in numbers
    )
    body = f'<rss version="2.0"><channel><title>Gazette</title>{items}</channel></rss>'
    return response(body.encode(), content_type="application/rss+xml", **headers)


def follow(corpus: Corpus, site: Site, *, daily_cap: int = 2, path: str = "/feed") -> FollowedFeed:
    return actions.follow_feed(corpus=corpus, url=site.url(path), every_hours=24, daily_cap=daily_cap)


def check(feed: FollowedFeed) -> FollowedFeed:
    """Check the feed as a worker would, and import what it brings."""
    before = set(Import.objects.values_list("pk", flat=True))
    tasks.check_feed(feed.pk)
    for run in Import.objects.exclude(pk__in=before):
        work_on(run)
        assert run.stage == Stage.COMPLETED
    feed.refresh_from_db()
    return feed


def let_pass(hours: float) -> None:
    """Turn time forward for all feeds."""
    earlier = timedelta(hours=hours)
    FollowedFeed.objects.update(next_check_at=F("next_check_at") - earlier)
    FeedEntry.objects.filter(taken_at__isnull=False).update(taken_at=F("taken_at") - earlier)


@pytest.fixture
def pages(good: Site) -> Site:
    """A site with pages /1 to /9."""
    good.answers |= {f"/{number}": article(number) for number in range(1, 10)}
    return good


def test_new_entries_are_imported_up_to_the_cap_the_newest_first(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = rss(pages, 1, 2, 3, 4, 5)
    feed = check(follow(corpus, pages))
    assert (feed.title, feed.listed, feed.taken, feed.error) == ("Gazette", 5, 2, "")
    assert sorted(Page.objects.values_list("url", flat=True)) == [pages.url("/4"), pages.url("/5")]
    run = feed.imports.get()
    assert (run.name, run.new, run.stage) == ("Gazette", 2, Stage.COMPLETED)
    # The same entries again, on the same day: nothing.
    actions.check_now(feed=feed)
    assert check(feed).imports.count() == 1
    # The next day one more is listed, and comes before those that wait.
    let_pass(25)
    pages.answers["/feed"] = rss(pages, 4, 5, 6)
    actions.check_now(feed=feed)
    check(feed)
    assert Page.objects.filter(url=pages.url("/6")).exists()
    assert Page.objects.count() == 4
    assert pages.paths().count("/4") == 1


def test_the_cap_counts_all_feeds_of_a_corpus_together(corpus: Corpus, pages: Site) -> None:
    pages.answers |= {"/feed": rss(pages, 1, 2, 3), "/other": rss(pages, 3, 4, 5)}
    check(follow(corpus, pages))
    other = check(follow(corpus, pages, path="/other"))
    assert (Page.objects.count(), other.listed, other.taken) == (2, 2, 0)


def test_checks_come_at_their_times_and_not_while_paused(
    corpus: Corpus, pages: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages.answers["/feed"] = rss(pages, 1)
    feed = check(follow(corpus, pages))
    assert timedelta(hours=23) < feed.next_check_at - timezone.now() <= timedelta(hours=24)
    assert actions.reopen_due(timezone.now()) == []
    let_pass(24.1)
    assert actions.reopen_due(timezone.now()) == [feed]
    assert actions.reopen_due(timezone.now()) == []  # asked for already
    with pytest.raises(Conflict):
        actions.check_now(feed=feed)
    check(feed)
    let_pass(24.1)
    actions.pause_feed(feed=feed)
    assert actions.reopen_due(timezone.now()) == []
    actions.resume_feed(feed=feed)
    assert actions.reopen_due(timezone.now()) == [feed]


def test_an_unchanged_feed_is_not_sent_again(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = rss(pages, 1, 2, 3, etag='"a"', last_modified="Mon, 02 Nov 2026 08:00:00 GMT")
    feed = check(follow(corpus, pages))
    assert (feed.etag, feed.last_modified) == ('"a"', "Mon, 02 Nov 2026 08:00:00 GMT")
    pages.answers["/feed"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"
    let_pass(25)
    actions.check_now(feed=feed)
    check(feed)
    asked = [request for request in pages.log if request.path == "/feed"][-1]
    assert asked.headers["if-none-match"] == '"a"'
    assert (Page.objects.count(), feed.etag, feed.error) == (3, '"a"', "")  # what waited is imported now


def test_a_site_that_does_not_answer_is_asked_again_soon(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = response(status="500 Oops")
    feed = check(follow(corpus, pages))
    assert (feed.error, feed.problem, feed.misses) == ("", "the site answered with status 500", 1)
    first = feed.next_check_at - timezone.now()
    actions.check_now(feed=feed)
    later = check(feed).next_check_at - timezone.now()
    assert timedelta(minutes=14) < first < timedelta(minutes=16)
    assert timedelta(minutes=29) < later < timedelta(minutes=31)
    pages.answers["/feed"] = rss(pages, 1)
    actions.check_now(feed=feed)
    assert (check(feed).problem, feed.misses, feed.taken) == ("", 0, 1)


def test_what_is_no_feed_is_a_failure_and_is_looked_at_again(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = article(1)
    feed = check(follow(corpus, pages))
    assert "neither" in feed.error
    assert FollowedFeed.objects.failed().get() == feed
    let_pass(25)
    assert actions.reopen_due(timezone.now()) == [feed]
    pages.answers["/feed"] = rss(pages, 1)
    assert check(feed).error == ""


def test_a_check_that_fails_unforeseen_waits_for_its_next_time(
    corpus: Corpus, pages: Site, settings: Any
) -> None:
    pages.answers["/feed"] = rss(pages, 1)
    feed = check(follow(corpus, pages))
    let_pass(25)
    assert actions.reopen_due(timezone.now()) == [feed]
    settings.PRODUCTION, settings.FETCH_CONTACT = True, ""
    assert "GOLDPAN_CONTACT" in check(feed).error
    assert actions.reopen_due(timezone.now()) == []


def test_an_index_of_sitemaps_leads_to_its_newest_ones(corpus: Corpus, pages: Site) -> None:
    sitemaps = "".join(
        f"<sitemap><loc>{pages.url(f'/s{n}.xml')}</loc><lastmod>2026-11-{n:02}</lastmod></sitemap>"
        for n in range(1, 8)
    )
    pages.answers["/index"] = response(
        f"<sitemapindex>{sitemaps}</sitemapindex>".encode(), content_type="text/xml"
    )
    for n in range(1, 8):
        listed = f"<urlset><url><loc>{pages.url(f'/{n}')}</loc></url></urlset>".encode()
        pages.answers[f"/s{n}.xml"] = response(listed, content_type="application/xml")
    feed = check(follow(corpus, pages, path="/index", daily_cap=9))
    assert (feed.taken, feed.error) == (5, "")
    assert "/s2.xml" not in pages.paths()


def test_a_sitemap_that_cannot_be_read_is_passed_over_where_another_can(corpus: Corpus, pages: Site) -> None:
    sitemaps = "".join(
        f"<sitemap><loc>{pages.url(path)}</loc></sitemap>" for path in ("/gone", "/no", "/map")
    )
    pages.answers["/index"] = response(
        f"<sitemapindex>{sitemaps}</sitemapindex>".encode(), content_type="text/xml"
    )
    pages.answers["/no"] = response(b"<p>No sitemap.", content_type="text/xml")
    listed = f"<urlset><url><loc>{pages.url('/1')}</loc></url></urlset>".encode()
    pages.answers["/map"] = response(listed, content_type="text/xml")
    feed = check(follow(corpus, pages, path="/index"))
    assert (feed.taken, feed.error) == (1, "")
    pages.answers["/map"] = pages.answers["/no"]
    actions.check_now(feed=feed)
    assert "404" in check(feed).error


def test_a_time_that_cannot_be_stored_leaves_a_page_without_a_date(corpus: Corpus, pages: Site) -> None:
    listed = f"<url><loc>{pages.url('/1')}</loc><lastmod>0001-01-01T00:00:00+01:00</lastmod></url>"
    pages.answers["/map"] = response(f"<urlset>{listed}</urlset>".encode(), content_type="text/xml")
    feed = check(follow(corpus, pages, path="/map"))
    assert (feed.taken, feed.error) == (1, "")
    assert feed.entries.get().published_at is None


def test_the_screen_follows_checks_pauses_and_removes(
    cast: SimpleNamespace, corpus: Corpus, hanne: Client, pages: Site
) -> None:
    pages.answers["/feed"] = rss(pages, 1, 2, 3)
    asked = {"url": pages.url("/feed"), "every_hours": 6, "daily_cap": 2}
    hanne.post("/c/dailies/feeds/follow/", asked)
    feed = check(FollowedFeed.objects.get())
    assert (feed.followed_by, feed.every_hours) == (cast.hanne, 6)
    again = hanne.post("/c/dailies/feeds/follow/", asked, follow=True).content.decode()
    assert "followed already" in again
    assert "3 new entries" in " ".join(again.split())
    for wrong in ({"url": "http://127.0.0.1:22/feed"}, {"daily_cap": 0}, {"every_hours": 5}, {"url": ""}):
        hanne.post("/c/dailies/feeds/follow/", {**asked, **wrong})
    assert FollowedFeed.objects.count() == 1
    hanne.post(f"/c/dailies/feeds/{feed.pk}/pause/")
    assert "paused" in hanne.get("/c/dailies/imports/").content.decode()
    hanne.post(f"/c/dailies/feeds/{feed.pk}/resume/")
    hanne.post(f"/c/dailies/feeds/{feed.pk}/check/")
    feed.refresh_from_db()
    assert (feed.paused_at, feed.finished_at) == (None, None)
    hanne.post(f"/c/dailies/feeds/{feed.pk}/remove/")
    assert not FollowedFeed.objects.exists()
    assert Import.objects.get().feed is None
    assert Page.objects.count() == 2
    logged = AuditEvent.objects.filter(action__startswith="feed_").order_by("pk")
    assert [event.action for event in logged] == [
        "feed_followed",
        "feed_changed",
        "feed_changed",
        "feed_removed",
    ]


def test_one_new_entry_is_said_as_one(corpus: Corpus, hanne: Client, pages: Site) -> None:
    pages.answers["/feed"] = rss(pages, 1)
    check(follow(corpus, pages))
    assert "1 new entry, 1 imported" in " ".join(hanne.get("/c/dailies/imports/").content.decode().split())


def test_the_command_line_imports_what_a_feed_lists(
    corpus: Corpus, pages: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    pages.answers["/feed"] = rss(pages, 1, 2, 3)
    call_command("import_pages", "dailies", "feed", pages.url("/feed"))
    assert Page.objects.count() == 3
    said = capsys.readouterr().err
    assert f"Reading {pages.url('/feed')}\nPages that it lists: 3\n" in said


def test_feeds_of_an_archived_corpus_rest(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = rss(pages, 1)
    check(follow(corpus, pages))
    let_pass(25)
    archive(corpus=corpus)
    assert actions.reopen_due(timezone.now()) == []
    restore(corpus=corpus)
    assert len(actions.reopen_due(timezone.now())) == 1


def test_a_check_that_ends_in_an_archived_corpus_takes_no_page(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = rss(pages, 1)
    feed = follow(corpus, pages)
    archive(corpus=corpus)
    assert (check(feed).taken, feed.listed) == (0, 1)
    restore(corpus=corpus)
    let_pass(25)
    assert actions.reopen_due(timezone.now()) == [feed]
    assert check(feed).taken == 1


def test_feeds_of_a_deleted_corpus_rest(corpus: Corpus, pages: Site) -> None:
    pages.answers["/feed"] = response(status="500 Oops")
    check(follow(corpus, pages))
    let_pass(25)
    delete(corpus=corpus)
    assert actions.reopen_due(timezone.now()) == []
