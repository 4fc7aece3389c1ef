"""Invariant 9: the output or the failure of an extractor is its one recorded result."""

from typing import Any

import pytest

from annotator import pipeline
from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.common.machine import cpu_limit
from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.runs import actions, queries
from annotator.runs.actions import request_extractions
from annotator.runs.models import Extraction, Extractor
from annotator.runs.tasks import run_extractors
from annotator.scoring.actions import pairs_of_extractions, request_scores, score
from annotator.scoring.models import Score
from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors import ExtractorSpec, get, registry
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.corpora import EXAMPLE
from tests.factories import MakePage, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def crash(document: object) -> list[Span]:
    raise RecursionError("deep inside")


def lie(document: object) -> list[Span]:
    return [Span(0, 10_000_000, "content")]


@pytest.fixture
def faulty(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Enable a function as an extractor of the corpus."""

    def enable(function: Any, name: str = "faulty") -> Extractor:
        spec = ExtractorSpec(name, "1", name, function)
        monkeypatch.setitem(registry.REGISTRY, name, spec)
        return actions.enable(corpus=corpus, name=name).extractor

    return enable


def run(page: Any, extractor: Extractor) -> Extraction:
    row = Extraction.objects.create(document=page.documents.get(), extractor=extractor)
    actions.run_extraction(work.claim(Extraction, row.pk))
    row.refresh_from_db()
    return row


def test_what_an_extractor_says_is_kept_with_its_cost(corpus: Corpus, make_page: MakePage) -> None:
    made = run(make_page(), actions.register("everything"))
    assert made.state == "done"
    assert made.spans
    assert made.seconds > 0


def test_the_cost_of_a_page_is_measured_finely_under_a_limit() -> None:
    """As in a worker: the kernel then counts the time of a whole process in ticks, most of them empty."""
    document = parse(EXAMPLE.encode())
    with cpu_limit(60):
        costs = [get("tree-filter").run(document).seconds for _ in range(30)]
    assert min(costs) > 0


def test_a_program_of_others_gets_the_page_as_captured(make_page: MakePage) -> None:
    page = make_page(html=EXAMPLE)
    made = run(page, actions.register("boilerpy3-article"))
    assert made.error == ""
    text = page.documents.get().text
    assert any("open again in the spring" in text[start:end] for start, end, _ in made.spans)


@pytest.mark.parametrize("name", ["bte", "mss"])
def test_the_mode_that_reads_the_source_gets_the_page_as_captured(make_page: MakePage, name: str) -> None:
    made = run(make_page(html=EXAMPLE), actions.register(name, mode="source"))
    assert made.error == ""
    assert made.spans


def test_the_page_as_captured_is_read_for_nobody_else(
    make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page()
    read: list[str] = []
    get = storage.get
    monkeypatch.setattr(storage, "get", lambda digest: (read.append(digest), get(digest))[1])
    run(page, actions.register("everything"))
    run(page, actions.register("bte"))
    assert read == [page.documents.get().packed_sha256] * 2
    run(page, actions.register("boilerpy3-article"))
    assert page.sha256 in read


def test_an_extractor_whose_library_is_not_there_is_unavailable(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extraction.extractors.external.libraries.Distribution.version", lambda self: None)
    with pytest.raises(GoldpanError, match="its library is not installed: pip install trafilatura"):
        actions.enable(corpus=corpus, name="trafilatura")
    assert not actions.register("trafilatura").is_available


def test_a_new_corpus_starts_with_few_and_all_our_own(corpus: Corpus) -> None:
    enabled = {row.extractor.name for row in corpus.enabled.select_related("extractor")}
    assert enabled == set(actions.DEFAULT_EXTRACTORS)
    assert all(registry.get(name).library is None for name in actions.DEFAULT_EXTRACTORS)


def test_a_crash_is_recorded_and_scores_as_nothing(make_page: MakePage, faulty: Any) -> None:
    page = make_page()
    failed = run(page, faulty(crash))
    assert failed.error == "RecursionError: deep inside"
    mark = span_of(page, "Bridge opens", "headline")
    add_gold(document=page.documents.get(), verdict="article", spans=[(*mark, "single")], source="single")
    (cell,) = request_scores(pairs_of_extractions([failed.pk]))
    assert score(work.claim(Score, cell.pk))
    cell.refresh_from_db()
    assert cell.matrix["headline"] == {"": 11}


def test_extractors_of_one_message_read_the_document_once_and_fail_by_themselves(
    make_page: MakePage, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page()
    names = ("boilerpipe-article", "boilerpipe-default", "boilerpy3-article")
    extractors = [faulty(crash), *map(actions.register, names)]
    rows = [Extraction.objects.create(document=page.document, extractor=each) for each in extractors]
    read: list[str] = []
    get = storage.get
    monkeypatch.setattr(storage, "get", lambda digest: (read.append(digest), get(digest))[1])
    sent: list[tuple[int, ...]] = []
    monkeypatch.setattr(pipeline, "extractions_made", sent.append)
    keys = tuple(row.pk for row in rows)
    run_extractors(*keys)
    # Without the page's bytes, and with them.
    assert sorted(read) == sorted([*[page.document.packed_sha256] * 2, page.sha256])
    made = Extraction.objects.filter(pk__in=keys).order_by("pk")
    assert [row.state for row in made] == ["failed", "done", "done", "done"]
    assert sent == [keys]
    # Again, as when a message comes twice.
    run_extractors(*keys)
    assert sent == [keys]


def test_what_an_extractor_costs_does_not_hang_on_those_before_it(make_page: MakePage, faulty: Any) -> None:
    """What one of them has computed of a document is not there for the next one."""
    before: list[bool] = []

    @cached_on_document
    def costly(document: Document) -> bool:
        return True

    def look(document: Document) -> list[Span]:
        before.append(any("costly" in key for key in document.__dict__))
        costly(document)
        return []

    document = make_page().document
    extractors = [faulty(look, name) for name in ("one", "other")]
    rows = [Extraction.objects.create(document=document, extractor=each) for each in extractors]
    run_extractors(*(row.pk for row in rows))
    assert before == [False, False]


def test_spans_that_cannot_be_are_a_failure(make_page: MakePage, faulty: Any) -> None:
    assert "SpanError" in run(make_page(), faulty(lie)).error


def test_an_unavailable_version_runs_on_no_page_and_is_never_scored_as_failing(
    corpus: Corpus, make_page: MakePage, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = faulty(lambda document: [], "moving")
    page = make_page()
    before = work.claim(Extraction, Extraction.objects.create(document=page.document, extractor=old).pk)
    monkeypatch.setitem(
        registry.REGISTRY, "moving", ExtractorSpec("moving", "2", "moving", lambda document: [])
    )
    assert not old.is_available
    assert work.attempt(before, actions.run_extraction) is None
    before.refresh_from_db()
    assert (before.state, before.error) == ("waiting", "")
    assert before.last_fault == "OtherVersion: this worker does not have moving 1"
    # Of pages that come later it is not asked at all.
    assert old.pk not in queries.enabled_in(corpus.pk)
    later = make_page().document
    request_extractions(document=later, enabled=queries.enabled_in(corpus.pk))
    assert later not in queries.documents_without_extraction()


def test_a_machine_without_the_file_store_fails_no_extraction(make_page: MakePage, faulty: Any) -> None:
    document = make_page().document
    packed = storage.get(document.packed_sha256)
    row = Extraction.objects.create(document=document, extractor=faulty(lambda document: []))
    storage.remove(document.packed_sha256)
    assert work.attempt(work.claim(Extraction, row.pk), actions.run_extraction) is None
    row.refresh_from_db()
    assert (row.state, row.error) == ("waiting", "")
    assert row.last_fault.startswith("FileNotFoundError")
    storage.put(packed)
    assert work.attempt(work.claim(Extraction, row.pk), actions.run_extraction)


def test_parameters_are_part_of_an_extractors_identity(corpus: Corpus) -> None:
    two = actions.register("tree-filter")
    assert two == actions.register("tree-filter", depth=2)
    assert two != actions.register("tree-filter", depth=3)


@pytest.mark.parametrize(("name", "parameters"), [("nobody", {}), ("tree-filter", {"width": 2})])
def test_what_the_library_does_not_know_is_refused(name: str, parameters: dict[str, int]) -> None:
    with pytest.raises(GoldpanError, match=r"nobody|width"):
        actions.register(name, **parameters)


def test_each_extractor_is_asked_once_about_a_document(corpus: Corpus, make_page: MakePage) -> None:
    document = make_page().documents.get()
    enabled = queries.enabled_in(corpus.pk)
    assert len(actions.request_extractions(document=document, enabled=enabled)) == len(
        actions.DEFAULT_EXTRACTORS
    )
    actions.request_extractions(document=document, enabled=enabled)
    assert document.extractions.count() == len(actions.DEFAULT_EXTRACTORS)
    assert not queries.documents_without_extraction().exists()


def test_a_newly_enabled_extractor_is_missing_everywhere(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(extracted=True)
    assert not queries.documents_without_extraction().exists()
    actions.enable(corpus=corpus, name="tree-filter", depth=4)
    assert list(queries.documents_without_extraction()) == [page.documents.get()]
