"""The retrieval effect: computed by a worker, for extractors beside gold and all text."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.runs.models import CorpusExtractor, Extractor
from annotator.scoring.leaderboard.retrieval import EVERYTHING, GOLD, HEADLINE, SAMPLED, effect_from
from annotator.scoring.models import Analysis
from annotator.scoring.tasks import analyse
from extraction.spans import Span
from tests.annotator.scored import give_gold, in_language
from tests.annotator.scoring.leaderboard.cited import assert_digest_is_of
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

WORDS = ["harbour", "clock", "owl", "orchard"]
PROSE = "The {word} of the town was seen by many people that day, they said, and the {word} was fine. " * 4


def page_about(word: str) -> str:
    """A page that names its own subject in its article, and those of the others beside it."""
    others = "".join(f"<p><a href=/{other}>{f'{other} news {other} ' * 8}</a></p>" for other in WORDS)
    return f"<title>{word}</title><h1>{word}</h1><p>{PROSE.format(word=word)}</p><aside>{others}</aside>"


@pytest.fixture
def pages(corpus: Corpus, make_page: MakePage) -> None:
    """A page of each site `WORD.example`."""
    for word in WORDS:
        page = make_page(html=page_about(word), url=f"https://{word}.example/")
        assert page.document
        (first, end), (start, last), *_others = page.document.blocks
        give_gold(page, [Span(first, end, "headline"), Span(start, last, "body")])


def test_pages_are_found_by_gold_and_lost_among_all_text(corpus: Corpus, pages: None, rhea: Client) -> None:
    address = reverse("leaderboard-retrieval", args=[corpus.slug])
    assert "data-moving" in rhea.get(address).content.decode()
    analyse(Analysis.objects.get().pk)
    result = Analysis.objects.get().result
    for kind in (HEADLINE, SAMPLED):
        effect = effect_from(result, kind)
        assert (effect.pages, effect.of) == (4, 4)
        assert effect.row(GOLD).mrr.value == 1
        assert effect.row(GOLD).precision.value == pytest.approx(0.1)
        # The headline is in no index, so that the extractor that takes all equals all text.
        everything = Extractor.objects.get(name="everything")
        assert effect.row(everything.pk).mrr == effect.row(EVERYTHING).mrr
        assert effect.row(EVERYTHING).mrr.low is None
        assert effect.row(EVERYTHING).gain is None
        assert effect.row(GOLD).gain.value == pytest.approx(1 - effect.row(EVERYTHING).mrr.value)
    shown = rhea.get(address).content.decode()
    assert "data-moving" not in shown
    assert "boilerpipe-article" in shown
    lines = list(csv.DictReader(io.StringIO(rhea.get(f"{address}figures.csv").content.decode())))
    assert len(lines) == 2 * (2 + len({line["index"] for line in lines} - {EVERYTHING, GOLD}) + 1)
    assert lines[0]["mrr"] == "1.000000"
    exported = rhea.get(f"{address}figures.json").json()
    assert_digest_is_of(exported)
    assert exported["queries"][HEADLINE][0]["figures"]["mrr"][0] == 1
    assert {line["sha256"] for line in lines} == {exported["sha256"]}
    assert shown.count(exported["cite"]) == 2  # in the drawing, and to be copied


@pytest.fixture
def tuned(corpus: Corpus) -> dict[str, int]:
    """Two extractors by name, one tuned on a page's site, one on all of them."""
    sites = {"everything": ["harbour.example"], "boilerpipe-article": [f"{word}.example" for word in WORDS]}
    for name, those in sites.items():
        Extractor.objects.filter(name=name).update(tuned_on_sites=those)
    return {name: Extractor.objects.get(name=name).pk for name in sites}


def test_a_page_on_which_an_extractor_was_tuned_is_no_query_of_its_figures(
    corpus: Corpus, tuned: dict[str, int], pages: None, make_page: MakePage, rhea: Client
) -> None:
    """Invariant 10. These pages stay in its index, as some of those among which the others are found."""
    give_gold(make_page(html=page_about("harbour "), url="https://harbour.example/again"))
    address = reverse("leaderboard-retrieval", args=[corpus.slug])
    rhea.get(address)
    analyse(Analysis.objects.get().pk)
    rows = {row.name: row for row in effect_from(Analysis.objects.get().result, HEADLINE).rows}
    some, none = rows[tuned["everything"]], rows[tuned["boilerpipe-article"]]
    assert (some.tuned_on, none.tuned_on, rows[EVERYTHING].tuned_on) == (2, 5, 0)
    assert rows[EVERYTHING].figures.mrr.value < 1  # both pages about harbours answer the same query
    assert (some.figures.mrr.value, some.figures.gain.value) == (1, 0)
    assert none.figures is None
    assert "training data only" in rhea.get(address).content.decode()
    lines = list(csv.DictReader(io.StringIO(rhea.get(f"{address}figures.csv").content.decode())))
    of_some = [line["tuned_on"] for line in lines if line["index"] == "everything" and line["version"]]
    assert of_some == ["2", "2"]


