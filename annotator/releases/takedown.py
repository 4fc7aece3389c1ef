"""Takes a page down: its bytes, text and spans are removed, its digest stays (invariant 7)."""

from datetime import timedelta
from functools import partial
from hashlib import sha256

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.models import Agreement
from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, RefusedSave, Revision, Round, Skip, Slot
from annotator.common import storage
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.triggers import TAKEN_DOWN
from annotator.common.work import work_models
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.gold.models import RELABEL, Adjudication, Gold, Segment
from annotator.pages.assets.models import AssetFetch, Look, PageAsset
from annotator.pages.feeds.models import FeedEntry
from annotator.pages.files import files_of, lock_removal, remove_files
from annotator.pages.imports.actions import cancel_import
from annotator.pages.imports.models import Import, ImportAddress, ImportRecord, SourceKind, Stage
from annotator.pages.models import ImportedGold, Page, ShingleBand, StoredDocument
from annotator.releases.exports.actions import remove_withdrawn, withdraw
from annotator.releases.models import Erratum, ReleasePage, Takedown
from annotator.runs.models import Extraction, Run, ShrunkPage, UploadedOutput

# The storage may be away as long.
REMOVED_AGAIN_FOR = timedelta(days=7)


@transaction.atomic
def take_down(*, page: Page, reason: str, user: User | None = None) -> Takedown:
    """Create the tombstone, and blank what the triggers of the database allow to be blanked.

    Exports of the corpus are withdrawn. The files of the page stay if another corpus has the same page.
    Raises Conflict if the page is already taken down, GoldpanError without a reason, OSError while no file
    can be removed.
    """
    if not reason.strip():
        raise GoldpanError(_("Enter a reason."))
    # Rather than a page whose files stay until the storage is back.
    storage.check_removal()
    lock_removal()
    page = _lock(page)
    tombstone, new = Takedown.objects.get_or_create(
        page=page, defaults={"reason": reason.strip()[:500], "made_by": user}
    )
    if not new:
        raise Conflict(_("This page has already been taken down."))
    record(AuditAction.PAGE_TAKEN_DOWN, corpus=page.corpus, by=user, item=page.sha256)
    _blank_marks(page)
    _blank_gold(page)
    _blank_runs(page)
    _close_rounds(page)
    _blank_page(page)
    _blank_imports(page)
    _close_background_work(page)
    _cancel_imports(page, user)
    withdraw(corpus=page.corpus, at=tombstone.made_at)
    _remove_all_files(tombstone)
    return tombstone


def remove_left_files() -> None:
    """Remove again what the take-downs of the last days had to remove: one may have been stopped at it."""
    for tombstone in Takedown.objects.filter(made_at__gt=timezone.now() - REMOVED_AGAIN_FOR):
        with transaction.atomic():
            _remove_all_files(tombstone)


def _remove_all_files(tombstone: Takedown) -> None:
    """Remove the files of the page and of the exports withdrawn with it once the transaction is committed."""
    page = tombstone.page
    # Hours later most are gone: who looks for other pages that need a file holds up all who store some.
    remove_files(storage.existing(files_of([page.pk]) | _outputs_of(page)))
    remove_withdrawn(corpus=page.corpus, at=tombstone.made_at)
    # After its files: until then these rows alone say which they are.
    transaction.on_commit(partial(_forget_look, page))


def _forget_look(page: Page) -> None:
    PageAsset.objects.filter(page=page).delete()
    Look.objects.filter(document__page=page).update(view_sha256="")


