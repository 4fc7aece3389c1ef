"""Named reads of imports."""

from typing import Any

from django.db.models import Count, Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.pages.imports.models import Import, ImportRecord, Outcome
from annotator.pages.models import Page


def imports_of(corpus: Corpus) -> QuerySet[Import]:
    """The corpus's imports, newest first; not those of which the files are still being uploaded."""
    begun = Import.objects.filter(corpus=corpus).exclude(uploaded_at=None)
    return begun.select_related("requested_by")


def unfinished_imports(corpus: Corpus) -> QuerySet[Import]:
    """Imports that a worker has to go on with, or that wait for somebody to start or resume them."""
    return imports_of(corpus).filter(
        Q(completed_at=None, cancelled_at=None) | Q(undo_requested_at__isnull=False), undone_at=None
    )


def refused_in(corpus: Corpus) -> QuerySet[ImportRecord]:
    """Records that were refused in any import, newest first."""
    records = ImportRecord.objects.filter(run__corpus=corpus, run__undone_at=None)
    return records.filter(outcome=Outcome.REFUSED).order_by("-pk")


def pages_added_by(run: Import) -> QuerySet[Page]:
    """Pages that were new with this import."""
    added = ImportRecord.objects.filter(run=run, outcome=Outcome.ADDED)
    return Page.objects.filter(pk__in=added.values("page"))


def waiting_addresses(run: Import) -> dict[str, Any]:
    """How many addresses wait because their sites did not answer, and which is asked first again."""
    done = run.records.values("location")
    waiting = run.addresses.filter(attempts__gt=0).exclude(location__in=done).order_by("not_before")
    return {"n": waiting.count(), "first": waiting.first()}


def record_kinds(run: Import) -> dict[str, tuple[QuerySet[ImportRecord], int]]:
    """The report of an import by kind of record, each with its number: what is to be read comes first."""
    records = ImportRecord.objects.filter(run=run).order_by("position")
    noted = ~Q(outcome=Outcome.REFUSED) & ~Q(reason="")
    where = {
        "all": Q(),
        "refused": Q(outcome=Outcome.REFUSED),
        "noted": noted,
        "duplicate": Q(outcome=Outcome.DUPLICATE),
    }
    numbers = records.aggregate(**{f"n_{name}": Count("pk", filter=which) for name, which in where.items()})
    return {name: (records.filter(which), numbers[f"n_{name}"]) for name, which in where.items()}


def languages_of(run: Import) -> list[tuple[str, int]]:
    """The languages of the new pages, as codes, with the number of pages; the most frequent first."""
    pages = pages_added_by(run).exclude(language="").order_by()
    return list(pages.values_list("language").annotate(n=Count("pk")).order_by("-n", "language")[:3])


def parsing_of(run: Import) -> dict[str, int]:
    """How many of the new pages are not parsed yet, parsed, parsed well, and could not be parsed."""
    parsed = Q(finished_at__isnull=False)
    return pages_added_by(run).aggregate(
        open=Count("pk", filter=~parsed),
        parsed=Count("pk", filter=parsed),
        ready=Count("pk", filter=parsed & Q(error="")),
        unparseable=Count("pk", filter=parsed & ~Q(error="")),
    )


def near_duplicates_of(run: Import) -> QuerySet[Page]:
    """New pages that resemble an earlier page of the corpus."""
    alike = pages_added_by(run).filter(duplicate_pairs__isnull=False).distinct()
    return alike.order_by("pk")
