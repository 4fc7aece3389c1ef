"""Two people, or two windows of one, upload the outputs of a system at once."""

import pytest
from django.db import transaction

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.runs import running
from annotator.runs.models import Run
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.runs.test_uploads import upload


@pytest.mark.django_db(transaction=True)
def test_of_two_uploads_at_once_one_is_told_of_the_other(corpus: Corpus) -> None:
    running.cancel_run(run=upload(corpus, b"outputs"))
    with transaction.atomic():
        upload(corpus, b"outputs")
        second = Meanwhile(lambda: upload(corpus, b"outputs"))
        assert second.waits()
    with pytest.raises(Conflict, match="another version"):
        second.result()
    assert Run.objects.count() == 2
