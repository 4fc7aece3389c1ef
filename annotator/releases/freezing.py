"""Making a release: every current gold as it stands, its split, and a manifest with the digest of all."""

from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.annotations.models import WITH_SPANS
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.gold.weights import gold_weights
from annotator.pages.models import Document
from annotator.releases import figures, queries
from annotator.releases.canonical import canonical, digest_of
from annotator.releases.datasheet import LANGUAGES, datasheet
from annotator.releases.models import Erratum, GoldCount, Release, ReleasePage
from annotator.releases.report import Counted, report
from annotator.releases.splits import SHARES, SPLITS, Member, Placed, place
from extraction.composition import composition
from extraction.spans import LABEL_SETS, Span, normalise

FORMAT = "goldpan-release/1"
# How many pages pass between two signs of life.
STEP = 20

Beat = Callable[[int], None]


class Lost(Exception):
    """The row was given to another worker."""


def make(release: Release, step: Beat = lambda _done: None) -> bool:
    """Freeze what stands now into a claimed release; False when it was taken over meanwhile."""
    corpus = release.corpus
    golds = list(queries.to_release(corpus))
    if not golds:
        return work.fail(release, error="there is no gold to release")

    def sign(done: int) -> None:
        step(done)
        if done % STEP == 0:
            Release.objects.filter(pk=release.pk).update(done=done, pages=len(golds))
            if not work.beat(release):
                raise Lost

    try:
        rows, counts = _rows(release, golds, sign)
    except Lost:
        return False
    manifest = _manifest(release, golds, rows, counts)
    written = canonical(manifest)
    datasheets = {language: datasheet(manifest, language) for language in LANGUAGES}
    return _keep(release, rows, written, datasheets)


@transaction.atomic
def _keep(release: Release, rows: list[ReleasePage], manifest: str, datasheets: dict[str, str]) -> bool:
    before = queries.splits_before(release.corpus)
    ReleasePage.objects.bulk_create(rows, batch_size=500)
    _say_what_moved(release, rows, before)
    _say_what_is_corrected(release, rows)
    digest = sha256(manifest.encode()).hexdigest()
    result = {"manifest": manifest, "sha256": digest, "datasheets": datasheets}
    kept = work.finish(release, pages=len(rows), done=len(rows), **result)
    if not kept:
        transaction.set_rollback(True)
    return kept


def _say_what_moved(release: Release, rows: Iterable[ReleasePage], before: dict[str, str]) -> None:
    """A page in another split than the last time: two groups have become one."""
    moved = {row.sha256: row.split for row in rows if before.get(row.sha256, row.split) != row.split}
    last: dict[str, int] = dict(
        ReleasePage.objects.filter(release__corpus=release.corpus_id, sha256__in=moved)
        .exclude(release=release)
        .order_by("release__number")
        .values_list("sha256", "release")
    )
    Erratum.objects.bulk_create(
        Erratum(
            corpus_id=release.corpus_id,
            release_id=last[digest],
            sha256=digest,
            what=f"shares a site or near duplicates with pages of {split}, and was in {before[digest]}",
            corrected_in=release,
        )
        for digest, split in sorted(moved.items())
    )


def _say_what_is_corrected(release: Release, rows: Iterable[ReleasePage]) -> None:
    """Open errata of pages whose gold is another now, or that are no longer there."""
    now = {row.sha256: row.gold_id for row in rows}
    for erratum in Erratum.objects.filter(corpus=release.corpus_id, corrected_in=None):
        then = ReleasePage.objects.filter(release=erratum.release_id, sha256=erratum.sha256)
        if then.values_list("gold", flat=True).first() != now.get(erratum.sha256):
            Erratum.objects.filter(pk=erratum.pk, corrected_in=None).update(corrected_in=release)


# ---- rows ----


def _rows(release: Release, golds: list[Gold], step: Beat) -> tuple[list[ReleasePage], list[Any]]:
    """A row for every gold, and what its page adds to agreement, if anything."""
    placed = place(
        map(_member, golds), before=queries.splits_before(release.corpus), seed=release.corpus.slug
    )
    rows, counts, counted = [], [], queries.amounts_of(gold.pk for gold in golds).keys()
    for number, gold in enumerate(golds, start=1):
        if gold.pk not in counted:
            count_gold(gold=gold)
        counts.append(figures.counts_of(gold))
        rows.append(_row(release, gold, placed[gold.page.sha256]))
        step(number)
    return rows, counts


def _member(gold: Gold) -> Member:
    page = gold.page
    return Member(page.sha256, page.site, page.cluster.sha256 if page.cluster else "", page.language)


def _row(release: Release, gold: Gold, placed: Placed) -> ReleasePage:
    page = gold.page
    facts = {
        "url": page.url,
        "charset": page.charset,
        "captured_at": page.captured_at.isoformat() if page.captured_at else None,
        "language": page.language,
        "site": page.site,
    }
    return ReleasePage(
        release=release,
        gold=gold,
        sha256=page.sha256,
        gold_sha256=gold_digest(gold),
        split=placed.split,
        group=placed.group,
        facts=facts,
    )


