"""Writes to the guideline: a version is never changed (invariant 7)."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.guideline.defaults import default_texts
from annotator.corpora.guideline.examples import addresses
from annotator.corpora.guideline.text import GuidelineError, check, check_alike
from annotator.corpora.models import Corpus, Guideline, User


def give_default(*, corpus: Corpus) -> Guideline:
    """Create the default guideline of a new corpus."""
    return Guideline.objects.create(corpus=corpus, number=corpus.guideline_version, texts=default_texts())


@transaction.atomic
def write_version(
    *, corpus: Corpus, texts: Mapping[str, str], note: str, made_by: User, based_on: int
) -> Guideline:
    """Publish a new version. Pages that are open keep the version they were opened with.

    `texts` is by language. Raises GuidelineError for an invalid guideline, Conflict when someone else has
    published a version since `based_on`, GoldpanError when nothing has changed.
    """
    locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
    if locked.guideline_version != based_on:
        raise Conflict(
            _("Version %(number)d was published meanwhile. Compare it with yours, then publish again.")
            % {"number": locked.guideline_version}
        )
    cleaned = clean(texts)
    check_texts(corpus=locked, texts=cleaned)
    if Guideline.objects.filter(corpus=locked, number=based_on, texts=cleaned).exists():
        raise GoldpanError(_("Nothing has changed since version %(number)d.") % {"number": based_on})
    made = Guideline.objects.create(
        corpus=locked, number=based_on + 1, texts=cleaned, note=note, made_by=made_by
    )
    locked.guideline_version = corpus.guideline_version = made.number
    locked.save(update_fields=["guideline_version"])
    record(AuditAction.GUIDELINE_PUBLISHED, corpus=locked, by=made_by, item=made.number)
    return made


def clean(texts: Mapping[str, str]) -> dict[str, str]:
    """Remove empty languages and normalise line ends."""
    stripped = {language: text.replace("\r\n", "\n").strip() for language, text in texts.items()}
    return {language: f"{text}\n" for language, text in stripped.items() if text}


def check_texts(*, corpus: Corpus, texts: Mapping[str, str]) -> None:
    """Raise GuidelineError with all problems, unless the texts are a valid guideline of this corpus."""
    if not texts:
        raise GuidelineError([_("Write the guideline in at least one language.")])
    labels = list(corpus.labels.values_list("name", flat=True))
    problems: list[str] = []
    read = {}
    for language, text in sorted(texts.items()):
        try:
            read[language] = check(text, labels=labels, examples=addresses())
        except GuidelineError as error:
            problems += [f"{language}: {problem}" for problem in error.problems]
    if problems:
        raise GuidelineError(problems)
    first, *others = read.values()
    for other in others:
        check_alike(first, other)
