"""The demo corpus in the middle of its work, and a picture of every screen of it."""

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from django.db.models import F, QuerySet
from django.urls import reverse
from playwright.sync_api import Browser, Page, sync_playwright

from annotator.annotations.actions import claim_next
from annotator.common import storage
from annotator.common.roles import ADJUDICATOR, ADMIN, ANNOTATOR, RESEARCHER
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.actions import invite
from annotator.corpora.models import Corpus, User
from annotator.demo.actions import create_demo
from annotator.demo.people import create_account
from annotator.gold.actions import claim_next as claim_dispute
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.home import pending
from annotator.pages import models as pages
from annotator.pages.actions import add_page
from annotator.releases.actions import add_erratum, count_missing
from annotator.releases.exports.actions import request_export
from annotator.releases.exports.contents import Contents
from annotator.runs.models import Extraction, Extractor
from annotator.runs.shrinking import request_shrunk_page
from annotator.runs.tasks import shrink_page
from annotator.scoring.leaderboard.analyses import request_analysis
from annotator.scoring.models import AnalysisKind
from annotator.scoring.tasks import analyse
from extraction.sandbox import Parser
from extraction.spans import Span
from tests import chromium
from tests.annotator.pages.imports.made import completed_import
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer, practise
from tests.annotator.releases.made import release, written
from tests.annotator.reparsing.scenarios import reparse_from_older
from tests.annotator.runs.made import runs_in_every_state
from tests.annotator.scored import compare_extractors
from tests.annotator.training.made import measured_curve, models_in_every_state
from tests.browser import workbench
from tests.conftest import FLAGS
from tests.factories import PASSWORD, annotate, make_user, password_link
from tests.processes import web
from tests.scene import error_causes, routes_without_a_screen, webhooks_in_every_state

WIDTHS = (1440, 800)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHT = 900
# Milliseconds until a screen has followed a change of its width or theme.
SETTLE_MS = 400

# Pages of the demo: as few as show everything.
SMALL_DEMO = 12

CAST = {ANNOTATOR: "ines", ADJUDICATOR: "ruth", RESEARCHER: "daniel", ADMIN: "hanne"}


class Screen(NamedTuple):
    """A screen by its name in the file names: who sees it ("" for a stranger), where; keys pressed there."""

    name: str
    who: str
    address: str
    keys: tuple[str, ...] = ()
    is_workbench: bool = False


