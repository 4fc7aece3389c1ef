"""Builds a release: every current gold, its split, and a manifest with all digests."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.templatetags.figures import count
from annotator.common.work_kinds import STOPPED
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.files import lock_removal
from annotator.releases import gold_counts, queries
from annotator.releases.canonical_json import canonical_gold, canonical_json
from annotator.releases.datasheet import LANGUAGES, datasheet
from annotator.releases.differences import correction_of
from annotator.releases.manifest import ManifestBuilder
from annotator.releases.models import Erratum, Release, ReleasePage
from annotator.releases.splits import MOVED, SPLITS, SplitAssignment, SplitPage, assign_splits

# Golds read at once, with the texts of those that are not counted yet. A heartbeat follows each batch.
BATCH_SIZE = 100

Progress = Callable[[int], object]


class ReleaseStopped(Exception):
    """An admin has stopped the release, or another worker has taken it over."""


def build_release(release: Release, step: Progress = lambda _done: None) -> bool:
    """Freeze the current gold in a claimed release, unless it is stopped; False if it was taken over.

    What was counted by then is stored, and the next release reuses it.
    """
    under_way = queries.under_way(release.corpus)
    members = queries.split_pages(release.corpus)
    if not members:
        return work.fail(release, error="there is no gold to release")
    left_out = under_way - {page.digest for page in members.values()}
    Release.objects.filter(pk=release.pk).update(pages=len(members), left_out=len(left_out))
    try:
        rows, manifest = _freeze(release, members, step)
        written = manifest.build(partial(_heartbeat, release))
    except ReleaseStopped:
        return work.fail(release, error=STOPPED)
    datasheets = {language: datasheet(written, language) for language in LANGUAGES}
    return _save(release, rows, canonical_json(written), datasheets)


@transaction.atomic
def stop_release(*, release: Release) -> None:
    """Ask the worker to stop; a release not yet started stops at once. Raises Conflict if it is finished."""
    running = Release.objects.filter(pk=release.pk, finished_at=None)
    if not running.update(stopped_at=timezone.now()):
        raise Conflict(_("This release is already finished."))
    running.end_unclaimed(error=STOPPED)
    record(AuditAction.RELEASE_STOPPED, corpus=release.corpus, item=release.number)


def _freeze(
    release: Release, members: dict[int, SplitPage], step: Progress
) -> tuple[list[ReleasePage], ManifestBuilder]:
    """Return a row for every gold, in the order of the pages' digests, and their manifest."""
    before = queries.splits_before(release.corpus)
    assigned = assign_splits(members.values(), before=before, seed=release.corpus.slug)
    rows: list[ReleasePage] = []
    manifest = ManifestBuilder(release)
    for golds in _batches(list(members)):
        counted = gold_counts.count(golds)
        for gold in golds:
            row = _row(release, gold, assigned[gold.page.sha256])
            manifest.add(gold, row, counted[gold.pk])
            rows.append(row)
            step(len(rows))
        _heartbeat(release, done=len(rows))
    return rows, manifest


def _batches(keys: Sequence[int]) -> Iterator[list[Gold]]:
    """Yield the golds in the order of `keys`, without those whose page was taken down meanwhile."""
    for begin in range(0, len(keys), BATCH_SIZE):
        chosen = keys[begin : begin + BATCH_SIZE]
        found = queries.with_page(Gold.objects.filter(pk__in=chosen, page__takedown=None)).in_bulk()
        yield [found[key] for key in chosen if key in found]


def _heartbeat(release: Release, **progress: int) -> None:
    """Report progress. Raises ReleaseStopped."""
    if not work.may_go_on(release, **progress):
        raise ReleaseStopped


