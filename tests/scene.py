"""A corpus in which everything stands that a screen can show, and the address of every screen."""

import re
from collections.abc import Callable, Iterable, Iterator
from inspect import getclosurevars
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.urls import URLPattern, get_resolver, resolve, reverse
from django.utils import timezone

from annotator.annotations.actions import claim_next
from annotator.api.webhooks.models import Delivery, Event, Webhook
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.actions import invite
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.models import Corpus, User
from annotator.gold.actions import claim_next as claim_dispute
from annotator.pages.imports.models import Import
from annotator.pages.models import Page
from annotator.practice.actions import open_next as open_practice
from annotator.practice.models import PracticePage
from annotator.releases.actions import add_erratum
from annotator.releases.exports.actions import request_export
from annotator.releases.exports.contents import Contents
from annotator.runs.models import Extractor
from annotator.runs.shrinking import request_shrunk_page
from annotator.scoring.leaderboard.analyses import request_analysis
from annotator.scoring.models import AnalysisKind
from annotator.scoring.tasks import analyse
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.pages.imports.made import (
    completed_import,
    followed_feed,
    previewed_addresses,
    previewed_import,
)
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer, practise, submit_practice
from tests.annotator.releases.made import release, written
from tests.annotator.reparsing.scenarios import reparse_from_older
from tests.annotator.runs.made import runs_in_every_state
from tests.annotator.scored import compare_annotations, compare_extractors, give_gold
from tests.annotator.training.made import measured_curve, models_in_every_state
from tests.factories import MakePage, annotate, password_link, span_of

# What GET answers with no screen of its own: data, files, the frame of a page, a way to somewhere else.
NO_SCREENS = frozenset(
    {"release-state", "release-datasheet", "release-manifest",
     "audit-log-file", "site-audit-log-file",
     "annotate-view", "adjudicate-view", "page-gold-view", "error-view-document",
     "export-state", "export-file", "export-checksum", "model-file",
     "run-report", "leaderboard-version", "leaderboard-csv", "leaderboard-json", "leaderboard-compare-csv",
     "leaderboard-retrieval-csv", "leaderboard-compare-json", "leaderboard-all-pairs-csv",
     "leaderboard-all-pairs-json", "leaderboard-retrieval-json", "error-causes-csv", "error-causes-json",
     "agreement-report", "agreement-counts", "import-state", "import-report",
     "suggestion-bias-observations", "suggestion-bias-report",
     "jobs-csv", "alive", "ready", "metrics", "frame", "frame-quirks",
     "captured-frame", "captured-frame-quirks", "captured-image", "javascript-catalog",
     "set_language", "sign-out", "settings",
     "openid_connect_login", "openid_connect_callback", "account_login", "mfa_index"}
)  # fmt: skip
# They are one of a row of screens, each reached from the one before: see test_authentication.py.
STEPS = frozenset(
    {"mfa_authenticate", "account_reauthenticate", "mfa_reauthenticate", "mfa_deactivate_totp",
     "mfa_view_recovery_codes", "mfa_generate_recovery_codes"}
)  # fmt: skip
# A part of a screen, fetched into it: looked at where it stands.
PARTS = frozenset(
    {
        "extractors-progress",
        "runs-now",
        "run-state",
        "models-now",
        "model-state",
        "jobs-progress",
        "leaderboard-table",
        "leaderboard-all-pairs",
        "corpus-pages",
        "own-pages-list",
        "agreement-tables",
        "suggestion-bias-tables",
        "reparsing-state",
        "styles-state",
        "reannotation-state",
    }
)


class Screen(NamedTuple):
    """One screen, by its name in the messages of tests; who sees it ("" for a stranger), and where."""

    name: str
    who: str
    address: str


class Scene(NamedTuple):
    screens: list[Screen]
    document_address: str  # of the view that the open slot builds
    export_address: str  # of a finished file


