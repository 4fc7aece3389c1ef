"""What stands in the way of deleting a corpus."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.annotations.models import Annotation
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.releases.models import Release


def obstacles_to_deleting(corpus: Corpus) -> list[str]:
    """In words, what is in the way; empty where the corpus can be deleted."""
    if Annotation.objects.filter(slot__corpus=corpus).exists():
        return [_("Somebody has annotated in it, so it can be archived only.")]
    if Release.objects.filter(corpus=corpus).exists() or Gold.objects.filter(page__corpus=corpus).exists():
        return [_("It has gold or releases, so it can be archived only.")]
    pages = Page.objects.filter(corpus=corpus).count()
    if not pages:
        return []
    return [
        ngettext(
            "It has %(n)d page. Undo its imports first.", "It has %(n)d pages. Undo its imports first.", pages
        )
        % {"n": pages}
    ]
