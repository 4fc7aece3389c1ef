"""Compares `boilerpipe-article` with the output of the Java original word by word, with known causes.

The original adds spaces around every link. Our chains keep that text
(`extraction.extractors.boilerpipe.text_of_chain`), but return spans of the canonical text, which has the
spaces of the page and no SVG titles. Both are compared.

Run it as `python -m benchmarks.research.boilerpipe_java`.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from extraction.extractors import extract
from extraction.extractors.boilerpipe import text_of_chain
from extraction.parsing.parse import parse
from extraction.spans import text_of
from tests.extraction.corpora import PUBLISHED

NAME = "boilerpipe-article"
_WORD = re.compile(r"\w+")

LINKS = "Java adds spaces around a link, which divides a word"
DRAWING = "Java includes SVG titles, which are invisible; the canonical text leaves them out"
IFRAME = "in HTML5 the content of an `iframe` is plain text, Java decodes character references in it"

#: The cause of each known difference, by the start of the page's id.
CAUSES = {
    "156770d6": LINKS,
    "1f765c48": LINKS,
    "287e4d9f": DRAWING,
    "2f42ef1d": DRAWING,
    "34a73285": LINKS,
    "358cc4a0": LINKS,
    "374ac9a5": LINKS,
    "3d8f3404": IFRAME,
    "42aad16b": LINKS,
    "5fa5679d": LINKS,
    "6ebac05f": LINKS,
    "702d1da6": LINKS,
    "88c328b6": DRAWING,
    "aade2ec8": LINKS,
    "c50845a7": LINKS,
    "d48aeb9c": DRAWING,
    "f105de6e": LINKS,
}
UNKNOWN = "unknown"


class PageComparison(NamedTuple):
    """The words of one page."""

    page: str
    java: list[str]
    chain: list[str]
    spans: list[str]

    @property
    def differs(self) -> bool:
        """Whether either text differs from Java's."""
        return self.java != self.chain or self.java != self.spans

    @property
    def cause(self) -> str:
        """Why it differs, as far as that is known."""
        return CAUSES.get(self.page[:8], UNKNOWN)


def compare(limit: int | None = None) -> Iterator[PageComparison]:
    """The pages of the Scrapinghub benchmark, where they lie beside the project."""
    output = json.loads((PUBLISHED / "output" / "boilerpipe.json").read_text(encoding="utf-8"))
    for page, entry in islice(sorted(output.items()), limit):
        document = parse(gzip.decompress((PUBLISHED / "html" / f"{page}.html.gz").read_bytes()))
        spans = text_of(document, extract(document, NAME))
        texts = entry["articleBody"], text_of_chain(document, NAME), spans
        yield PageComparison(page, *(_WORD.findall(text) for text in texts))


def run(limit: int | None = None) -> str:
    """How many pages have the same words, and a table of the others, as Markdown."""
    parts = [f"## `{NAME}` and the Java original", ""]
    if not PUBLISHED.is_dir():
        return "\n".join([*parts, "Not measured: there is no published output beside the project."])
    pages = list(compare(limit))
    chain = sum(page.java == page.chain for page in pages)
    spans = sum(page.java == page.spans for page in pages)
    parts += [
        f"Of {len(pages)} pages, the chain's own text has the words of `output/boilerpipe.json` on {chain},",
        f"the canonical text of its spans on {spans}. The others:",
        "",
        "| page | words of Java | of the chain | of the spans | missing, new in the spans | cause |",
        "| --- | ---: | ---: | ---: | --- | --- |",
        *(_line(page) for page in pages if page.differs),
    ]
    return "\n".join(parts)


def _line(page: PageComparison) -> str:
    java, spans = Counter(page.java), Counter(page.spans)
    changes = f"{(java - spans).total()}, {(spans - java).total()}"
    counts = f"{len(page.java)} | {len(page.chain)} | {len(page.spans)}"
    return f"| `{page.page[:8]}` | {counts} | {changes} | {page.cause} |"


if __name__ == "__main__":
    print(run())