def furnish(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, *, note: str = "in doubt") -> Scene:
    """Gold with scores, a dispute in cleo's hands, a slot in ada's, exports, an invitation, a broken page.

    The cast needs a `root` besides, who is superuser. `note` stands wherever somebody may write one.
    """
    gold_page = _page_with_current_gold(cast, make_page)
    _disputed_page(cast, make_page, note)
    make_page()
    _troubles(make_page)
    slot = claim_next(corpus=corpus, annotator=cast.ada)
    dispute = claim_dispute(corpus=corpus, user=cast.cleo)
    _, token = invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne, note=note)
    _second_guideline(corpus, cast.hanne, note)
    _two_releases(corpus, cast, make_page, note)
    export = written(request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne))
    request_export(Contents(corpus=corpus, format="jsonl"), user=cast.hanne)
    moved = reparse_from_older(give_gold(make_page(opened=False)).page)
    practised = _practice(corpus, cast)
    followed_feed(corpus, cast.hanne)
    webhooks_in_every_state(corpus, cast.hanne)
    # A version that this Goldpan does not have.
    Extractor.objects.filter(name="justext").update(version="0.9")
    slug = corpus.slug
    extractor = Extractor.objects.get(name="tree-filter")
    screens = [
        Screen("sign-in", "", reverse("sign-in")),
        Screen("invitation", "", reverse("invitation", args=[token])),
        Screen("used invitation", "", reverse("invitation", args=["made-up"])),
        Screen("new password", "", password_link(cast.ben)),
        *(Screen(f"home of {who}", who, reverse("home")) for who in ("ada", "cleo", "rhea", "hanne", "dov")),
        Screen("own-pages", "ada", reverse("own-pages", args=[corpus.slug])),
        Screen("new corpus", "hanne", reverse("new-corpus")),
        Screen("account", "ada", reverse("account")),
        Screen("authenticator", "ada", reverse("mfa_activate_totp")),
        Screen("annotate", "ada", reverse("annotate", args=[slug, slot.key])),
        Screen("adjudicate", "cleo", reverse("adjudicate", args=[slug, dispute.pk])),
        *(
            Screen(name, "rhea", reverse(name, args=[slug]))
            for name in (
                "corpus",
                "leaderboard",
                "leaderboard-table",
                "leaderboard-retrieval",
                "agreement",
                "agreement-pages",
                "agreement-sites",
                "suggestion-bias",
            )
        ),
        Screen("pages of an extractor", "rhea", reverse("leaderboard-pages", args=[slug, extractor.pk])),
        Screen("leaderboard-compare", "rhea", compare_extractors(corpus)),
        Screen("error-causes", "rhea", error_causes(corpus, extractor)),
        Screen("error-view", "rhea", reverse("error-view", args=[slug, extractor.pk, gold_page.pk])),
        *_run_screens(corpus, cast.hanne),
        Screen("shrunk-page", "rhea", _shrunk_page(slug, extractor, gold_page)),
        Screen("gold of a page", "hanne", reverse("page-gold", args=[slug, gold_page.pk])),
        Screen("audits", "hanne", reverse("audits", args=[slug])),
        *(
            Screen(name, "hanne", reverse(name, args=[slug]))
            for name in (
                "corpus-pages",
                "attention",
                "labels",
                "extractors",
                "jobs",
                "webhooks",
                "danger-zone",
                "people",
                "audit-log",
                "study",
                "quality-checks",
                "exports",
                "imports",
            )
        ),
        *(
            Screen(name, "hanne", reverse(name, args=[slug]))
            for name in ("releases", "releases-compare", "report", "take-down", "near-duplicates")
        ),
        Screen("import, before", "hanne", _import_address(previewed_import(corpus, cast.hanne))),
        Screen("addresses, before", "hanne", _import_address(previewed_addresses(corpus, cast.hanne))),
        Screen("import, after", "hanne", _import_address(completed_import(corpus, cast.hanne))),
        Screen("cluster", "hanne", _cluster_of_two(corpus, make_page)),
        Screen("release", "hanne", reverse("release", args=[slug, 1])),
        Screen("styles", "hanne", reverse("styles", args=[slug])),
        Screen("parser", "hanne", reverse("reparsing", args=[slug])),
        Screen("page moved", "hanne", reverse("reparsing-page", args=[slug, moved.pk])),
        Screen("guideline", "ada", reverse("guideline", args=[slug])),
        Screen("guideline-version", "ben", reverse("guideline-version", args=[slug, 1])),
        Screen("guideline-compare", "cleo", reverse("guideline-compare", args=[slug])),
        Screen("guideline-example", "rhea", reverse("guideline-example", args=[slug, "story"])),
        Screen("guideline-write", "hanne", reverse("guideline-write", args=[slug])),
        Screen("new rounds", "hanne", reverse("reannotation", args=[slug])),
        Screen("new rounds, counted", "hanne", f"{reverse('reannotation', args=[slug])}?seed=7&share=100"),
        *(
            Screen(f"{name} of {who}", who, reverse("practice", args=[slug]))
            for name, who in (("practice", "nell"), ("practice at its end", "olga"), ("practice", "ada"))
        ),
        Screen("home of nell", "nell", reverse("home")),
        Screen("feedback", "nell", reverse("practice-feedback", args=[slug, practised.slot.key])),
        Screen("practice setting", "hanne", reverse("practice-setting", args=[slug])),
        Screen("refusal", "rhea", reverse("people", args=[slug])),
        Screen("not found", "rhea", "/nowhere/"),
        Screen("health", "root", reverse("health")),
        Screen("site-audit-log", "root", reverse("site-audit-log")),
    ]
    return Scene(
        screens,
        document_address=reverse("annotate-view", args=[slug, slot.key]),
        export_address=reverse("export-file", args=[slug, export.pk]),
    )


