"""Two people, or two windows of one, upload the outputs of a system at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.runs import running
from annotator.runs.models import Extraction, Run
from tests.annotator.annotations.waiting import on_own_connection, waits
from tests.annotator.runs.test_uploads import upload
from tests.factories import MakePage


@pytest.mark.django_db(transaction=True)
def test_of_two_uploads_at_once_one_is_told_of_the_other(corpus: Corpus, make_page: MakePage) -> None:
    cancelled = upload(corpus, b"outputs")
    running.cancel_run(run=cancelled)
    # What was extracted stays: nothing about the system changes any more.
    document = make_page(opened=False).documents.get()
    Extraction.objects.create(document=document, extractor=cancelled.extractor)
    pids: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            upload(corpus, b"outputs")
            second = pool.submit(on_own_connection, lambda: upload(corpus, b"outputs"), pids)
            assert waits(second, pids)
        with pytest.raises(Conflict, match="another version"):
            second.result()
    assert Run.objects.count() == 2
