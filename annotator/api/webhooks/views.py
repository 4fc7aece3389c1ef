"""The webhooks tab of the settings."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.api.webhooks import actions, queries
from annotator.api.webhooks.forms import WebhookForm
from annotator.api.webhooks.models import Webhook
from annotator.common.errors import GoldpanError
from annotator.common.http import shows_errors
from annotator.corpora.access import CorpusRequest

LAST_DELIVERIES = 5


@require_GET
def webhooks(request: CorpusRequest, slug: str) -> HttpResponse:
    return _show(request, WebhookForm())


@require_POST
def make(request: CorpusRequest, slug: str) -> HttpResponse:
    """Make a webhook; its secret is on this answer alone."""
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            made = actions.add_webhook(corpus=request.access.corpus, user=request.user, **form.cleaned_data)
            return _show(request, WebhookForm(), made=made)
        except GoldpanError as error:
            form.add_error("url", error.message)
    return _show(request, form, status=422)


@require_POST
@shows_errors("webhooks")
def pause(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    return _do(request, pk, actions.pause_webhook, _("Switched off: %(url)s"))


@require_POST
@shows_errors("webhooks")
def resume(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    return _do(request, pk, actions.resume_webhook, _("Switched on: %(url)s"))


@require_POST
@shows_errors("webhooks")
def remove(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    return _do(request, pk, actions.remove_webhook, _("Webhook removed: %(url)s"))


def _do(request: CorpusRequest, pk: int, act: Callable[..., None], done: str) -> HttpResponse:
    corpus = request.access.corpus
    webhook = get_object_or_404(queries.webhooks_of(corpus).select_related("corpus"), pk=pk)
    act(webhook=webhook, user=request.user)
    messages.success(request, done % {"url": webhook.url})
    return redirect("webhooks", corpus.slug)


def _show(
    request: CorpusRequest, form: WebhookForm, *, made: Webhook | None = None, status: int = 200
) -> HttpResponse:
    found = queries.with_last_deliveries(request.access.corpus, most=LAST_DELIVERIES)
    context = {"webhooks": found, "form": form, "made": made, "most": actions.MAX_WEBHOOKS}
    return render(request, "administration/webhooks.html", context, status=status)
