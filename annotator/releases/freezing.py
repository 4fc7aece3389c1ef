"""Making a release: every current gold as it stands, its split, and a manifest with the digest of all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.releases import counting, queries
from annotator.releases.canonical import canonical, digest_of
from annotator.releases.datasheet import LANGUAGES, datasheet
from annotator.releases.manifest import Manifest
from annotator.releases.models import Erratum, Release, ReleasePage
from annotator.releases.splits import Member, Placed, place

# So many golds are read at once, with their texts where they are not counted yet; between two such batches
# lies a sign of life.
BATCH = 100

Beat = Callable[[int], None]


class Lost(Exception):
    """The row was given to another worker."""


class Stopped(Exception):
    """Somebody asked for it to stop."""


def make(release: Release, step: Beat = lambda _done: None) -> bool:
    """Freeze what stands now into a claimed release; False when it was stopped or taken over meanwhile.

    What has been counted by then is kept, and the next one goes on with it.
    """
    members = queries.members(release.corpus)
    if not members:
        return work.fail(release, error="there is no gold to release")
    try:
        rows, manifest = _freeze(release, members, step)
        written = manifest.whole(partial(_sign, release))
    except Lost:
        return False
    except Stopped:
        return work.fail(release, error="stopped")
    datasheets = {language: datasheet(written, language) for language in LANGUAGES}
    return _keep(release, rows, canonical(written), datasheets)


def stop(*, release: Release) -> None:
    """Ask the worker to stop; a release that still waits is stopped at once."""
    now = timezone.now()
    running = Release.objects.filter(pk=release.pk, finished_at=None)
    if not running.update(stopped_at=now):
        raise Conflict(_("This release is made, or was stopped."))
    running.filter(heartbeat_at=None).update(finished_at=now, error="stopped")


def _freeze(release: Release, members: dict[int, Member], step: Beat) -> tuple[list[ReleasePage], Manifest]:
    """A row for every gold, in the order of the pages' digests, and the manifest of them."""
    before = queries.splits_before(release.corpus)
    placed = place(members.values(), before=before, seed=release.corpus.slug)
    rows: list[ReleasePage] = []
    manifest = Manifest(release)
    Release.objects.filter(pk=release.pk).update(pages=len(members))
    for golds in _batches(list(members)):
        counted = counting.count(golds)
        for gold in golds:
            row = _row(release, gold, placed[gold.page.sha256])
            manifest.add(gold, row, counted[gold.pk])
            rows.append(row)
            step(len(rows))
        _sign(release, done=len(rows))
    return rows, manifest


def _batches(keys: Sequence[int]) -> Iterator[list[Gold]]:
    """The golds in the order of their keys here; one whose page was taken down meanwhile is left out."""
    for begin in range(0, len(keys), BATCH):
        chosen = keys[begin : begin + BATCH]
        found = queries.with_page(Gold.objects.filter(pk__in=chosen, page__takedown=None)).in_bulk()
        yield [found[key] for key in chosen if key in found]


def _sign(release: Release, **progress: int) -> None:
    """Say that it is alive, and how far it is. Raises Lost and Stopped."""
    if not work.beat(release, **progress):
        raise Lost
    if Release.objects.filter(pk=release.pk, stopped_at__isnull=False).exists():
        raise Stopped


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
        gold_id=gold.pk,
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
