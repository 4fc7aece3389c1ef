"""Agreement over many pages, each figure with its interval: what `agreement FILE.json` prints."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from extraction.agreement.counts import PageTables, View, count_page
from extraction.agreement.pool import Figures, Pool
from extraction.agreement.units import LEVELS, ContentUnits
from extraction.spans import Span, SpanError, normalise

#: Code points of a page without its text; no document has as many.
MAX_LENGTH = 10_000_000


class ReportError(ValueError):
    """A file of annotations that cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """One page with the spans of each annotator, and their verdicts where they are given."""

    name: str
    annotations: dict[str, list[Span]]
    units: ContentUnits
    verdicts: dict[str, str] = field(default_factory=dict)

    def counts(self) -> PageTables:
        """What it adds to the figures."""
        return count_page(self.annotations, self.units, verdicts=self.verdicts)


def read(path: Path) -> list[AnnotatedPage]:
    """Read `{"pages": [{"page", "length" or "text", "annotations": {name: [[start, end, label], ...]}}]}`.

    A page may have `blocks` beside its text, as `[[start, end], ...]`, and `verdicts` as `{name: verdict}`.
    Raises `ReportError` that names the page and the annotator at fault.
    """
    try:
        pages = json.loads(path.read_text(encoding="utf-8"))["pages"]
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReportError(f'{path}: not a JSON object with "pages"') from error
    if not isinstance(pages, list):
        raise ReportError(f'{path}: "pages" is not a list')
    return [_page(page, number) for number, page in enumerate(pages, 1)]


def _page(page: Any, number: int) -> AnnotatedPage:
    try:
        name = str(page.get("page", number))
        units = _units(page)
        rows = {str(who): [_span(row) for row in rows] for who, rows in page["annotations"].items()}
        verdicts = {str(who): str(verdict) for who, verdict in page.get("verdicts", {}).items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReportError(
            f"page {number}: needs length or text, and annotations as [start, end, label]"
        ) from error
    length = len(units.before) - 1
    annotations = {who: _checked(spans, length, f"page {name}, {who}") for who, spans in rows.items()}
    return AnnotatedPage(name, annotations, units, verdicts)


def _units(page: Mapping[str, Any]) -> ContentUnits:
    if "text" not in page:
        length = page["length"]
        if type(length) is not int or not 0 <= length <= MAX_LENGTH:
            raise ValueError("not a length")
        return ContentUnits.of_length(length)
    text = page["text"]
    if not isinstance(text, str):
        raise TypeError("not a text")
    blocks = page.get("blocks")
    if blocks is not None:
        blocks = [(start, end) for start, end in blocks]
        if not all(
            type(start) is int and type(end) is int and 0 <= start < end <= len(text) for start, end in blocks
        ):
            raise ValueError("not blocks of the text")
    return ContentUnits.of_text(text, blocks)


def _span(row: Any) -> Span:
    start, end, label = row
    if type(start) is int and type(end) is int and isinstance(label, str) and label:
        return Span(start, end, label)
    raise TypeError("not a span")


def _checked(spans: Sequence[Span], length: int, where: str) -> list[Span]:
    try:
        result = normalise(spans)
    except SpanError as error:
        raise ReportError(f"{where}: {error}") from error
    if result and result[-1].end > length:
        raise ReportError(f"{where}: a span ends at {result[-1].end} of {length}")
    return result


def report(pages: Sequence[AnnotatedPage]) -> dict[str, Any]:
    """All figures, pooled over the pages that two or more annotated, with 95 % intervals.

    Pairs of annotators are pooled too, the first by name being the first of each pair. `f1` and
    `positive_agreement` are one measure under two names: units that both labelled, whichever the label.
    """
    return figures(Pool([page.counts() for page in pages]))


def figures(pool: Pool) -> dict[str, Any]:
    """The report of a pool."""
    views = {view: _by_level(pool, view) for view in pool.views}
    found: dict[str, Any] = {
        "pages": len(pool.pages),
        "excluded": pool.excluded,
        **{level: _json(pool.units(level)) for level in LEVELS},
        "labels": {name: found for (kind, name), found in views.items() if kind == "label"},
        "label_sets": {name: found for (kind, name), found in views.items() if kind == "set"},
        "span": _json(pool.spans()),
        "unitizing": _json(pool.unitizing()),
    }
    if any(pair.verdicts for page in pool.pages for pair in page.pairs):
        found["verdict"] = _json(pool.verdicts())
    return found


def _by_level(pool: Pool, view: View) -> dict[str, Any]:
    """The figures of one view: those of characters, then the others by level."""
    return {
        **_json(pool.units("character", view)),
        **{level: _json(pool.units(level, view)) for level in LEVELS[1:]},
        "span": _json(pool.spans(view)),
        "unitizing": _json(pool.unitizing(view)),
    }


def _json(found: Figures) -> dict[str, Any]:
    return {name: figure.to_json() for name, figure in found.items()}
