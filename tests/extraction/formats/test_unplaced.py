"""Why gold does not lie in its page."""

from itertools import islice

import pytest

from extraction.formats import READERS, BadRecord, GoldRecord, PageRecord
from extraction.formats.unplaced import Placement, UnplacedReason, placements
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.corpora import EXAMPLE, P1, P2, P3, PUBLISHED

OTHER = "Nobody had expected that the old ferry would sail again"
ESCAPED = OTHER.replace(" ", "\\u0020")


def placement_of(html: str, gold: GoldRecord) -> Placement:
    (found,) = placements([PageRecord("page", html.encode(), gold=gold)], parse)
    return found


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (f'<script type="application/ld+json">{{"articleBody": "{OTHER}"}}</script>', UnplacedReason.SCRIPT),
        (f'<script>x = "\\u003cp\\u003e{ESCAPED}"</script>', UnplacedReason.SCRIPT),
        (f'<meta name=description content="{OTHER}">', UnplacedReason.ATTRIBUTE),
        (f'<img alt="{OTHER.replace("o", "&#111;")}">', UnplacedReason.ATTRIBUTE),
        (f"<noscript>{OTHER}</noscript>", UnplacedReason.HIDDEN),
        (f"<title>{OTHER}</title>", UnplacedReason.HIDDEN),
        (f"<p>{'<p>'.join(sorted(OTHER.split()))}", UnplacedReason.WORDING),
        ("", UnplacedReason.ABSENT),
    ],
)
def test_what_is_missing_has_its_reason(more: str, reason: UnplacedReason) -> None:
    found = placement_of(f"<p>{P1}</p><p>{P2}</p>{more}", GoldRecord(text=f"{P1}\n{OTHER}\n{P2}"))
    assert found.reason == reason
    assert 0.7 < found.share < 0.9
    assert found.example == OTHER


def test_text_that_was_decoded_otherwise_is_told() -> None:
    found = placement_of(
        f"<p>{P1}</p><p>Ãœber mÃ¼ÃŸige FlÃ¼sse</p>", GoldRecord(text=f"{P1}\nÜber müßige Flüsse")
    )
    assert found.reason == UnplacedReason.ENCODING


def test_a_stub_is_told() -> None:
    assert (
        placement_of("<p>Please turn on scripts.</p>", GoldRecord(text=P1 + P2)).reason == UnplacedReason.STUB
    )


def test_gold_that_is_placed_has_no_reason() -> None:
    found = placement_of(f"<p>{P1}</p>", GoldRecord(text=P1))
    assert found == Placement("page", 1.0, len("".join(P1.split())))


def test_what_cannot_be_placed_at_all_is_reported() -> None:
    records: list[PageRecord | BadRecord] = [
        PageRecord("deep", b"<p>" * 400_000, gold=GoldRecord(text="x")),
        PageRecord("foreign", b"<p>x", gold=GoldRecord(spans=(Span(0, 1, "body"),), parser="0+old")),
        PageRecord("none", b"<p>x"),
        BadRecord("bad", "is bad"),
    ]
    found = list(placements(records, parse))
    assert [(each.location, each.share, each.reason) for each in found] == [
        ("deep", 0.0, UnplacedReason.UNREADABLE),
        ("foreign", 0.0, UnplacedReason.FOREIGN),
    ]


def corpora() -> dict[str, list[PageRecord | BadRecord]]:
    """Our own page always, and some of the published ones where they lie beside the repository."""
    found = {"own": [PageRecord("own", EXAMPLE.encode(), gold=GoldRecord(text=f"{P1}\n{P2}\n{P3}"))]}
    folders = {name: PUBLISHED.parent / name for name in ("wcxb", "cleaneval")}
    published = {
        name: list(islice(READERS[name].read(folder), 0, None, 40))
        for name, folder in folders.items()
        if folder.is_dir()
    }
    return {**found, **published}


@pytest.mark.parametrize("records", corpora().values(), ids=corpora().keys())
def test_published_gold_is_placed_or_has_its_reason(records: list[PageRecord | BadRecord]) -> None:
    found = sorted(placements(records, parse), key=lambda each: each.share)
    assert found[len(found) // 2].share >= 0.99
    assert all(each.share >= 0.9 or each.reason not in (None, UnplacedReason.UNKNOWN) for each in found)
