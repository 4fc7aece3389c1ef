"""Composes the pages of the demo from articles, templates and pictures, each with its true spans."""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from html import unescape
from pathlib import Path

from django.template import Context, Engine
from django.utils import translation

from annotator.demo.habits import ReferenceMarks
from annotator.demo.markup import BEGIN, END, LABEL
from annotator.demo.stories import Story, read_stories
from extraction.spans import Span, clip

_HERE = Path(__file__).parent
# What a reader does not see as text, and tags.
_UNSEEN, _TAG = re.compile(r"<(head|style)\b.*?</\1>", re.DOTALL), re.compile(r"<[^>]+>")
_WITHOUT_MARKS = dict.fromkeys(map(ord, (*BEGIN.values(), END)))
# Of the other articles of a site a page shows so many teasers.
TEASERS = 9

Blocks = Sequence[Sequence[int]]


@dataclass(frozen=True)
class ComposedPage:
    """A page and what the generator knows of it."""

    story: Story
    raw: bytes
    marked: str

    @property
    def sha256(self) -> str:
        return sha256(self.raw).hexdigest()

    @property
    def captured_at(self) -> datetime:
        return datetime.fromisoformat(self.story.about["date"])

    @property
    def metadata(self) -> dict[str, str]:
        """What lies beside the page in a folder that is imported."""
        return {
            "url": self.story.url,
            "charset": "utf-8",
            "captured_at": self.captured_at.isoformat(),
            "language": self.story.about_site["language"],
        }

    def reference(self, text: str, blocks: Blocks) -> ReferenceMarks:
        """What the page is, given text and blocks of its document. Raises ValueError for another document."""
        spans = spans_in(text, text_of_marked(self.marked))
        if spans is None:
            raise ValueError(f"not the document of {self.story.url}")
        return ReferenceMarks(
            text,
            tuple(clip(spans, [(start, end) for start, end in blocks], text)),
            self.story.verdict,
            self.story.reason,
        )


def compose(story: Story) -> ComposedPage:
    # Dates in the language of the site, and in UTC whatever the machine's time zone.
    with translation.override(story.about_site["language"]):
        html = _engine().get_template(story.template).render(Context(_context(story), use_tz=False))
    return ComposedPage(story, html.translate(_WITHOUT_MARKS).encode(), html)


def _context(story: Story) -> dict[str, object]:
    own = [other for other in read_stories() if other.site == story.site and other.verdict == "article"]
    at = own.index(story) if story in own else 0
    others = [other for other in own[at + 1 :] + own[:at] if other is not story]
    return {
        "story": story,
        "about": story.about,
        "others": others[:TEASERS],
        "published": datetime.fromisoformat(story.about["date"]),
        "number": at,
    }


def zip_of(pages: Iterable[ComposedPage], others: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of the pages, each with its metadata beside it, and of other files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for page in pages:
            name = f"{page.story.site}-{page.story.slug}"
            opened.writestr(f"{name}.html", page.raw)
            opened.writestr(f"{name}.json", json.dumps(page.metadata))
        for name, raw in others.items():
            opened.writestr(name, raw)
    return archive.getvalue()


def text_of_marked(html: str) -> str:
    """The text of a page that our own templates made, with its marks; white space is as it happens to be."""
    return unescape(_TAG.sub(" ", _UNSEEN.sub("", html)))


def spans_in(text: str, marked: str) -> list[Span] | None:
    """The spans between the marks, in a text that is the same but for marks and white space; or None."""
    places = [place for place, character in enumerate(text) if not character.isspace()]
    seen: list[str] = []
    spans: list[Span] = []
    opened: tuple[int, str] | None = None
    for character in marked:
        if character in LABEL:
            opened = (len(seen), LABEL[character])
        elif character == END:
            assert opened is not None
            start, label = opened
            if len(seen) > len(places):
                return None
            spans.append(Span(places[start], places[len(seen) - 1] + 1, label))
        elif not character.isspace():
            seen.append(character)
    return spans if seen == [text[place] for place in places] else None


@cache
def _engine() -> Engine:
    return Engine(
        dirs=[str(_HERE / "sites"), str(_HERE)], builtins=["annotator.demo.markup"], string_if_invalid=""
    )
