"""The corpus report, also of a small corpus in the format of L3S-GN1."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.home.pending import run_pending
from annotator.releases.queries import current_report
from annotator.releases.report import ReportPage, report
from tests.annotator.releases.made import gold_on, release
from tests.annotator.weighted import half_done
from tests.factories import MakePage

# The class of each text, as annotated copies have it; 0 is boilerplate.
CLASSES = {
    1: "Ferry runs aground off the harbour",
    2: "The ferry with forty people on board ran aground early on Monday.",
    3: "By our reporter at the coast",
    4: "More on ferries and harbours",
    5: "I was on board and saw it all",
    0: "Subscribe now | Contact",
}


def l3s_folder(path: Path, pages: int) -> Path:
    """Pages and their annotated copies, with every class once per page."""
    for name in ("original", "annotated"):
        (path / name).mkdir(parents=True)
    for number in range(pages):
        texts = {of: f"{text} {number}" for of, text in CLASSES.items()}
        plain = "".join(f"<p>{text}</p>" for text in texts.values())
        marked = "".join(f'<p><span class="x-nc-sel{of}">{text}</span></p>' for of, text in texts.items())
        for name, body in (("original", plain), ("annotated", marked)):
            html = f"<html><head><title>{number}</title></head><body>{body}</body></html>"
            (path / name / f"{number}.html").write_text(html, encoding="utf-8")
    return path


@pytest.mark.django_db
def test_the_report_of_an_l3s_corpus_has_all_six_classes(tmp_path: Path) -> None:
    corpus = create_corpus(slug="l3s", languages=["en"])
    call_command("import_pages", "l3s", "l3s-gn1", str(l3s_folder(tmp_path / "l3s", 3)), "--with-gold")
    assert run_pending(corpus) == 0
    found = current_report(corpus)
    names = ["headline", "body", "supplemental", "comments", "related", ""]
    assert [row[0] for row in found["labels"]] == names
    by_name = {name: figures for name, *figures in found["labels"]}
    by_class = ("", "headline", "body", "supplemental", "related", "comments")
    for number, text in CLASSES.items():
        tokens = [*text.split(), "0"]
        words = [token for token in tokens if any(map(str.isalnum, token))]
        characters = sum(map(len, tokens))
        assert by_name[by_class[number]][:4] == [3, 3 * len(words), 3 * len(tokens), 3 * characters]
    assert sum(by_name[name][4] for name in names) == pytest.approx(1)
    assert found["total"][0] == 18
    assert [row[:2] for row in found["languages"]] == [["en", 3]]
    share = by_name[""][7]
    assert found["boilerplate"]["pooled"] == pytest.approx(share)
    manifest = json.loads(release(corpus).manifest)
    assert [row[0] for row in manifest["report"]["labels"]] == names
    datasheets = corpus.releases.get().datasheets
    assert f"| Boilerplate | 3 ({100 * by_name[''][4]:.1f} %) |" in datasheets["en"]
    assert "## Composición" in datasheets["es"]
    assert Gold.objects.filter(counted=None).count() == 0


def test_pooled_and_mean_shares() -> None:
    pages = [
        ReportPage("en", "a.example", {"": [1, 5, 5, 30], "body": [1, 5, 5, 70]}),
        ReportPage("en", "a.example", {"": [1, 5, 5, 10]}),
        ReportPage("es", "b.example", {"body": [1, 1, 1, 10]}),
    ]
    found = report(pages, ["body"])
    assert found["sites"] == [
        ["a.example", 2, {"pooled": 40 / 110, "mean": 0.65}],
        ["b.example", 1, {"pooled": 0.0, "mean": 0.0}],
    ]
    assert found["languages"][1][2]["pooled"] == 0.0
    assert report([], ["body"])["boilerplate"] == {"pooled": None, "mean": None}


def test_shares_are_weighted_and_amounts_are_not() -> None:
    pages = [
        ReportPage("en", "a.example", {"": [1, 5, 5, 30], "body": [1, 5, 5, 70]}),
        ReportPage("en", "a.example", {"": [1, 5, 5, 10]}, 3.0),
    ]
    found = report(pages, ["body"])
    once, thrice = (page._replace(weight=1.0) for page in pages)
    replicated = report([once, thrice, thrice, thrice], ["body"])
    assert found["boilerplate"] == pytest.approx(replicated["boilerplate"])
    assert found["sites"][0][2] == pytest.approx(replicated["sites"][0][2])
    assert found["labels"][0][5:] == pytest.approx(replicated["labels"][0][5:])
    assert (found["pages"], found["total"], found["labels"][1][1:5]) == (2, [3, 15, 15, 110], [2, 10, 10, 40])
    assert found["effective"] == pytest.approx(16 / 10)
    assert "effective" not in replicated


@pytest.mark.django_db
def test_the_manifest_has_the_weight_of_each_page(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages, weights = half_done(corpus, cast, make_page)
    for page in pages:
        gold_on(page)
    manifest = json.loads(release(corpus).manifest)
    listed = {row["sha256"]: row.get("weight", 1.0) for row in manifest["pages"]}
    assert [listed[page.sha256] for page in pages] == pytest.approx(weights, abs=1e-6)
    assert manifest["report"]["effective"] == pytest.approx(16 / 10)
    assert "weighted by inclusion probability" in corpus.releases.get().datasheets["en"]
