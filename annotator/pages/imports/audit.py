"""What the audit log says of imports."""

from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.pages.imports.models import Import


def record_import(action: AuditAction, run: Import, by: User | None = None) -> None:
    changes = {"format": run.format, "kind": run.source_kind}
    record(action, corpus=run.corpus, by=by, item=run.pk, changes=changes)