def test_the_effect_is_that_of_a_slice(
    corpus: Corpus, pages: None, make_page: MakePage, rhea: Client
) -> None:
    give_gold(in_language(make_page(html=page_about("ferry")), "es"))
    rhea.get(reverse("leaderboard-retrieval", args=[corpus.slug]) + "?of=language:es")
    analyse(Analysis.objects.get().pk)
    assert effect_from(Analysis.objects.get().result, HEADLINE).of == 1


def test_slices_that_share_no_page_have_no_figures(
    corpus: Corpus, pages: None, make_page: MakePage, rhea: Client
) -> None:
    give_gold(in_language(make_page(html=page_about("ferry"), url="https://ferry.example/"), "es"))
    address = reverse("leaderboard-retrieval", args=[corpus.slug])
    of = "?of=language:es&of=site:owl.example"
    rhea.get(address + of)
    analyse(Analysis.objects.get().pk)
    effect = effect_from(Analysis.objects.get().result, HEADLINE)
    assert [row.figures for row in effect.rows] == [None] * len(effect.rows)
    assert rhea.get(address + of).status_code == 200
    lines = csv.DictReader(io.StringIO(rhea.get(f"{address}figures.csv{of}").content.decode()))
    assert {line["mrr"] for line in lines} == {""}


def test_blind_gold_is_that_of_annotators_who_saw_no_suggestion(
    corpus: Corpus, pages: None, make_page: MakePage, rhea: Client
) -> None:
    give_gold(make_page(html=page_about("ferry")), exposed_families=["boilerpipe"])
    rhea.get(reverse("leaderboard-retrieval", args=[corpus.slug]) + "?gold=blind")
    analyse(Analysis.objects.get().pk)
    assert effect_from(Analysis.objects.get().result, HEADLINE).of == len(WORDS)


def test_the_effect_is_that_of_the_label_set_which_its_form_says(
    corpus: Corpus, pages: None, rhea: Client
) -> None:
    """A board of a single label leads to it, of which the form has none."""
    address = reverse("leaderboard-retrieval", args=[corpus.slug]) + "?labels=label%3Aheadline"
    rhea.get(address)
    analyse(Analysis.objects.get().pk)
    shown = rhea.get(address)
    assert shown.context["labels"] in shown.context["label_sets"]
    assert shown.context["gold"].mrr.value == 1


def test_an_extractor_that_has_not_run_on_all_pages_has_no_figures(
    corpus: Corpus, pages: None, make_page: MakePage, rhea: Client
) -> None:
    gone = Extractor.objects.get(name="justext")
    CorpusExtractor.objects.filter(extractor=gone).update(ended_at=timezone.now())
    give_gold(make_page(html=page_about("owl ")))
    rhea.get(reverse("leaderboard-retrieval", args=[corpus.slug]))
    analyse(Analysis.objects.get().pk)
    effect = effect_from(Analysis.objects.get().result, HEADLINE)
    assert next(row for row in effect.rows if row.name == gone.pk).figures is None
    assert (
        "did not run on all pages"
        in rhea.get(reverse("leaderboard-retrieval", args=[corpus.slug])).content.decode()
    )


@pytest.mark.parametrize("screen", ["leaderboard-retrieval", "error-causes"])
def test_another_slice_keeps_the_filters_of_the_leaderboard(
    corpus: Corpus, pages: None, rhea: Client, screen: str
) -> None:
    """Also those that change nothing on the screen: the leaderboard is a click away."""
    extractor = [Extractor.objects.get(name="justext").pk] if screen == "error-causes" else []
    query = "?metric=words&mean=micro&pages=common&figure=recall&gold=blind"
    shown = rhea.get(reverse(screen, args=[corpus.slug, *extractor]) + query).content.decode()
    form = shown[shown.index("data-slices") :].partition("</form>")[0]
    for name, value in (("metric", "words"), ("mean", "micro"), ("pages", "common"), ("figure", "recall")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in form
