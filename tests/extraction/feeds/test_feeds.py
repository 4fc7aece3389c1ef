"""RSS, Atom, sitemaps: the pages that they list, the newest first; hostile ones are refused in the child."""

import gzip

import pytest

from extraction.feeds.parse import MAX_ENTRIES, FeedError, parse
from extraction.feeds.reading import FeedReader

BASE = "https://gazette.example/feeds/all.xml"
RSS = b"""<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Harbour  Gazette</title>
<item><link>https://gazette.example/old</link><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate></item>
<item><title>New &amp; better</title><link>/new?a=1&amp;b=2#top</link>
<pubDate>Tue, 03 Nov 2026 08:00:00 +0100</pubDate></item>
<item><title>Again</title><link>https://gazette.example/old</link></item>
<item><title>No link</title></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Gaceta</title><entry><title>Uno</title>
<link rel="alternate" href="https://gaceta.example/uno"/><updated>2026-11-03T08:00:00Z</updated></entry>
</feed>"""
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://gazette.example/a </loc>
<image:image><image:loc>https://gazette.example/a.png</image:loc></image:image></url>
<url><loc>https://gazette.example/b</loc><lastmod>2026-11-03</lastmod></url>
</urlset>"""
INDEX = b"""<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>
<loc>https://gazette.example/s1.xml.gz</loc><lastmod>2026-11-01T00:00:00+00:00</lastmod></sitemap>
</sitemapindex>"""
EXPANDED = b"<rss version='2.0'><channel><title>&c;</title></channel></rss>"
LAUGHS = (
    b'<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>' + EXPANDED
)
OUTSIDE = b'<!DOCTYPE rss [<!ENTITY c SYSTEM "file:///etc/passwd">]>' + EXPANDED


def urls(raw: bytes) -> list[str]:
    return [entry.url for entry in parse(raw, base=BASE).entries]


def test_an_rss_feed_lists_each_page_once_the_newest_first() -> None:
    listing = parse(RSS, base=BASE, content_type="application/rss+xml")
    assert (listing.kind, listing.title) == ("feed", "Harbour Gazette")
    assert [(entry.url, entry.at and entry.at.isoformat()) for entry in listing.entries] == [
        ("https://gazette.example/new?a=1&b=2", "2026-11-03T07:00:00+00:00"),
        ("https://gazette.example/old", "2026-11-02T08:00:00+00:00"),
    ]


def test_atom_sitemaps_and_their_indexes_are_known_by_their_content() -> None:
    assert urls(ATOM) == ["https://gaceta.example/uno"]
    assert urls(SITEMAP) == ["https://gazette.example/b", "https://gazette.example/a"]
    assert urls(gzip.compress(SITEMAP)) == urls(SITEMAP)
    index = parse(INDEX, base=BASE)
    assert (index.kind, index.entries[0].url) == ("index", "https://gazette.example/s1.xml.gz")


def test_a_feed_that_is_not_well_formed_is_read_as_far_as_it_goes() -> None:
    assert len(urls(RSS.replace(b"&amp; better", b"& better").removesuffix(b"</channel></rss>"))) == 2


@pytest.mark.parametrize("encoding", ["gb2312", "big5", "shift_jis", "euc-kr", "windows-1251"])
def test_the_encoding_may_be_any_of_the_web(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>{{}}'
    rss = text.format(
        "<rss version='2.0'><channel><title>東</title><item><link>/a</link></item></channel></rss>"
    )
    sitemap = text.format("<urlset><url><loc>https://gazette.example/a</loc></url></urlset>")
    assert parse(rss.encode(encoding, "xmlcharrefreplace"), base=BASE).title == "東"
    assert urls(sitemap.encode(encoding)) == ["https://gazette.example/a"]


def test_a_feed_of_an_unknown_encoding_is_read_as_far_as_it_goes() -> None:
    assert len(urls(RSS.replace(b"utf-8", b"no-such-encoding"))) == 2
    with pytest.raises(FeedError, match="entities"):
        parse(b'<?xml version="1.0" encoding="gb2312"?>' + LAUGHS, base=BASE)


@pytest.mark.parametrize("nul", [b"\0", b"&#0;"])
def test_nul_which_no_database_stores_is_left_out(nul: bytes) -> None:
    raw = RSS.replace(b"  ", b" " + nul).replace(b"/new?", b"/new" + nul + b"?")
    assert parse(raw, base=BASE) == parse(RSS, base=BASE)


def test_only_the_newest_entries_are_taken() -> None:
    many = b"".join(b"<url><loc>https://a.example/%d</loc></url>" % n for n in range(3 * MAX_ENTRIES))
    assert len(urls(b"<urlset>" + many + b"</urlset>")) == MAX_ENTRIES


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (LAUGHS, "entities"),
        (OUTSIDE, "entities"),
        (b"<urlset>" + b"<a>" * 500, "nested"),
        (b"<urlset><url><loc>https://a.example/</loc>", "well-formed"),
        (b"<!doctype html><title>News</title><p>hello", "neither"),
        (b"", "neither"),
        (b"\x1f\x8bnonsense", "gzip"),
        (gzip.compress(bytes(60 << 20)), "unpacked"),
        (b"https://gazette.example/feed.xml", "neither"),  # is not fetched
        (b"/etc/passwd", "neither"),
    ],
)
def test_what_lists_nothing_is_refused_with_a_reason(raw: bytes, message: str) -> None:
    with pytest.raises(FeedError, match=message):
        parse(raw, base=BASE)


def test_the_child_survives_what_it_refuses() -> None:
    with FeedReader() as reader:
        with pytest.raises(FeedError, match="entities"):
            reader.read(LAUGHS, base=BASE)
        assert reader.read(RSS, base=BASE, content_type="text/xml") == parse(RSS, base=BASE)
    endless = b"<rss version='2.0'><channel>" + b"<item><link>/x</link></item>" * 300_000
    with FeedReader(cpu_seconds=1) as slow, pytest.raises(FeedError, match="too long"):
        slow.read(endless, base=BASE)
