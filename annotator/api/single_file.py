"""Pages as SingleFile sends them: its “upload to a REST Form API”."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import File, Form, Router, Schema, Status, UploadedFile

from annotator.api.fields import Address
from annotator.api.pages import AddedPageOut, PageForm, added
from annotator.api.routing import operation
from annotator.common.errors import GoldpanError
from annotator.corpora.access import CorpusRequest
from extraction.parsing.file_type import is_zip_html

router = Router(tags=["pages"])


class RenderedPage(Schema):
    """The fields that SingleFile is set to send; whatever others a version of it may send are not read."""

    url: Address


@operation(
    router,
    "POST",
    "/corpora/{slug:slug}/single-file",
    "add-rendered-page",
    response={200: AddedPageOut, 201: AddedPageOut},
)
def add_rendered(
    request: CorpusRequest, slug: str, form: Form[RenderedPage], file: File[UploadedFile]
) -> Status[Any]:
    """Add a page as a browser rendered it, saved by SingleFile as plain HTML."""
    raw = file.read()
    if is_zip_html(raw):
        raise GoldpanError(
            _(
                "This is HTML that unpacks a ZIP archive by a script, which Goldpan never runs. "
                "In SingleFile, choose the file format HTML."
            )
        )
    page = PageForm.model_construct(url=form.url, captured_at=timezone.now(), capture="rendered")
    return added(request, raw=raw, form=page)
