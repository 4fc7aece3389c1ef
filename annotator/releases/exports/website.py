"""`website`: a release as a folder that opens in any browser from disk, and proves itself.

Every text with its marks, a search and the datasheet; a script of ours compares each text and gold with the
digests of the manifest. Data are scripts, as a browser fetches nothing from file://. Nothing of a page runs:
there is text, and elements that our script makes around it.
"""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from django.utils import translation
from markdown_it import MarkdownIt

from annotator.common.display_names import label_title
from extraction.formats.records import PageRecord
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    Loss,
    Sink,
    document_of,
    spans_of,
    verdict_of,
)
from extraction.spans import CONTENT

_STATIC = Path(__file__).resolve().parents[2] / "static"
_FILES = {
    "tokens.css": "css/tokens.css",
    "base.css": "css/base.css",
    "site.css": "css/website.css",
    "site.js": "js/website.js",
}
# Characters of one file of pages, and code points of a title; the script has the second too.
_CHUNK, _TITLE = 1 << 20, 120
# Nothing from elsewhere; on file:// a browser may not take the folder for its own origin.
_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'"
)


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the pages in files of a megabyte, their list, the manifest, and what shows them."""
    chunk: list[dict[str, str]] = []
    size = number = 0
    with sink.open("data/index.js") as index:
        for record in records:
            index.write(_call("index", [_row(record, number)]))
            page = {
                "sha256": record.sha256,
                "text": document_of(record).text,
                "gold": record.canonical_gold,
            }
            chunk.append(page)
            size += len(page["text"]) + len(page["gold"])
            if size > _CHUNK:
                _write_chunk(sink, number, chunk)
                chunk, size, number = [], 0, number + 1
        if chunk:
            _write_chunk(sink, number, chunk)
            number += 1
        index.write(_call("release", _release(facts, number)))
    sink.write("data/manifest.js", _call("manifest", facts.manifest))
    for name, path in _FILES.items():
        sink.write(name, (_STATIC / path).read_bytes())
    sink.write("index.html", _screen(facts).encode())


def _call(name: str, *values: Any) -> bytes:
    written = ",".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)
    return f"goldpan.{name}({written});\n".encode()


def _write_chunk(sink: Sink, number: int, pages: list[dict[str, str]]) -> None:
    sink.write(f"data/pages-{number:04}.js", _call("pages", number, pages))


def _row(record: PageRecord, chunk: int) -> list[Any]:
    return [
        record.sha256,
        _title(record),
        record.url,
        record.site,
        record.language or "",
        verdict_of(record),
        record.split,
        chunk,
    ]


def _title(record: PageRecord) -> str:
    """The first headline, else the first line."""
    text = document_of(record).text
    headline = next((text[start:end] for start, end, label in spans_of(record) if label == "headline"), text)
    return headline.split("\n")[0][:_TITLE]


def _release(facts: DatasetFacts, chunks: int) -> dict[str, Any]:
    with translation.override("en"):
        labels = [[name, str(label_title(name)), at] for at, name in enumerate(facts.labels, 1)]
    return {
        "title": facts.title,
        "sha256": facts.sha256,
        "labels": [*labels, [CONTENT, "Content", 0]],
        "chunks": chunks,
    }


def _html_of(markdown: str) -> str:
    """A datasheet as HTML: what people typed in it stays text, and its tables have no styles inline."""
    html: str = MarkdownIt("js-default").disable(["link", "image", "autolink"]).render(markdown)
    return html.replace(' style="text-align:right"', ' class="n"')


def _screen(facts: DatasetFacts) -> str:
    datasheet = _html_of(facts.summary)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">
<meta name="referrer" content="no-referrer">
<title>{escape(facts.title)}</title>
<link rel="stylesheet" href="tokens.css">
<link rel="stylesheet" href="base.css">
<link rel="stylesheet" href="site.css">
<script src="site.js"></script>
<script src="data/index.js"></script>
<script src="data/manifest.js"></script>
</head>
<body>
<header>
<h1>{escape(facts.title)}</h1>
<a href="#">Datasheet</a>
<p id="status" role="status">Starting</p>
<button id="theme" type="button">Light or dark</button>
</header>
<main>
<nav aria-label="Pages">
<p class="row"><input id="search" type="search" placeholder="Search all texts" aria-label="Search all texts">
<select id="split" aria-label="Split"><option value="">all</option></select></p>
<p class="meta" id="count"></p>
<ol id="list" tabindex="-1"></ol>
<button id="more" type="button" hidden>Show more</button>
</nav>
<div>
<section id="datasheet">
<p class="meta">SHA-256 of the manifest. Compare it with the one that was published:</p>
<code class="digest">{escape(facts.sha256)}</code>
{datasheet}
</section>
<section id="page" hidden></section>
</div>
</main>
</body>
</html>
"""


WRITER = FolderWriter(
    produce=produce,
    at_root=True,
    releases_only=True,
    needs_canonical_gold=True,
    always=frozenset({Loss.METADATA}),
)
