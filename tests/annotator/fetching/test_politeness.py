"""robots.txt and the pace at which a site is asked, as the site's own log has them."""

import threading
import time
from itertools import pairwise
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from annotator.fetching import pace, robots
from annotator.fetching.client import Fetcher
from annotator.fetching.errors import ForbiddenAddress, ForbiddenByRobots, NotAnswered, SiteBusy
from tests.annotator.fetching.conftest import SMALL
from tests.annotator.fetching.sites import Site, redirect, response

KEEP_OUT = (
    b"User-agent: *\nDisallow: /private\nAllow: /private/open\n\nUser-agent: Goldpan\nDisallow: /*.pdf$\n"
)


def text(body: bytes, **headers: Any) -> bytes:
    return response(body, content_type="text/plain", **headers)


def test_what_robots_txt_forbids_is_not_asked(good: Site, quick: Fetcher) -> None:
    good.answers["/robots.txt"] = text(b"User-agent: *\nDisallow: /private\n")
    good.answers["/leads"] = redirect("/private/a")
    for path in ("/private/a", "/leads"):
        with pytest.raises(ForbiddenByRobots):
            quick.fetch(good.url(path))
    assert good.paths() == ["/robots.txt", "/leads"]


def test_robots_txt_is_asked_once_a_day_and_host(good: Site, quick: Fetcher) -> None:
    good.answers["/"] = response()
    for host in ("127.0.0.1", "a.test", "127.0.0.1", "b.a.test", "a.test"):
        quick.fetch(good.url(host=host))
    assert good.paths().count("/robots.txt") == 3


def test_endless_hosts_of_a_site_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "SITE_HOSTS", 3)
    monkeypatch.setattr(robots, "SITE_CHARACTERS", 10)
    robots.keep("https://www.daily.example", "Allow: /")
    hosts = [f"https://h{n}.endless.example" for n in range(5)]

    def kept() -> list[int]:
        return [n for n, host in enumerate(hosts) if robots.kept(host) is not None]

    for host in hosts:
        robots.keep(host, "#")
    assert kept() == [2, 3, 4]
    robots.keep(hosts[0], "#" * 9)
    assert kept() == [0, 4]
    robots.keep(hosts[4], "")
    assert kept() == [0, 4]
    assert robots.kept("https://www.daily.example") == "Allow: /"


@pytest.mark.parametrize("status", ["404 Not Found", "401 Unauthorized", "403 Forbidden", "410 Gone"])
def test_a_site_without_robots_txt_allows_all(status: str, good: Site, quick: Fetcher) -> None:
    good.answers |= {"/robots.txt": response(status=status), "/": response()}
    assert quick.fetch(good.url()).body


def test_a_site_whose_robots_txt_is_not_known_is_left_alone_for_now(good: Site, quick: Fetcher) -> None:
    good.answers |= {"/robots.txt": response(status="503 Later"), "/": response()}
    with pytest.raises(NotAnswered, match=r"robots\.txt"):
        quick.fetch(good.url())
    good.answers["/robots.txt"] = text(b"")
    assert quick.fetch(good.url()).body


def test_robots_txt_cannot_lead_into_a_private_network(good: Site, quick: Fetcher) -> None:
    good.answers |= {"/robots.txt": redirect("http://169.254.169.254/"), "/": response()}
    asking = Fetcher(limits=SMALL)
    with pytest.raises(ForbiddenAddress):
        asking.fetch(good.url())
    assert good.paths() == ["/robots.txt"]


def test_a_large_robots_txt_is_read_as_far_as_the_standard_asks(good: Site) -> None:
    rules = b"User-agent: *\nDisallow: /private\n"
    good.answers |= {"/robots.txt": text(rules + b"#" * 5_000_000), "/private": response()}
    with pytest.raises(ForbiddenByRobots):
        Fetcher(resolve=lambda host, port: ["127.0.0.1"]).fetch(good.url("/private"))


def test_our_own_group_counts_before_that_of_all() -> None:
    rules = robots.parse(KEEP_OUT.decode())
    assert rules.allow("http://a.test/private/a")
    assert not rules.allow("http://a.test/b.pdf")
    other = robots.parse(KEEP_OUT.decode().replace("Goldpan", "Goldfinger"))
    assert not other.allow("http://a.test/private/a")
    assert other.allow("http://a.test/private/open/a")


def test_a_hostile_robots_txt_costs_little() -> None:
    """The parser copies every rule of a group to every program that the group names."""
    programs = "".join(f"User-agent: a{number}\n" for number in range(20_000))
    rules = "".join(f"Allow: /{number}\n" for number in range(15_000))
    wild = "Disallow: /" + "*a" * 1_000 + "b$\n"
    began = time.process_time()
    parsed = robots.parse(programs + "User-agent: *\n" + rules + wild)
    assert parsed.allow("http://a.test/" + "a" * 1_900)
    assert time.process_time() - began < 5


def test_a_site_is_asked_one_request_at_a_time_with_pauses(good: Site, settings: LazySettings) -> None:
    """Two workers, each of which wants three pages of one site."""
    settings.FETCH_PAUSE_SECONDS = 1
    good.answers["/"] = response()
    asking = Fetcher(limits=SMALL, resolve=lambda host, port: ["127.0.0.1"], patience=300)
    threads = [
        threading.Thread(target=lambda: [asking.fetch(good.url(host="a.test")) for _ in range(2)])
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert good.paths().count("/") == 4
    in_order = sorted(good.log, key=lambda request: request.began)
    assert all(after.began - before.ended >= 0.9 for before, after in pairwise(in_order))


def test_sites_do_not_wait_for_each_other(good: Site, settings: LazySettings) -> None:
    settings.FETCH_PAUSE_SECONDS = 600
    good.answers |= {"/": response(), "/robots.txt": text(b"")}
    asking = Fetcher(limits=SMALL, resolve=lambda host, port: ["127.0.0.1"], patience=0, obey_robots=False)
    for name in ("a", "b", "c"):
        asking.fetch(good.url(host=f"www.{name}.example"))
        with pytest.raises(SiteBusy) as busy:
            asking.fetch(good.url(host=f"news.{name}.example"))
        assert 300 < (busy.value.retry_after or 0) <= 600
    assert len(good.log) == 3


def test_a_crawl_delay_makes_pauses_longer(good: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "LONGEST_DELAY", 600.0)
    good.answers |= {"/robots.txt": text(b"User-agent: *\nCrawl-delay: 600\n"), "/": response()}
    asking = Fetcher(limits=SMALL, resolve=lambda host, port: ["127.0.0.1"], patience=0)
    asking.fetch(good.url(host="a.test"))
    with pytest.raises(SiteBusy):
        asking.fetch(good.url(host="a.test"))


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_site_that_asks_to_wait_is_left_alone_by_all(status: str, good: Site, quick: Fetcher) -> None:
    good.answers["/"] = response(status=status, retry_after="1200")
    with pytest.raises(NotAnswered) as later:
        quick.fetch(good.url())
    assert later.value.retry_after == 1200
    with pytest.raises(SiteBusy) as busy:
        quick.fetch(good.url("/other"))
    assert 600 < (busy.value.retry_after or 0) <= 1200
    assert good.paths() == ["/robots.txt", "/"]


def test_a_worker_that_dies_in_its_turn_keeps_a_site_only_for_a_while(good: Site, quick: Fetcher) -> None:
    cache.add(pace._key("a.test"), 0.0, 1)
    good.answers["/"] = response()
    assert quick.fetch(good.url(host="a.test")).body