def webhooks_in_every_state(corpus: Corpus, admin: User) -> None:
    """One that delivers, one that does not, and one that is switched off."""
    now = timezone.now()
    for number, path in enumerate(("gold", "releases-of-all-our-newspapers", "off")):
        webhook = Webhook.objects.create(
            corpus=corpus,
            url=f"https://hooks.example.org/{path}",
            events=Event.values[: number + 1],
            made_by=admin,
            paused_at=now if path == "off" else None,
        )
        fared = [
            {"finished_at": now, "status": 204},
            {"tries": 3, "status": 502, "problem": "it answered with status 502"},
            {"finished_at": now, "error": "switched off"},
        ]
        Delivery.objects.create(
            webhook=webhook,
            corpus=corpus,
            event=Event.GOLD_DECIDED,
            subject=str(number),
            body={},
            **fared[number],
        )


def error_causes(corpus: Corpus, extractor: Extractor) -> str:
    """The address of an extractor's errors, counted by a worker."""
    filters = {"extractor": str(extractor.pk), "labels": "article", "gold": "all", "of": ""}
    analysis, _ = request_analysis(corpus=corpus, name=AnalysisKind.ERRORS, filters=filters)
    analyse(analysis.pk)
    return reverse("error-causes", args=[corpus.slug, extractor.pk]) + "?labels=article"


def _run_screens(corpus: Corpus, admin: User) -> Iterator[Screen]:
    runs = runs_in_every_state(corpus, admin)
    yield Screen("runs", "hanne", reverse("runs", args=[corpus.slug]))
    yield Screen("runs of a researcher", "rhea", reverse("runs", args=[corpus.slug]))
    for state, run in runs.items():
        yield Screen(f"run, {state}", "hanne", reverse("run", args=[corpus.slug, run.pk]))
    models = models_in_every_state(corpus, admin)
    measured_curve(corpus, admin)
    yield Screen("models", "hanne", reverse("models", args=[corpus.slug]))
    for state, model in models.items():
        yield Screen(f"model, {state}", "hanne", reverse("model", args=[corpus.slug, model.number]))


def _shrunk_page(slug: str, extractor: Extractor, page: Page) -> str:
    """The address of the smallest failing page of an error, while it waits for a worker."""
    extraction = extractor.extractions.get(document__page=page)
    shrunk, _ = request_shrunk_page(extraction=extraction, start=0, end=12, is_missing=True, labels="article")
    return reverse("shrunk-page", args=[slug, shrunk.pk])


def _cluster_of_two(corpus: Corpus, make_page: MakePage) -> str:
    """Two pages but for a sentence the same; the address of their cluster."""
    words = " ".join(f"alike{number}" for number in range(60))
    first, _second = (
        make_page(f"<h1>Alike</h1><p>{words}</p>{end}", opened=False) for end in ("", "<p>End.")
    )
    first.refresh_from_db()
    return reverse("cluster", args=[corpus.slug, first.cluster_id])


