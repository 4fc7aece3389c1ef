"""The verdicts on a page as a whole, by annotators, adjudicators and imported gold."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Verdict(models.TextChoices):
    ARTICLE = "article", _("Article")
    NOT_ARTICLE = "not_article", _("Not an article")
    SEVERAL = "several", _("Several articles")
    CANNOT_TELL = "cannot_tell", _("Cannot tell")


# The verdicts that come with marks.
WITH_SPANS = frozenset({Verdict.ARTICLE, Verdict.SEVERAL})


class NotArticleReason(models.TextChoices):
    """Why a page is not an article."""

    ERROR_PAGE = "error_page", _("Error page")
    PAYWALL = "paywall", _("Paywall or consent wall")
    LISTING = "listing", _("Listing or front page")
    MEDIA = "media", _("Media only")
    OTHER = "other", _("Other")
