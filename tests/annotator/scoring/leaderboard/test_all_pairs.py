"""Every pair of extractors tested by a worker, corrected by Holm's method, beside the pair on screen."""

import pytest
from django.test import Client
from django.urls import reverse
from scipy import stats

from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.all_pairs import tests_from as stored_tests
from annotator.scoring.leaderboard.pair_analysis import paired_pages
from annotator.scoring.models import Analysis, AnalysisKind
from annotator.scoring.tasks import analyse
from tests.annotator.scored import give_gold, in_language
from tests.annotator.scoring.leaderboard.cited import assert_digest_is_of
from tests.factories import MakePage

pytestmark = pytest.mark.django_db

ARTICLE = (
    "<nav><a href=/>Front page</a> <a href=/b>County</a></nav><h1>Bridge {n} reopens</h1>"
    "<p>{prose}</p><p>{prose}</p><p>Words {more}</p><p>The last one, the gold of this test.</p><p>End</p>"
)


@pytest.fixture
def pages(corpus: Corpus, make_page: MakePage) -> None:
    for n in range(12):
        prose = "The ferry left the harbour late because of the fog, said its captain. " * (1 + n % 4)
        give_gold(make_page(html=ARTICLE.format(n=n, prose=prose, more="more " * n)))


def test_pairs_without_a_common_page_have_no_difference(
    corpus: Corpus, make_page: MakePage, rhea: Client
) -> None:
    for language in ("en", "es"):
        give_gold(in_language(make_page(url=f"https://{language}.example/a"), language))
    address = reverse("leaderboard-all-pairs", args=[corpus.slug])
    of = "?of=language:en&of=site:es.example"
    rhea.get(address + of)
    analyse(Analysis.objects.get(name=AnalysisKind.PAIRS).pk)
    tests = stored_tests(Analysis.objects.get(name=AnalysisKind.PAIRS).result)
    assert {(test.pages, test.difference, test.p) for test in tests} == {(0, None, None)}
    assert rhea.get(address + of).status_code == 200


def test_all_pairs_are_tested_and_corrected(corpus: Corpus, pages: None, rhea: Client) -> None:
    address = reverse("leaderboard-compare", args=[corpus.slug])
    assert "data-moving" in rhea.get(address).content.decode()
    analyse(Analysis.objects.get(name=AnalysisKind.PAIRS).pk)
    tests = stored_tests(Analysis.objects.get(name=AnalysisKind.PAIRS).result)
    scored = queries.scored_extractors(corpus)
    assert len(tests) == len(scored) * (len(scored) - 1) // 2
    known = sorted(test.p for test in tests)
    expected: list[float] = []
    for rank, p in enumerate(known):
        expected.append(min(1.0, max([p * (len(known) - rank), *expected[-1:]])))
    assert sorted(test.corrected for test in tests) == pytest.approx(sorted(expected))
    one = next(test for test in tests if 0 < test.p < 1)
    compared = paired_pages(corpus, one.first, one.second, labels="main")
    differences = [round(page.first.f1 - page.second.f1, 12) for page in compared]
    assert one.pages == len(compared) == 12
    assert one.p == pytest.approx(stats.wilcoxon(differences).pvalue)
    assert one.difference == pytest.approx(sum(differences) / len(differences))
    two = f"{address}?first={one.first}&second={one.second}"
    rhea.get(two)
    analyse(Analysis.objects.latest("pk").pk)
    shown = rhea.get(two).content.decode()
    assert f"Holm, {len(tests)} pairs" in " ".join(shown.split())
    name = Extractor.objects.get(pk=one.first).name
    part = rhea.get(reverse("leaderboard-all-pairs", args=[corpus.slug])).content.decode()
    assert name in part
    assert f"first={one.first}&amp;second={one.second}" in part
    exported = rhea.get(reverse("leaderboard-all-pairs-json", args=[corpus.slug])).json()
    assert_digest_is_of(exported)
    assert [(pair["p"], pair["p_corrected"]) for pair in exported["pairs"]] == [
        (test.p, test.corrected) for test in tests
    ]
    lines = rhea.get(reverse("leaderboard-all-pairs-csv", args=[corpus.slug])).content.decode().splitlines()
    assert len(lines) == len(tests) + 1
