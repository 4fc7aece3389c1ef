"""Two requests for the report of one corpus, whose state changes between them."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from annotator.agreement import figures
from annotator.agreement.models import AgreementReport
from annotator.corpora.models import Corpus
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db


def test_a_report_that_a_later_one_replaces_while_it_is_written_is_no_error(
    cast: SimpleNamespace,
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = make_page(), make_page()
    for page in (first, second):
        annotate(page, cast.ada)
        annotate(page, cast.ben)
    compare_annotations(first)
    made = figures.report

    def meanwhile(*given: Any) -> dict[str, Any]:
        monkeypatch.setattr(figures, "report", made)
        compare_annotations(second)
        assert hanne.get("/c/dailies/agreement/").status_code == 200
        return made(*given)

    monkeypatch.setattr(figures, "report", meanwhile)
    shown = hanne.get("/c/dailies/agreement/")
    assert shown.status_code == 200
    assert shown.context["shown"] == AgreementReport.objects.get()
