"""Why gold does not lie in its page."""

from itertools import islice

import pytest

from extraction.formats import READERS, BadRecord, Gold, Record
from extraction.formats.unplaced import Placement, Reason, placements
from extraction.parse import parse
from extraction.spans import Span
from tests.extraction.corpora import EXAMPLE, P1, P2, P3, PUBLISHED

OTHER = "Nobody had expected that the old ferry would sail again"
ESCAPED = OTHER.replace(" ", "\\u0020")


def place(html: str, gold: Gold) -> Placement:
    (found,) = placements([Record("page", html.encode(), gold=gold)], parse)
    return found


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (f'<script type="application/ld+json">{{"articleBody": "{OTHER}"}}</script>', Reason.SCRIPT),
        (f'<script>x = "\\u003cp\\u003e{ESCAPED}"</script>', Reason.SCRIPT),
        (f'<meta name=description content="{OTHER}">', Reason.ATTRIBUTE),
        (f'<img alt="{OTHER.replace("o", "&#111;")}">', Reason.ATTRIBUTE),
        (f"<noscript>{OTHER}</noscript>", Reason.HIDDEN),
        (f"<title>{OTHER}</title>", Reason.HIDDEN),
        (f"<p>{'<p>'.join(sorted(OTHER.split()))}", Reason.WORDING),
        ("", Reason.ABSENT),
    ],
)
def test_what_is_missing_has_its_reason(more: str, reason: Reason) -> None:
    found = place(f"<p>{P1}</p><p>{P2}</p>{more}", Gold(text=f"{P1}\n{OTHER}\n{P2}"))
    assert found.reason == reason
    assert 0.7 < found.share < 0.9
    assert found.example == OTHER


def test_text_that_was_decoded_otherwise_is_told() -> None:
    found = place(f"<p>{P1}</p><p>Ãœber mÃ¼ÃŸige FlÃ¼sse</p>", Gold(text=f"{P1}\nÜber müßige Flüsse"))
    assert found.reason == Reason.ENCODING


def test_a_stub_is_told() -> None:
    assert place("<p>Please turn on scripts.</p>", Gold(text=P1 + P2)).reason == Reason.STUB


def test_gold_that_is_placed_has_no_reason() -> None:
    found = place(f"<p>{P1}</p>", Gold(text=P1))
    assert found == Placement("page", 1.0, len("".join(P1.split())))


def test_what_cannot_be_placed_at_all_is_reported() -> None:
    records = [
        Record("deep", b"<p>" * 400_000, gold=Gold(text="x")),
        Record("foreign", b"<p>x", gold=Gold(spans=(Span(0, 1, "body"),), parser="0+old")),
        Record("none", b"<p>x"),
        BadRecord("bad", "is bad"),
    ]
    found = list(placements(records, parse))
    assert [(each.place, each.share, each.reason) for each in found] == [
        ("deep", 0.0, Reason.UNREADABLE),
        ("foreign", 0.0, Reason.FOREIGN),
    ]


def corpora() -> dict[str, list[Record | BadRecord]]:
    """Our own page always, and some of the published ones where they lie beside the repository."""
    found = {"own": [Record("own", EXAMPLE.encode(), gold=Gold(text=f"{P1}\n{P2}\n{P3}"))]}
    folders = {name: PUBLISHED.parent / name for name in ("wcxb", "cleaneval")}
    published = {
        name: list(islice(READERS[name].read(folder), 0, None, 40))
        for name, folder in folders.items()
        if folder.is_dir()
    }
    return {**found, **published}


@pytest.mark.parametrize("records", corpora().values(), ids=corpora().keys())
def test_published_gold_is_placed_or_has_its_reason(records: list[Record | BadRecord]) -> None:
    found = sorted(placements(records, parse), key=lambda each: each.share)
    assert found[len(found) // 2].share >= 0.99
    assert all(each.share >= 0.9 or each.reason not in (None, Reason.UNKNOWN) for each in found)