@transaction.atomic
def _save(release: Release, rows: list[ReleasePage], manifest: str, datasheets: dict[str, str]) -> bool:
    lock_removal()
    before = queries.splits_before(release.corpus)
    ReleasePage.objects.bulk_create(rows, batch_size=500)
    # Of pages that were taken down since they were read; the others are taken down after the release.
    ReleasePage.objects.filter(release=release, gold__page__takedown__isnull=False).update(metadata={})
    _record_moved_pages(release, rows, before)
    digest = sha256(manifest.encode()).hexdigest()
    splits = Counter(row.split for row in rows)
    result = {
        "manifest": manifest,
        "sha256": digest,
        "datasheets": datasheets,
        "splits": {split: splits[split] for split in SPLITS},
    }
    finished = work.finish(release, pages=len(rows), done=len(rows), **result)
    if finished:
        _record_corrections(release)
        changes = {"sha256": digest, "pages": len(rows)}
        record(AuditAction.RELEASE_CREATED, corpus=release.corpus, item=release.number, changes=changes)
    else:
        transaction.set_rollback(True)
    return finished


def _record_moved_pages(release: Release, rows: Iterable[ReleasePage], before: dict[str, str]) -> None:
    """Add errata for pages in another split than before, because two groups have merged."""
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
            description=MOVED.format(before=before[digest], split=split),
            corrected_in=release,
        )
        for digest, split in sorted(moved.items())
    )


def _record_corrections(release: Release) -> None:
    """Mark open errata as corrected where the page's gold says something else now, or is gone."""
    for erratum in Erratum.objects.filter(corpus=release.corpus_id, corrected_in=None).select_related(
        "release"
    ):
        if correction := correction_of(erratum.release, erratum.sha256):
            Erratum.objects.filter(pk=erratum.pk, corrected_in=None).update(corrected_in=correction)


# ---- rows ----


def _row(release: Release, gold: Gold, assigned: SplitAssignment) -> ReleasePage:
    page = gold.page
    metadata = {
        "url": page.url,
        "charset": page.charset,
        "captured_at": page.captured_at.isoformat() if page.captured_at else None,
        "language": page.language,
        "site": page.site,
    }
    return ReleasePage(
        release=release,
        gold_id=gold.pk,
        sha256=page.sha256,
        gold_sha256=gold_digest(gold),
        split=assigned.split,
        group=assigned.group,
        metadata=metadata,
    )


def gold_digest(gold: Gold) -> str:
    """Return the SHA-256 of a gold's content, independent of database keys."""
    canonical = canonical_gold(
        document=gold.document.sha256,
        verdict=gold.verdict,
        reason=gold.reason,
        spans=gold.spans,
        labels=gold.distinguishable_labels,
        source=gold.source,
    )
    return sha256(canonical.encode()).hexdigest()


def request_release(
    *, corpus: Corpus, user: User | None = None, note: str = "", after: int | None = None
) -> Release:
    """Create the next release, for a worker.

    `after` is the number of the last release that the user has seen, 0 if they saw none. Raises GoldpanError
    if there is no gold, Conflict while another release is in progress or where a newer one was made.
    """
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        if Release.objects.filter(corpus=corpus, finished_at=None).exists():
            raise Conflict(_("Another release of this corpus is in progress."))
        if not queries.to_release(corpus).exists():
            raise GoldpanError(_nothing_yet(corpus))
        # The next release takes the number of a failed one.
        Release.objects.filter(corpus=corpus, sha256="").delete()
        last = queries.releases_of(corpus).first()
        number = last.number + 1 if last else 1
        if after is not None and number != after + 1:
            raise Conflict(
                _("Release %(number)d has been made meanwhile. Check what has changed since.")
                % {"number": number - 1}
            )
        record(AuditAction.RELEASE_REQUESTED, corpus=corpus, by=user, item=number)
        return Release.objects.create(
            corpus=corpus, number=number, note=note.strip()[:500], requested_by=user
        )


def _nothing_yet(corpus: Corpus) -> str:
    """Why there is nothing to release, for people: gold that came with pages waits for workers."""
    waiting = len(queries.under_way(corpus))
    if not waiting:
        return _("There is no gold to release yet.")
    message = ngettext(
        "There is no gold to release yet: workers are making that of %(n)s page. Try again in a while.",
        "There is no gold to release yet: workers are making that of %(n)s pages. Try again in a while.",
        waiting,
    )
    return message % {"n": count(waiting)}
