"""Two requests for the report of one corpus, whose state changes between them."""

from types import SimpleNamespace
from typing import Any

import pytest

from annotator.agreement import figures
from annotator.agreement.models import AgreementReport
from annotator.corpora.models import Corpus
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, SignedIn, annotate

pytestmark = pytest.mark.django_db


def test_a_report_that_a_later_one_replaces_while_it_is_written_is_no_error(
    cast: SimpleNamespace,
    corpus: Corpus,
    make_page: MakePage,
    signed_in: SignedIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = make_page(), make_page()
    for page in (first, second):
        annotate(page, cast.ada)
        annotate(page, cast.ben)
    compare_annotations(first)
    admin, made = signed_in(cast.hanne), figures.report

    def meanwhile(*given: Any) -> dict[str, Any]:
        monkeypatch.setattr(figures, "report", made)
        compare_annotations(second)
        assert admin.get("/c/dailies/agreement/").status_code == 200
        return made(*given)

    monkeypatch.setattr(figures, "report", meanwhile)
    shown = admin.get("/c/dailies/agreement/")
    assert shown.status_code == 200
    assert shown.context["shown"] == AgreementReport.objects.get()
