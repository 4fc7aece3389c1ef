"""Collect the messages that people read, merge them into the catalogues and compile those.

`python -m tests.translations update` adds new messages, untranslated, and drops those no longer used;
`python -m tests.translations compile` writes what Django reads. English is the source and needs no catalogue.
The work is Babel's, so that nobody needs the gettext programs; of Django's own commands it takes the two
domains, `django` for Python and templates and `djangojs` for scripts.
"""

import argparse
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "annotator" / "locale"
DOMAINS = ("django", "djangojs")
# How a call gives its messages: which argument is the context, the message, its plural.
CALLS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# A catalogue without dates of its own changes only where its messages do.
DATE = datetime(2026, 1, 1, tzinfo=UTC)


def collect(domain: str) -> Catalog:
    """Every message of the web application in one domain, untranslated."""
    catalog = Catalog(charset="utf-8", creation_date=DATE)
    for method, source in _sources(domain):
        found = extract(method, io.BytesIO(source), CALLS, options={"parse_template_string": True})
        for _line, message, _comments, context in found:
            catalog.add(message, context=context)
    return catalog


def _sources(domain: str) -> Iterator[tuple[str, bytes]]:
    """What may hold messages, with the name of Babel's extractor for it."""
    if domain == "djangojs":
        for path in sorted((ROOT / "annotator" / "static" / "js").rglob("*.js")):
            yield "javascript", path.read_bytes()
        return
    for path in python_files():
        yield "python", path.read_bytes()
    for path in template_files():
        # In brackets, so that the indentation of what is left of the markup means nothing.
        yield "python", f"({templatize(path.read_text(encoding='utf-8'))}\n)".encode()


def python_files() -> Iterator[Path]:
    """The Python files that may hold messages; commands speak English, as every terminal here does."""
    return (path for path in sorted((ROOT / "annotator").rglob("*.py")) if "migrations" not in path.parts)


def template_files() -> list[Path]:
    """All templates, those inside capability folders included."""
    return sorted((ROOT / "annotator").glob("**/templates/**/*.html"))


def languages() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def po_path(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def mo_path(language: str, domain: str) -> Path:
    return po_path(language, domain).with_suffix(".mo")


def read(language: str, domain: str) -> Catalog:
    """The committed catalogue; an empty one where there is none yet."""
    path = po_path(language, domain)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def merged(language: str, domain: str) -> Catalog:
    """The present messages with the translations there are; nothing is guessed from similar ones."""
    known = read(language, domain)
    known.update(collect(domain), no_fuzzy_matching=True)
    known.obsolete.clear()
    return _with_head(known)


def as_po(catalog: Catalog) -> bytes:
    """The catalogue as text: sorted, and without line numbers, so that moving code does not change it."""
    written = io.BytesIO()
    write_po(written, catalog, width=110, no_location=True, sort_output=True, ignore_obsolete=True)
    return written.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """The catalogue as Django reads it."""
    written = io.BytesIO()
    write_mo(written, _with_head(catalog))
    return written.getvalue()


def _with_head(catalog: Catalog) -> Catalog:
    """The catalogue with the head that all of ours have."""
    catalog.project, catalog.version = "Goldpan", "1"
    catalog.copyright_holder = "the Goldpan authors"
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = "Goldpan"
    catalog.header_comment = "# Made and compiled with tests/translations.py."
    catalog.creation_date = catalog.revision_date = DATE
    catalog.fuzzy = False
    return catalog


def update(names: Iterable[str]) -> None:
    """Merge the present messages into the catalogues, and say what is left to translate."""
    for language in names:
        for domain in DOMAINS:
            catalog = merged(language, domain)
            path = po_path(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_po(catalog))
            left = sum(not is_translated(message) for message in catalog if message.id)
            print(f"{path.relative_to(ROOT)}: {len(catalog)} messages, {left} to translate")


def compile_all(names: Iterable[str]) -> None:
    for language in names:
        for domain in DOMAINS:
            mo_path(language, domain).write_bytes(as_mo(read(language, domain)))
            print(mo_path(language, domain).relative_to(ROOT))


def is_translated(message: Message) -> bool:
    """Whether every plural form has a translation."""
    strings = message.string if isinstance(message.string, (list, tuple)) else [message.string]
    return all(strings) and not message.fuzzy


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.translations", description=__doc__)
    parser.add_argument("what", choices=("update", "compile"))
    parser.add_argument("languages", nargs="*", help="such as es; all that have a catalogue when left out")
    asked = parser.parse_args()
    {"update": update, "compile": compile_all}[asked.what](asked.languages or languages())


if __name__ == "__main__":
    main()
