"""Queries about the audit log."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from annotator.common.dates import utc_bounds
from annotator.common.roles import ANNOTATOR
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus, Membership, User


def events_of(corpus: Corpus) -> QuerySet[AuditEvent]:
    """The events of a corpus, newest first."""
    return _with_names(AuditEvent.objects.filter(corpus=corpus))


def events_for(superuser: User) -> QuerySet[AuditEvent]:
    """All events, newest first, but for those of corpora in which the superuser annotates (invariant 4)."""
    annotated = Membership.objects.filter(user=superuser, role=ANNOTATOR, ended_at=None).values("corpus")
    return _with_names(AuditEvent.objects.exclude(corpus__in=annotated))


def _with_names(events: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
    return events.select_related("person", "about", "corpus").order_by("-pk")


def filtered(events: QuerySet[AuditEvent], filters: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """The events of an action, by or about people of a name, between two days in UTC, both included."""
    if filters["action"]:
        events = events.filter(action=filters["action"])
    if filters["person"]:
        text = filters["person"]
        named = User.objects.filter(Q(username__folded__contains=text) | Q(first_name__folded__contains=text))
        events = events.filter(Q(person__in=named) | Q(about__in=named))
    if filters["since"]:
        events = events.filter(at__gte=utc_bounds(filters["since"])[0])
    if filters["until"]:
        events = events.filter(at__lte=utc_bounds(filters["until"])[1])
    return events
