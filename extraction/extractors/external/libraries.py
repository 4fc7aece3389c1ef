"""The libraries of Python: how each is called, with the options that the published benchmarks gave it.

A function below imports its library and gives back the program that prints a page's main text. It runs in the
child process alone; the parent knows its name, its library and its documentation.
"""

import importlib.metadata
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from extraction.documents.document import Document
from extraction.extractors.external import host
from extraction.extractors.registry import extractor
from extraction.extractors.spec import Library, Printed
from extraction.parsing.decode import decode
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse

Program = Callable[[str], str]

# Some libraries need the address of the page; this one is reserved and never resolves.
_NOWHERE = "https://page.invalid/article"

_LOADERS: dict[str, Callable[[], Program]] = {}


@dataclass(frozen=True)
class Distribution:
    """A package from Python's index, by the name under which it is installed."""

    name: str

    def version(self) -> str | None:
        """The installed version."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def missing(self) -> str | None:
        """Set where it is not installed."""
        return None if self.version() else f"not installed: pip install {self.name}"


@cache
def program(name: str) -> Program:
    """The program of that name, its library imported."""
    return _LOADERS[name]()


def source_of(document: Document) -> str:
    """The page as text, decoded as the document was."""
    return decode(document.raw or b"", document.encoding).text


def add_peer(
    name: str, library: Library, child: Callable[[], host.Host], about: str | None, family: str | None
) -> None:
    """Register the program of that name as an extractor; `about` is its line in `list`."""

    def printed(document: Document) -> Printed:
        if missing := library.missing():
            raise host.LibraryError("missing", f"{library.name} is {missing}")
        return child().ask(name, source_of(document))

    printed.__doc__ = about
    extractor(name, version=1, family=family, needs_raw=True, library=library)(printed)


def _peer(
    name: str, library: str, *, family: str | None = None
) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """Register a loader's program as an extractor that runs in the child."""

    def register(load: Callable[[], Program]) -> Callable[[], Program]:
        _LOADERS[name] = load
        add_peer(name, Distribution(library), host.of_this_process, load.__doc__, family)
        return load

    return register


@_peer("trafilatura", "trafilatura")
def trafilatura() -> Program:
    """trafilatura with its defaults, comments left out."""
    return _trafilatura()


@_peer("trafilatura-precision", "trafilatura", family="trafilatura")
def trafilatura_precision() -> Program:
    """trafilatura, set to say less and be sure, comments left out."""
    return _trafilatura(favor_precision=True)


@_peer("trafilatura-recall", "trafilatura", family="trafilatura")
def trafilatura_recall() -> Program:
    """trafilatura, set to miss less, comments left out."""
    return _trafilatura(favor_recall=True)


def _trafilatura(**options: Any) -> Program:
    from trafilatura import extract

    return lambda html: extract(html, include_comments=False, **options) or ""


@_peer("readability", "readability-lxml")
def readability() -> Program:
    """readability-lxml, the older rules of Arc90; the HTML that it keeps is written as we write pages."""
    from readability import Document as Page

    return lambda html: _text_of_html(str(Page(html).summary(html_partial=True)))


def _text_of_html(html: str) -> str:
    try:
        return parse(html.encode("utf-8", "replace"), "utf-8").text
    except ParseError:  # nothing was kept
        return ""


@_peer("resiliparse", "resiliparse")
def resiliparse() -> Program:
    """Resiliparse's main content, without comments, bullets and alternative texts."""
    from resiliparse.extract.html2text import extract_plain_text

    return partial(extract_plain_text, main_content=True, comments=False, alt_texts=False, list_bullets=False)


@_peer("newspaper4k", "newspaper4k")
def newspaper4k() -> Program:
    """newspaper4k's article text; it fetches nothing."""
    import newspaper

    return lambda html: newspaper.article(_NOWHERE, input_html=html, fetch_images=False).text


@_peer("goose3", "goose3")
def goose3() -> Program:
    """goose3's cleaned text; it fetches nothing."""
    from goose3 import Goose

    return lambda html: Goose().extract(raw_html=html).cleaned_text


@_peer("justext-library", "jusText", family="justext")
def justext() -> Program:
    """jusText as the published benchmark set it, with the stop words of the page's declared language."""
    from justext import get_stoplist
    from justext import justext as paragraphs

    def run(html: str) -> str:
        language = _STOP_LISTS.get(_declared_language(html))
        words = get_stoplist(language) if language else frozenset()
        low, high = (0.1, 0.2) if language else (0.0, 0.0)  # without a list, length alone decides
        found = paragraphs(html, words, 50, 200, low, high, 0.2, 200, True)
        return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)

    return run


_LANG = re.compile(r"""<html\b[^>]*?\blang\s*=\s*["']?([a-z]{2})\b""", re.IGNORECASE)
# jusText names its lists in English; pages name their languages by ISO 639-1.
_STOP_LISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ko": "Korean",
    "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "nb": "Norwegian_Bokmal", "nl": "Dutch",
    "nn": "Norwegian_Nynorsk", "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian",
    "sr": "Serbian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip


def _declared_language(html: str) -> str:
    """What `<html lang>` says; English where it says nothing."""
    found = _LANG.search(html, 0, 20_000)
    return found[1].lower() if found else "en"


@_peer("boilerpy3-article", "boilerpy3", family="boilerpipe")
def boilerpy3_article() -> Program:
    """BoilerPy3: Boilerpipe's article rules of 1.2.0 on Python's html.parser."""
    from boilerpy3.extractors import ArticleExtractor

    article = ArticleExtractor()
    return lambda html: str(article.get_content(html))


@_peer("boilerpy3-default", "boilerpy3", family="boilerpipe")
def boilerpy3_default() -> Program:
    """BoilerPy3: Boilerpipe's default rules on Python's html.parser."""
    from boilerpy3.extractors import DefaultExtractor

    default = DefaultExtractor()
    return lambda html: str(default.get_content(html))


@_peer("readabilipy", "readabilipy")
def readabilipy() -> Program:
    """ReadabiliPy's own rules, in Python: all text but that of navigation, forms and media."""
    from readabilipy import simple_json_from_html_string

    # Its other mode is Mozilla's Readability, which it would first have npm fetch: `readability-js`.
    def run(html: str) -> str:
        paragraphs = simple_json_from_html_string(html, use_readability=False)["plain_text"]
        return "\n".join(paragraph["text"] for paragraph in paragraphs or [])

    return run


@_peer("html-to-markdown", "html-to-markdown")
def html_to_markdown() -> Program:
    """html-to-markdown's plain text after its aggressive cleaning of navigation, forms and what is hidden."""
    from html_to_markdown import ConversionOptions, PreprocessingOptions, convert

    options = ConversionOptions(
        output_format="plain",
        preprocessing=PreprocessingOptions(preset="aggressive"),
        extract_metadata=False,
        skip_images=True,
    )
    return lambda html: convert(html, options).content or ""
