"""What is said on screen by the names of things in the code."""

from annotator.common.words import WORK
from annotator.common.work import kinds


def test_every_kind_of_work_has_a_name_on_screen() -> None:
    assert {kind._meta.model_name for kind in kinds()} - set(WORK) == set()