def fill(folder: Path) -> int:
    """Save FOLDER/<screen>-<width>-<theme>.png for every screen; how many."""
    screens = list(_furnish())
    forgotten = routes_without_a_screen(screens)
    assert not forgotten, f"no picture of {', '.join(sorted(forgotten))}"
    with tempfile.TemporaryDirectory() as logs, web(Path(logs)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        windows = {who: _window(browser, site, who) for who in {screen.who for screen in screens}}
        for screen in screens:
            _take(windows[screen.who], site, screen, folder)
        browser.close()
    return len(screens) * len(WIDTHS) * len(THEMES)


# ---- the corpus ----


def _furnish() -> Iterator[Screen]:
    """Fill the corpus, then name its screens."""
    corpus = create_demo(SMALL_DEMO)
    cast = {
        role: create_account(corpus, role=role, name=name, password=PASSWORD) for role, name in CAST.items()
    }
    _submit_one(corpus, cast[ANNOTATOR])
    slot = claim_next(corpus=corpus, annotator=cast[ANNOTATOR])
    dispute = claim_dispute(corpus=corpus, user=cast[ADJUDICATOR])
    add_page(corpus=corpus, raw=b"<p" + b" a=1" * 20_000 + b">", url="https://broken.example/")
    _copies(corpus, corpus.pages.filter(error="").order_by("pk"))
    pending.run_pending(corpus)
    _two_releases(corpus, cast[ADMIN])
    written(request_export(Contents(corpus=corpus, format="jsonl"), user=cast[ADMIN]))
    _troubles(corpus)
    _, token = invite(corpus=corpus, roles=["annotator"], made_by=cast[ADMIN], note="Nora")
    yield from _signed_out(token)
    yield from (Screen(f"home-{role}", name, reverse("home")) for role, name in CAST.items())
    yield Screen("own-pages", "ines", reverse("own-pages", args=[corpus.slug]))
    yield Screen("account", "ines", reverse("account"))
    yield Screen("authenticator", "ines", reverse("mfa_activate_totp"))
    slug = corpus.slug
    marking = ("1", "j", "j", "Space", "2", "j", "Space", "y")
    yield Screen("annotate", "ines", reverse("annotate", args=[slug, slot.key]), marking, is_workbench=True)
    yield Screen(
        "annotate-keys", "ines", reverse("annotate", args=[slug, slot.key]), ("?",), is_workbench=True
    )
    yield Screen(
        "adjudicate", "ruth", reverse("adjudicate", args=[slug, dispute.pk]), ("b",), is_workbench=True
    )
    for name in (
        "corpus",
        "leaderboard",
        "agreement",
        "agreement-pages",
        "agreement-sites",
        "suggestion-bias",
    ):
        yield Screen(name, "daniel", reverse(name, args=[slug]))
    scored = Extraction.objects.filter(scores__gold__verdict="article", document__page__corpus=corpus)
    seen = scored.select_related("document").filter(extractor__name="boilerpipe-default").earliest("pk")
    extractor = seen.extractor_id
    yield Screen("leaderboard-pages", "daniel", reverse("leaderboard-pages", args=[slug, extractor]))
    yield Screen("error-causes", "daniel", error_causes(corpus, seen.extractor))
    error_view = reverse("error-view", args=[slug, extractor, seen.document.page_id])
    yield Screen("error-view", "daniel", error_view, ("n",), is_workbench=True)
    other = Extraction.objects.filter(document=seen.document, extractor__name="goldpan").get()
    two = f"{error_view}?vs={other.extractor_id}"
    yield Screen("error-view-of-two", "daniel", two, ("n",), is_workbench=True)
    yield Screen("shrunk-page", "daniel", _shrunk_page(seen))
    yield Screen("leaderboard-compare", "daniel", compare_extractors(corpus))
    yield Screen("leaderboard-retrieval", "daniel", _retrieval(corpus))
    runs = runs_in_every_state(corpus, cast[ADMIN])
    yield Screen("runs", "hanne", reverse("runs", args=[slug]))
    for state, run in runs.items():
        yield Screen(f"run-{state}", "hanne", reverse("run", args=[slug, run.pk]))
    models = models_in_every_state(corpus, cast[ADMIN])
    measured_curve(corpus, cast[ADMIN])
    yield Screen("models", "hanne", reverse("models", args=[slug]))
    for state, model in models.items():
        yield Screen(f"model-{state}", "hanne", reverse("model", args=[slug, model.number]))
    page_gold = reverse("page-gold", args=[slug, seen.document.page_id])
    yield Screen("page-gold", "hanne", page_gold, ("j", "j"), is_workbench=True)
    yield Screen("audits", "hanne", reverse("audits", args=[slug]))
    yield Screen("release", "hanne", reverse("release", args=[slug, 2]))
    sought = f"{reverse('take-down', args=[slug])}?digest={seen.document.page.sha256}"
    yield Screen("take-down", "hanne", sought)
    for name in ("releases", "releases-compare", "report", "near-duplicates"):
        yield Screen(name, "hanne", reverse(name, args=[slug]))
    cluster = corpus.pages.exclude(cluster=None).exclude(cluster=F("pk")).latest("pk").cluster_id
    yield Screen("cluster", "hanne", reverse("cluster", args=[slug, cluster]))
    imported = completed_import(corpus, cast[ADMIN])
    yield Screen("import", "hanne", reverse("import", args=[slug, imported.pk]))
    webhooks_in_every_state(corpus, cast[ADMIN])
    for name in (
        "imports",
        "styles",
        "webhooks",
        "attention",
        "labels",
        "extractors",
        "jobs",
        "danger-zone",
        "people",
        "audit-log",
        "study",
        "quality-checks",
        "exports",
    ):
        yield Screen(name, "hanne", reverse(name, args=[slug]))
    for name in ("guideline", "guideline-compare", "guideline-write"):
        yield Screen(name, "hanne", reverse(name, args=[slug]))
    yield Screen("reannotation", "hanne", f"{reverse('reannotation', args=[slug])}?seed=7&share=50")
    moved = reparse_from_older(_page_with_gold(corpus), lost_text=" It said so in small print, twice.")
    yield Screen("reparsing", "hanne", reverse("reparsing", args=[slug]))
    yield Screen("reparsing-page", "hanne", reverse("reparsing-page", args=[slug, moved.pk]))
    yield Screen("guideline-example", "ines", reverse("guideline-example", args=[slug, "story"]))
    yield Screen("guideline-version", "ines", reverse("guideline-version", args=[slug, 1]))
    yield from _practice(corpus, cast[ADMIN])
    yield Screen("health", "hanne", reverse("health"))
    yield Screen("new-corpus", "hanne", reverse("new-corpus"))
    yield Screen("site-audit-log", "hanne", reverse("site-audit-log"))
    yield Screen("not-found", "hanne", "/nowhere/")


def _signed_out(token: str) -> Iterator[Screen]:
    # Signing in would use the link up.
    stranger = make_user("nora", password=PASSWORD)
    yield Screen("sign-in", "", reverse("sign-in"))
    yield Screen("invitation", "", reverse("invitation", args=[token]))
    yield Screen("new-password", "", password_link(stranger))


def _practice(corpus: Corpus, admin: User) -> Iterator[Screen]:
    """A newcomer has done one page well and one badly."""
    with Parser() as parser:
        ask(corpus, admin, corpus_with_gold(parser, admin))
    nell = newcomer(corpus, "nell", password=PASSWORD)
    practise(corpus, nell)
    practised = practise(corpus, nell, well=False)
    slug = corpus.slug
    yield Screen("home-newcomer", "nell", reverse("home"))
    yield Screen("practice", "nell", reverse("practice", args=[slug]))
    yield Screen("practice-feedback", "nell", reverse("practice-feedback", args=[slug, practised.slot.key]))
    yield Screen("practice-setting", "hanne", reverse("practice-setting", args=[slug]))


def _page_with_gold(corpus: Corpus) -> pages.Page:
    gold = Gold.objects.filter(page__corpus=corpus, current=True, verdict="article").exclude(spans=[])
    return gold.latest("pk").page


def _submit_one(corpus: Corpus, annotator: User) -> None:
    """One page marked and submitted, its first long block as body."""
    slot = claim_next(corpus=corpus, annotator=annotator)
    assert slot
    page = slot.round.page
    document = page.documents.latest("made_at")
    start, end = max(document.blocks, key=lambda block: block[1] - block[0])
    annotate(page, annotator, [Span(start, end, "body")])


def _shrunk_page(extraction: Extraction) -> str:
    """The address of the smallest page on which it misses the first piece of gold that it misses."""
    taken, gold = extraction.spans, extraction.scores.latest("pk").gold
    start, end = next(
        (start, end)
        for start, end, *_ in gold.spans
        if not any(start < its_end and its_start < end for its_start, its_end, *_ in taken)
    )
    shrunk, _ = request_shrunk_page(
        extraction=extraction, start=start, end=end, is_missing=True, labels="article"
    )
    shrink_page(shrunk.pk)
    return reverse("shrunk-page", args=[extraction.document.page.corpus.slug, shrunk.pk])


def _retrieval(corpus: Corpus) -> str:
    """The address of the retrieval effect, computed by a worker."""
    filters = {"labels": "article", "gold": "all", "of": ""}
    analysis, _ = request_analysis(corpus=corpus, name=AnalysisKind.RETRIEVAL, filters=filters)
    analyse(analysis.pk)
    return reverse("leaderboard-retrieval", args=[corpus.slug]) + "?labels=article"


def _troubles(corpus: Corpus) -> None:
    """A page that the machine was not able to parse yet, and an extractor that this Goldpan does not have."""
    waiting = add_page(corpus=corpus, raw=b"<p>A page", url="https://waiting.example/").page
    fault = "FileNotFoundError: the file store is not there"
    pages.Page.objects.filter(pk=waiting.pk).update(faults=OVERLOADED, last_fault=fault)
    Extractor.objects.filter(name="justext").update(version="0.9")


def _copies(corpus: Corpus, found: QuerySet[pages.Page]) -> None:
    """The first three pages as agencies' customers have them: with a line of their own."""
    for index, page in enumerate(found[:3]):
        raw = storage.get(page.sha256)
        for number in range(1 + 3 * (index == 1)):
            line = f"<p>Passed on by paper {number} of the coast.</p>".encode()
            add_page(corpus=corpus, raw=raw + line, url=f"https://www.coast{number}.example/{index}")


def _two_releases(corpus: Corpus, admin: User) -> None:
    """Between them the gold of a page changes."""
    first = release(corpus, user=admin, note="The first pages.")
    row = first.rows.filter(gold__verdict="article").first()
    add_erratum(release=first, digest=row.sha256, description="The caption is part of the body.", user=admin)
    document, spans = row.gold.document, row.gold.spans
    add_gold(document=document, verdict="article", spans=spans[:-1], source="adjudicated")
    release(corpus, user=admin, note="A caption is no body any more.")
    count_missing(at_once=1_000)


# ---- the pictures ----


def _window(browser: Browser, site: str, who: str) -> Page:
    """A window of its own, signed in unless for a stranger."""
    page = browser.new_context(viewport={"width": WIDTHS[0], "height": HEIGHT}).new_page()
    if who:
        workbench.sign_in(page, site, who)
    return page


def _take(page: Page, site: str, screen: Screen, folder: Path) -> None:
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    page.goto(site + screen.address)
    if screen.is_workbench:
        workbench.ready(page)
    for key in screen.keys:
        page.keyboard.press(key)
    for width, theme in product(WIDTHS, THEMES):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(SETTLE_MS)
        page.screenshot(path=folder / f"{screen.name}-{width}-{theme}.png", full_page=not screen.is_workbench)