def routes_without_a_screen(screens: Iterable[Any]) -> set[str]:
    """Routes that answer GET and that no screen's address leads to: every one of them was forgotten."""
    paths = {screen.address.partition("?")[0] for screen in screens} - {"/nowhere/"}
    shown = {resolve(path).view_name for path in paths}
    answering = {pattern.name for pattern in _patterns(get_resolver()) if _answers_get(pattern)}
    of_api = {name for name in answering if name.startswith("api-")}
    return answering - shown - NO_SCREENS - STEPS - PARTS - of_api


def _patterns(resolver: Any) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each
        else:
            yield from _patterns(each)


def _answers_get(pattern: URLPattern) -> bool:
    view: Callable[..., Any] | None = pattern.callback
    while view is not None:
        # `require_POST` and its like keep what they allow in their closure.
        allowed = getclosurevars(view).nonlocals.get("request_method_list")
        if allowed is not None:
            return "GET" in allowed
        view = getattr(view, "__wrapped__", None)
    return True


def _page_with_current_gold(cast: SimpleNamespace, make_page: MakePage) -> Page:
    page = make_page()
    marks = [span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "body")]
    for person in (cast.ada, cast.ben):
        annotate(page, person, marks)
    compare_annotations(page)
    give_gold(page, marks)
    return page


def _disputed_page(cast: SimpleNamespace, make_page: MakePage, note: str) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")], note=note)
    annotate(page, cast.ben, [span_of(page, "The council said", "body")], note=note)
    finalise(page)


def _second_guideline(corpus: Corpus, admin: User, note: str) -> None:
    """Another version, in every language, with each kind of change; a clause says what the note says."""
    written = corpus.guidelines.get(number=corpus.guideline_version).texts
    write_version(
        corpus=corpus,
        texts={language: _changed(text, note) for language, text in written.items()},
        note=note,
        made_by=admin,
        based_on=corpus.guideline_version,
    )


def _changed(guideline: str, note: str) -> str:
    """Of clauses 1.2, 1.3, 1.7, 1.8 and 2.3: words added, a link gone, words gone, another number, label."""
    for clause, change in (
        (r"1\.2 .*?(?= \[)", lambda found: f"{found[0]} {note}"),
        (r"(1\.3 .*?) \[.*?\)", lambda found: found[1]),
        (r"(1\.7 ).*?\. ", lambda found: found[1]),
        (r"1\.8 ", lambda _found: "1.9 "),
        (r"(2\.3 .*)\{headline\}", lambda found: f"{found[1]}{{supplemental}}"),
    ):
        guideline, count = re.subn(f"^{clause}", change, guideline, flags=re.MULTILINE)
        assert count == 1, clause
    return guideline


def _two_releases(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, note: str) -> None:
    """One with something wrong in it, and one in which pages are new: enough for figures to have a course."""
    first = release(corpus, user=cast.hanne, note=note)
    digest = first.rows.get().sha256
    add_erratum(release=first, digest=digest, description=note, user=cast.hanne)
    for _ in range(3):
        give_gold(make_page(opened=False))
    release(corpus, user=cast.hanne)


def _practice(corpus: Corpus, cast: SimpleNamespace) -> PracticePage:
    """nell has made one page of the second try, olga has none left; hanne has let no one through."""
    with Parser() as parser:
        source = corpus_with_gold(parser, cast.hanne)
    ask(corpus, cast.hanne, source)
    cast.nell, cast.olga = newcomer(corpus, "nell"), newcomer(corpus, "olga")
    for _ in range(4):
        practise(corpus, cast.olga, well=False)
    for well in (True, False):
        practise(corpus, cast.nell, well=well)
    slot = open_practice(corpus=corpus, annotator=cast.nell)
    page = slot.round.page
    marks = [span_of(page, "Bridge opens", "body"), span_of(page, "Copyright 2026 Daily", "supplemental")]
    return submit_practice(slot, cast.nell, marks)


def _troubles(make_page: MakePage) -> None:
    """A page that cannot be parsed, and one that the machine was not able to parse yet."""
    page, waiting = make_page(opened=False), make_page(opened=False)
    Page.objects.filter(pk=page.pk).update(error="deeper than allowed", refusal="too-deep")
    fault = "FileNotFoundError: the file store is not there"
    Page.objects.filter(pk=waiting.pk).update(finished_at=None, faults=OVERLOADED, last_fault=fault)


def _import_address(run: Import) -> str:
    return reverse("import", args=[run.corpus.slug, run.pk])