def _lock(page: Page) -> Page:
    """Lock the page with all in which somebody may be writing, in the order of `annotations.actions`."""
    for rows in (
        Round.objects.filter(page=page),
        Adjudication.objects.filter(round__page=page),
        Annotation.objects.filter(slot__round__page=page),
        Slot.objects.filter(round__page=page),
    ):
        list(rows.select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk"))
    return Page.objects.select_for_update().get(pk=page.pk)


def _blank_marks(page: Page) -> None:
    of_page = {"annotation__slot__round__page": page}
    for kind in (Revision, RefusedSave):
        kind.objects.filter(**of_page).update(spans=[], note="")
    Skip.objects.filter(round__page=page).update(note="")
    Agreement.objects.filter(round__page=page).update(agreed=[], disputes=[])
    looked_at = Adjudication.objects.filter(round__page=page)
    looked_at.exclude(why="").update(why=TAKEN_DOWN)
    segments = Segment.objects.filter(adjudication__in=looked_at)
    segments.update(pieces=[])
    segments.filter(choice=RELABEL).update(marks=[])


def _blank_gold(page: Page) -> None:
    Gold.objects.filter(page=page).update(spans=[], current=None)
    ImportedGold.objects.filter(page=page).update(content={})
    ReleasePage.objects.filter(gold__page=page).update(metadata={})
    Erratum.objects.filter(corpus=page.corpus_id, sha256=page.sha256).update(description=TAKEN_DOWN)


def _blank_runs(page: Page) -> None:
    Extraction.objects.filter(document__page=page).update(spans=[])
    UploadedOutput.objects.filter(page=page).update(name=page.sha256, text="", spans=None)
    ShrunkPage.objects.filter(extraction__document__page=page).update(html="")


def _close_rounds(page: Page) -> None:
    """Close the rounds of the page and what was reopened in them, and release its slots and adjudications."""
    now = timezone.now()
    Annotation.objects.filter(slot__round__page=page, reopened_at__isnull=False).update(reopened_at=None)
    Round.objects.filter(page=page, finalised_at=None).update(finalised_at=now)
    annotating.release(Slot.objects.filter(round__page=page, submitted_at=None))
    Adjudication.objects.filter(round__page=page, finalised_at=None).update(
        adjudicator=None, lease_until=None
    )


def _blank_page(page: Page) -> None:
    ShingleBand.objects.filter(page=page).delete()
    AssetFetch.objects.filter(page=page).update(problems={})
    Look.objects.filter(document__page=page).update(missing_sheets=[], missing_images=[])
    StoredDocument.objects.filter(page=page).update(text="", blocks=[], length=0)
    Page.objects.filter(pk=page.pk).update(url="", title="", note="")
    # Whoever parses it at this moment cannot store what they have read.
    Page.objects.filter(pk=page.pk).open().update(finished_at=timezone.now(), error=TAKEN_DOWN)


def _blank_imports(page: Page) -> None:
    """The names of files and the addresses with which the page came in give way to its digest."""
    named = {page.url}
    for came_in in ImportRecord.objects.filter(page=page).select_related("run"):
        named.add(came_in.location)
        run = came_in.run
        _blank_record(came_in, page)
        if run.preview:
            Import.objects.filter(pk=run.pk).update(preview=run.preview | {"examples": []})
    _forget_addresses(page, named - {""})


def _blank_record(record: ImportRecord, page: Page) -> None:
    run, name = record.run, f"{page.sha256}-{record.position}"
    run.files.filter(name=record.location).update(name=name)
    run.addresses.filter(location=record.location).update(url="", location=name)
    ImportRecord.objects.filter(pk=record.pk).update(location=name, reason="")
    # An import of one file or address is named after it.
    Import.objects.filter(pk=run.pk, name=record.location).update(name=name)


def _forget_addresses(page: Page, addresses: set[str]) -> None:
    """In imports that name them without having brought the page, and in what feeds have listed."""
    corpus_id = page.corpus_id
    for address in addresses:
        for run in Import.objects.filter(corpus=corpus_id, preview__known__contains=address):
            assert run.preview
            known = [each for each in run.preview["known"] if each != address]
            Import.objects.filter(pk=run.pk).update(preview=run.preview | {"known": known})
        for run in Import.objects.filter(corpus=corpus_id, preview__examples__contains=[[address]]):
            assert run.preview
            examples = [each for each in run.preview["examples"] if address not in each]
            Import.objects.filter(pk=run.pk).update(preview=run.preview | {"examples": examples})
    # An attempt that failed, and those that are still to come.
    for refused in ImportRecord.objects.filter(run__corpus=corpus_id, page=None, location__in=addresses):
        _blank_record(refused, page)
    ImportAddress.objects.filter(run__corpus=corpus_id, url__in=addresses).delete()
    Import.objects.filter(corpus=corpus_id, name__in=addresses).update(name=page.sha256)
    digests = [sha256(address.encode()).hexdigest() for address in addresses]
    FeedEntry.objects.filter(corpus=corpus_id, digest__in=digests, taken_at__isnull=False).update(url="")


def _cancel_imports(page: Page, user: User | None) -> None:
    """Cancel uploads that rest and may hold the page; with that, their files are removed.

    Those that are at work end soon, and their files are removed then. A preview that is still to come ends an
    upload that turns out to hold the page.
    """
    holds = Q(records__page=page) | Q(preview__duplicates__gt=0) | Q(previewed_at__lt=page.requested_at)
    waiting = Import.objects.filter(
        holds,
        corpus=page.corpus_id,
        source_kind=SourceKind.UPLOAD,
        previewed_at__isnull=False,
        completed_at=None,
        cancelled_at=None,
    )
    for run in waiting.distinct():
        if run.stage in (Stage.PREVIEWED, Stage.PAUSED, Stage.FAILED):
            cancel_import(run=run, user=user)


def _close_background_work(page: Page) -> None:
    """There is nothing left to do for what is open, and the error of what has failed may quote the page."""
    for model in work_models():
        if model.kind.page:
            rows = model.objects.filter(**{model.kind.page: page})
            rows.failed().update(error=TAKEN_DOWN)
            # By their keys: PostgreSQL then looks once more at a row that a worker finishes at this moment.
            keys = list(rows.open().values_list("pk", flat=True))
            model.objects.open().filter(pk__in=keys).update(finished_at=timezone.now(), error=TAKEN_DOWN)


def _outputs_of(page: Page) -> set[str]:
    """Return the digests of uploaded files of outputs that hold one of the page; what they say is in rows."""
    digests = (
        Run.objects.filter(outputs__page=page).exclude(file_sha256="").values_list("file_sha256", flat=True)
    )
    unread = Run.objects.filter(file_sha256__in=list(digests), read_at=None)
    return set(digests) - set(unread.values_list("file_sha256", flat=True))
