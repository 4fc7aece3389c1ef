"""Two people, or two windows of one, upload the outputs of a system at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.runs import running
from annotator.runs.models import Run
from tests.annotator.annotations.waiting import on_own_connection, waits
from tests.annotator.runs.test_uploads import upload


@pytest.mark.django_db(transaction=True)
def test_of_two_uploads_at_once_one_is_told_of_the_other(corpus: Corpus) -> None:
    running.cancel_run(run=upload(corpus, b"outputs"))
    pids: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            upload(corpus, b"outputs")
            second = pool.submit(on_own_connection, lambda: upload(corpus, b"outputs"), pids)
            assert waits(second, pids)
        with pytest.raises(Conflict, match="another version"):
            second.result()
    assert Run.objects.count() == 2
