"""Pages as captured: stored byte for byte, once, with site, language and near duplicates."""

from hashlib import sha256

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.common.sites import site_of
from annotator.corpora.models import Corpus
from annotator.pages import actions
from annotator.pages.actions import TakenDown, add_page, build_document
from annotator.pages.models import ImportedGold, Page, StoredDocument
from annotator.releases.models import Takedown
from extraction.documents.document import PARSER_VERSION
from extraction.sandbox import Parser
from tests.factories import ARTICLE, MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.bbc.co.uk/news/1", "bbc.co.uk"),
        ("https://noticias.elpais.com.mx/x", "elpais.com.mx"),
        ("https://someone.github.io/post", "someone.github.io"),
        ("http://www.gazette.example/story", "gazette.example"),
        ("http://192.0.2.7:8080/a", "192.0.2.7"),
        ("http://localhost/a", "localhost"),
        ("HTTPS://WWW.Example.COM/", "example.com"),
        ("http://www.gazette.example./story", "gazette.example"),
        # As a list has it, and as a browser and fetching do.
        ("https://www.münchen.example/a", "münchen.example"),
        ("https://www.xn--mnchen-3ya.example/a", "münchen.example"),
        ("https://xn--fsqu00a.xn--0zwm56d/a", "例子.测试"),
        ("https://xn--a.example/", "xn--a.example"),
        ("", ""),
        # What is no address, as some in lists and feeds, has no site, and spoils nothing else.
        ("http://[::1/", ""),
        ("http://a]b/", ""),
    ],
)
def test_the_site_is_the_registered_domain(url: str, site: str) -> None:
    assert site_of(url) == site


def test_bytes_are_kept_as_captured(corpus: Corpus) -> None:
    raw = b"<p>caf\xe9\r\n\x00 \xff</p>"
    page = add_page(corpus=corpus, raw=raw).page
    assert storage.get(page.sha256) == raw


def test_the_same_bytes_are_the_same_page(corpus: Corpus) -> None:
    first = add_page(corpus=corpus, raw=b"<p>one")
    second = add_page(corpus=corpus, raw=b"<p>one", url="https://elsewhere.example/")
    assert (first.new, second.new, first.page) == (True, False, second.page)


def test_whether_it_is_known_or_was_taken_down_is_asked_once(corpus: Corpus) -> None:
    with CaptureQueriesContext(connection) as found:
        add_page(corpus=corpus, raw=b"<p>one")
    assert [each["sql"].split()[0] for each in found if "SAVEPOINT" not in each["sql"]] == [
        "select",  # the lock of files
        "SELECT",
        "INSERT",
    ]


def test_a_known_page_gets_its_lost_file_back(corpus: Corpus) -> None:
    raw = b"<p>lost"
    page = add_page(corpus=corpus, raw=raw).page
    storage.remove(page.sha256)
    again = add_page(corpus=corpus, raw=raw)
    assert (again.page, again.new) == (page, False)
    assert storage.get(page.sha256) == raw


def test_what_was_taken_down_while_it_came_in_stays_gone(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = b"<p>taken down meanwhile"
    digest = sha256(raw).hexdigest()

    def meanwhile(url: str) -> str:
        page = Page.objects.create(corpus=corpus, sha256=digest, size=len(raw))
        Takedown.objects.create(page=page, reason="asked for")
        return site_of(url)

    monkeypatch.setattr(actions, "site_of", meanwhile)
    with pytest.raises(TakenDown):
        add_page(corpus=corpus, raw=raw, gold={"verdict": "article"})
    assert not ImportedGold.objects.exists()
    with pytest.raises(FileNotFoundError):
        storage.get(digest)


def test_a_page_without_bytes_is_refused(corpus: Corpus) -> None:
    with pytest.raises(GoldpanError, match="no bytes"):
        add_page(corpus=corpus, raw=b"")


def test_a_stored_file_that_was_changed_is_noticed(corpus: Corpus) -> None:
    page = add_page(corpus=corpus, raw=b"<p>true").page
    other = storage.put(b"<p>false")
    path = default_storage.path(storage.name_of(page.sha256))
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(storage.compressed(other))
    with pytest.raises(ValueError, match="does not match its digest"):
        storage.get(page.sha256)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("El ayuntamiento aprobó anoche el presupuesto para las obras del puente viejo de la ciudad.", "es"),
        ("The council approved the budget for the old bridge last night after a long debate.", "en"),
    ],
)
def test_the_language_is_found_with_the_document(make_page: MakePage, text: str, language: str) -> None:
    assert make_page(f"<p>{text} {text}</p>").language == language


def test_near_duplicates_share_a_cluster(make_page: MakePage) -> None:
    words = " ".join(f"word{n}" for n in range(400))
    first = make_page(f"<p>{words}</p>")
    second = make_page(f"<p>{words} and one correction at the end</p>")
    other = make_page("<p>" + " ".join(f"other{n}" for n in range(400)) + "</p>")
    assert second.cluster == first.cluster == first
    assert other.cluster == other


def test_a_page_that_cannot_be_parsed_is_a_recorded_failure(corpus: Corpus, parser: Parser) -> None:
    page = add_page(corpus=corpus, raw=b"<div>" * 200_000).page
    claimed = work.claim(Page, page.pk)
    assert build_document(claimed, parser) is None
    page.refresh_from_db()
    assert page.refusal == "too-deep"
    assert page.error
    assert not StoredDocument.objects.exists()


def test_the_document_says_what_was_read_and_how(make_page: MakePage) -> None:
    document = make_page(ARTICLE.format(number=1)).documents.get()
    assert document.encoding == "utf-8" or document.encoding == "windows-1252"
    assert document.encoding_source
    assert document.repairs == []
    assert document.version == PARSER_VERSION