def gold_digest(gold: Gold) -> str:
    """SHA-256 of what a gold says, wherever it is kept."""
    return digest_of(
        {
            "document": gold.document.sha256,
            "verdict": gold.verdict,
            "reason": gold.reason,
            "spans": sorted(gold.spans),
            "tells": gold.tells,
            "source": gold.source,
        }
    )


def count_gold(*, gold: Gold) -> None:
    """Keep what the gold's page is made of; twice is once."""
    if GoldCount.objects.filter(gold=gold).exists():
        return
    spans = normalise(Span(start, end, label) for start, end, label, *_source in gold.spans)
    # Not through the gold: a release holds all golds at once, and is not to hold all texts.
    text, blocks = Document.objects.values_list("text", "blocks").get(pk=gold.document_id)
    amounts = composition(text, [(start, end) for start, end in blocks], spans)
    GoldCount.objects.get_or_create(gold=gold, defaults={"amounts": amounts})


# ---- the manifest ----


def _manifest(
    release: Release, golds: list[Gold], rows: list[ReleasePage], counts: list[Any]
) -> dict[str, Any]:
    corpus, terms = release.corpus, queries.terms_of(release.corpus)
    labels = list(corpus.labels.values_list("name", flat=True))
    amounts = queries.amounts_of(gold.pk for gold in golds)
    known = gold_weights(corpus)
    weights = [known.get(gold.page_id, 1.0) for gold in golds]
    of_pages = [
        Counted(gold.page.language, gold.page.site, amounts[gold.pk], weight)
        for gold, weight in zip(golds, weights, strict=True)
        if gold.verdict in WITH_SPANS
    ]
    compared = [(each, weight) for each, weight in zip(counts, weights, strict=True) if each]
    sets = {name: sorted(members) for name, members in LABEL_SETS.items()}
    return {
        "format": FORMAT,
        "corpus": corpus.slug,
        "name": corpus.name,
        "number": release.number,
        "note": release.note,
        "licence": terms.licence,
        "collection": terms.collection,
        "limits": terms.limits,
        "labels": labels,
        "label_sets": {"sets": sets, "sha256": digest_of(sets)},
        "guideline": {"version": corpus.guideline_version, "sha256": _guidelines(corpus)},
        "parsers": dict(Counter(gold.document.version for gold in golds)),
        "splits": {
            "seed": corpus.slug,
            "shares": SHARES,
            "grouped_by": ["site", "near duplicates"],
            "pages": {split: sum(row.split == split for row in rows) for split in SPLITS},
            "groups": len({row.group for row in rows}),
        },
        "agreement": figures.agreement(compared),
        "report": report(of_pages, labels),
        "captured": _captured(golds),
        "verdicts": dict(Counter(gold.verdict for gold in golds)),
        "sources": dict(Counter(gold.source for gold in golds)),
        "pages": _pages(corpus, golds, rows, weights),
    }


def _guidelines(corpus: Corpus) -> dict[str, str]:
    """The digest of every version's text."""
    return {str(each.number): digest_of(each.texts) for each in corpus.guidelines.all()}


def _captured(golds: list[Gold]) -> dict[str, Any]:
    days = sorted(gold.page.captured_at.date().isoformat() for gold in golds if gold.page.captured_at)
    return {
        "first": days[0] if days else None,
        "last": days[-1] if days else None,
        "unknown": len(golds) - len(days),
    }


def _pages(
    corpus: Corpus, golds: list[Gold], rows: list[ReleasePage], weights: list[float]
) -> list[dict[str, Any]]:
    """What is said of each page; its weight only where it stands for others too."""
    guidelines = queries.guidelines_of(corpus)
    return [
        {
            "sha256": row.sha256,
            "document": gold.document.sha256,
            "parser": gold.document.version,
            "gold": row.gold_sha256,
            "verdict": gold.verdict,
            "source": gold.source,
            "guidelines": sorted(guidelines.get(gold.page_id, ())),
            "split": row.split,
            "group": row.group,
            "site": row.facts["site"],
            "language": row.facts["language"],
            "captured_at": row.facts["captured_at"],
            **({"weight": weight} if weight != 1 else {}),
        }
        for gold, row, weight in zip(golds, rows, weights, strict=True)
    ]


def request_release(*, corpus: Corpus, user: User | None = None, note: str = "") -> Release:
    """The next release's row, for a worker. Raises GoldpanError while another one is being made."""
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        if Release.objects.filter(corpus=corpus, finished_at=None).exists():
            raise Conflict(_("Another release of this corpus is being made."))
        if not queries.to_release(corpus).exists():
            raise GoldpanError(_("There is no gold to release yet."))
        # A failed one leaves its number to the next.
        Release.objects.filter(corpus=corpus, sha256="").delete()
        last = queries.releases_of(corpus).first()
        number = last.number + 1 if last else 1
        return Release.objects.create(corpus=corpus, number=number, note=note.strip()[:500], made_by=user)
