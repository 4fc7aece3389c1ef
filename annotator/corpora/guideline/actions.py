"""Writes of the guideline: a version is made once and never changed (law 7)."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.guideline.defaults import default_texts
from annotator.corpora.guideline.examples import addresses
from annotator.corpora.guideline.text import GuidelineError, check, check_alike
from annotator.corpora.models import Corpus, Guideline, User


def give_default(*, corpus: Corpus) -> Guideline:
    """The guideline that a corpus begins with."""
    return Guideline.objects.create(corpus=corpus, number=corpus.guideline_version, texts=default_texts())


@transaction.atomic
def write_version(
    *, corpus: Corpus, texts: Mapping[str, str], note: str, made_by: User, based_on: int
) -> Guideline:
    """A new version, which stands from now on; pages that are open keep the one they were opened under.

    `texts` by language. Raises GuidelineError for what is no guideline, Conflict when somebody else wrote a
    version since `based_on`, GoldpanError when nothing is new.
    """
    locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
    if locked.guideline_version != based_on:
        raise Conflict(
            _("Version %(number)d was written meanwhile. Compare it, and save again to follow it.")
            % {"number": locked.guideline_version}
        )
    given = tidy(texts)
    check_texts(corpus=locked, texts=given)
    if Guideline.objects.filter(corpus=locked, number=based_on, texts=given).exists():
        raise GoldpanError(_("This is word for word version %(number)d.") % {"number": based_on})
    made = Guideline.objects.create(
        corpus=locked, number=based_on + 1, texts=given, note=note, made_by=made_by
    )
    locked.guideline_version = corpus.guideline_version = made.number
    locked.save(update_fields=["guideline_version"])
    return made


def tidy(texts: Mapping[str, str]) -> dict[str, str]:
    """Without languages that say nothing, and with one kind of line end."""
    whole = {language: text.replace("\r\n", "\n").strip() for language, text in texts.items()}
    return {language: f"{text}\n" for language, text in whole.items() if text}


def check_texts(*, corpus: Corpus, texts: Mapping[str, str]) -> None:
    """Refuse what is no guideline of this corpus, with everything that is wrong with it."""
    if not texts:
        raise GuidelineError([_("Write the guideline in one language at least.")])
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
