"""Writes to the guideline: a version is never changed (invariant 7)."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.guideline.examples import addresses, default_texts
from annotator.corpora.guideline.text import GuidelineError, check, check_alike, with_newlines
from annotator.corpora.models import Corpus, Guideline, Label, User
from extraction.spans import LABELS as STANDARD_LABELS


def begin_guideline(*, corpus: Corpus, texts: Mapping[str, str] | None = None) -> Guideline:
    """Create the first version of a new corpus's guideline, by default the default one.

    Without any text it has a clause for each label, to be written.
    """
    if texts is None:
        texts = default_texts()
    return Guideline.objects.create(
        corpus=corpus, number=corpus.guideline_version, texts=texts or _to_be_written(corpus)
    )


def _to_be_written(corpus: Corpus) -> dict[str, str]:
    """A guideline with a section and a clause for each label, in the language that is active."""
    sections = "".join(
        f"## {number} {label}\n\n{number}.1 {_to_write(label)} {{{label.name}}}\n\n"
        for number, label in enumerate(corpus.labels.order_by("position"), start=1)
    )
    return clean({(get_language() or "en")[:2]: f"# {_('What to mark')}\n\n{sections}"})


def _to_write(label: Label) -> str:
    return _("Write here which text is marked as %(label)s, and which is not.") % {"label": label}


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
    stripped = {language: with_newlines(text).strip() for language, text in texts.items()}
    return {language: f"{text}\n" for language, text in stripped.items() if text}


def check_texts(*, corpus: Corpus, texts: Mapping[str, str]) -> None:
    """Raise GuidelineError with all problems, unless the texts are a valid guideline of this corpus."""
    if not texts:
        raise GuidelineError([_("Write the guideline in at least one language.")])
    # A clause about a standard label that the corpus lacks is shown beside no page, and does no harm.
    labels = {*corpus.labels.values_list("name", flat=True), *STANDARD_LABELS}
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
