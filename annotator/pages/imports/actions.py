"""Writes about imports: asked for, previewed, paused, resumed, cancelled."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.work import WorkQuerySet
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.pages.imports.addresses import create_import, read_list
from annotator.pages.imports.audit import record_import
from annotator.pages.imports.importing import NEVER
from annotator.pages.imports.models import Import, SourceKind
from annotator.pages.imports.preview import preview_addresses
from extraction import formats


@transaction.atomic
def start_import(*, corpus: Corpus, format: str, path: Path, with_gold: bool) -> Import:
    """Return the interrupted import of this path, or a new one.

    Raises GoldpanError for an unknown format or a path that does not exist.
    """
    if format not in formats.READERS:
        known = ", ".join(formats.READERS)
        raise GoldpanError(f"unknown format {format!r}; known formats: {known}")
    if not path.exists():
        raise GoldpanError(f"{path} does not exist")
    asked = {"corpus": corpus, "format": format, "source": str(path.resolve()), "with_gold": with_gold}
    same = Import.objects.filter(source_kind=SourceKind.PATH, finished_at=None, **asked).first()
    if same:
        return same
    run = Import.objects.create(
        source_kind=SourceKind.PATH,
        name=path.resolve().name[-300:],
        uploaded_at=timezone.now(),
        confirmed_at=timezone.now(),
        enqueued_at=NEVER,
        **asked,
    )
    record_import(AuditAction.IMPORT_STARTED, run)
    return run


def start_fetching(
    *, corpus: Corpus, of: str, source: str, addresses: Callable[[], list[str]], with_assets: bool = True
) -> Import:
    """Return the interrupted import of this list or feed, or a new one of these addresses, for a command.

    `of` is "urls" or "feed". Raises what `addresses` raises, and GoldpanError if sites may not be asked.
    """
    asked = {"format": of, "source": source}
    same = Import.objects.filter(
        source_kind=SourceKind.PATH, finished_at=None, corpus=corpus, **asked
    ).first()
    if same:
        return same
    # A site may take its time to answer, so it is asked before a transaction begins.
    found = addresses()
    with transaction.atomic():
        run = create_import(
            corpus=corpus,
            addresses=found,
            name=source,
            kind=SourceKind.PATH,
            with_assets=with_assets,
            enqueued_at=NEVER,
            **asked,
        )
        record_import(AuditAction.IMPORT_STARTED, run)
    return run


@transaction.atomic
def import_addresses(*, corpus: Corpus, text: str, user: User, with_assets: bool) -> Import:
    """An import of the addresses in a text, one a line, with its preview; `confirm_addresses` starts it.

    `with_assets`: the style sheets and images of the pages come too. Raises GoldpanError if there are no
    addresses or too many, or if sites may not be asked.
    """
    addresses, now = read_list(text), timezone.now()
    return create_import(
        corpus=corpus,
        addresses=addresses,
        with_assets=with_assets,
        requested_by=user,
        requested_at=now,
        preview=preview_addresses(corpus, addresses),
        previewed_at=now,
        finished_at=now,
        confirmed_at=None,
    )


@transaction.atomic
def confirm_addresses(*, run: Import, fetch_known: bool, user: User) -> None:
    """Ask for the pages of a list after its preview; without `fetch_known` for those that the corpus lacks.

    Raises Conflict if there is nothing to fetch, or the import was started already.
    """
    preview = run.preview or {}
    left_out = [] if fetch_known else preview.get("known_numbers", [])
    if not preview.get("pages") and preview.get("refusals"):
        address, _cause, reason = preview["refusals"][0]
        message = _("No address can be fetched. %(address)s: %(reason)s.")
        raise Conflict(message % {"address": address, "reason": reason})
    if preview.get("pages", 0) <= len(left_out):
        raise Conflict(_("There is no new address to fetch."))
    confirm_import(run=run, with_gold=False, with_assets=run.with_assets, user=user)
    run.addresses.filter(number__in=left_out).delete()
    Import.objects.filter(pk=run.pk).update(total=run.addresses.count())


@transaction.atomic
def confirm_import(*, run: Import, with_gold: bool, with_assets: bool, user: User | None = None) -> None:
    """Ask for the import itself, after its preview. Raises Conflict if it has no preview or is under way."""
    asked = Import.objects.filter(pk=run.pk, confirmed_at=None, cancelled_at=None)
    ready = asked.filter(previewed_at__isnull=False, finished_at__isnull=False).select_for_update().first()
    if not ready or not work.reopen(
        ready, confirmed_at=timezone.now(), with_gold=with_gold, with_assets=with_assets
    ):
        raise Conflict(_("This import has already been started, or has no preview yet."))
    record_import(AuditAction.IMPORT_STARTED, ready, by=user)


def check_format(format: str) -> None:
    """Raise GoldpanError for an unknown format; none given is recognised."""
    if format and format not in formats.READERS:
        raise GoldpanError(_("Unknown format “%(name)s”.") % {"name": format})


def preview_again(*, run: Import, format: str) -> None:
    """Look through an upload as of another format; empty: as it is recognised.

    Raises GoldpanError for an unknown format, Conflict if the import was started already.
    """
    check_format(format)
    waiting = Import.objects.filter(
        pk=run.pk, source_kind=SourceKind.UPLOAD, confirmed_at=None, cancelled_at=None
    ).first()
    if not waiting or not work.reopen(waiting, format=format, previewed_at=None, preview=None):
        raise Conflict(_("This import has already been started, or is being looked through."))


# ---- pausing, resuming, cancelling ----


@transaction.atomic
def pause_import(*, run: Import) -> None:
    """Stop after the records that are being stored. Raises Conflict if it is not under way."""
    if not _pause(Import.objects.filter(pk=run.pk)):
        raise Conflict(_("This import is not under way."))


def pause_imports(*, corpus: Corpus) -> None:
    """Stop all imports of a corpus that is archived: what came after that would be refused for good."""
    _pause(Import.objects.filter(corpus=corpus))


def _pause(runs: WorkQuerySet[Import]) -> int:
    under_way = runs.filter(confirmed_at__isnull=False, finished_at=None, undo_requested_at=None)
    paused = under_way.exclude(source_kind=SourceKind.PATH).update(paused_at=timezone.now())
    under_way.filter(paused_at__isnull=False).end_unclaimed()
    return paused


@transaction.atomic
def resume_import(*, run: Import) -> None:
    """Go on where it was paused, or where it failed. Raises Conflict if it is neither."""
    stopped = Import.objects.filter(
        pk=run.pk, confirmed_at__isnull=False, completed_at=None, cancelled_at=None, undo_requested_at=None
    )
    stopped = stopped.filter(Q(paused_at__isnull=False) | ~Q(error="")).exclude(source_kind=SourceKind.PATH)
    found = stopped.select_for_update().first()
    if not found:
        raise Conflict(_("This import is neither paused nor failed."))
    Import.objects.filter(pk=run.pk).update(paused_at=None)
    # Where the worker has not noticed yet that it was paused, it just goes on.
    work.reopen(found)


@transaction.atomic
def cancel_import(*, run: Import, user: User | None = None) -> None:
    """End the import; what is stored stays. Raises Conflict if it has ended."""
    going_on = Import.objects.filter(pk=run.pk, completed_at=None, cancelled_at=None)
    if not going_on.exclude(source_kind=SourceKind.PATH).update(cancelled_at=timezone.now(), paused_at=None):
        raise Conflict(_("This import has already ended."))
    # One that had failed may be being undone: that goes on.
    Import.objects.filter(pk=run.pk, undo_requested_at=None).end_unclaimed()
    record_import(AuditAction.IMPORT_CANCELLED, run, by=user)
