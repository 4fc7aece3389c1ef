"""Migration 0018: what a corpus says of places and blind pages moves into its study design, and back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoDbBlocker

from tests.databases import Elsewhere, made

BEFORE, AFTER = "0017_bias_report", "0018_one_design"

# What its corpus says, and what its newest design says, of places and blind pages.
CORPORA = {
    "same": ((3, 0.4), (3, 0.4)),
    "other": ((3, 0.5), (2, 0.2)),
    "never-designed": ((4, 0.3), None),
    "nine": ((9, 0.2), (9, 0.2)),
}
# After it, the designs of each by number.
DESIGNS = {
    "same": [(3, 0.4)],
    "other": [(2, 0.2), (3, 0.5)],
    "never-designed": [(4, 0.3)],
    "nine": [(9, 0.2), (5, 0.2)],
}


@pytest.fixture
def elsewhere(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Elsewhere]:
    """A database as it was before, with a corpus of each kind. That of the other tests is not touched."""
    with django_db_blocker.unblock(), made(tmp_path) as database:
        database.migrate(BEFORE)
        with database.rows(BEFORE) as models:
            _fill(models.get_model, database.name)
        yield database


def _fill(model: Any, alias: str) -> None:
    def add(kind: str, **fields: object) -> Any:
        return model("annotator", kind).objects.using(alias).create(**fields)

    ada = add("User", username="ada")
    for seed, (slug, (said, designed)) in enumerate(CORPORA.items(), start=1):
        # Its guideline has to stand when the transaction ends.
        with transaction.atomic(alias):
            corpus = add(
                "Corpus", slug=slug, name=slug, slots_per_page=said[0], blind_share=said[1], seed=seed
            )
            add("Guideline", corpus=corpus, number=corpus.guideline_version, texts={"en": "## 1 One"})
        if designed:
            design = add(
                "StudyDesign",
                corpus=corpus,
                number=1,
                slots=designed[0],
                blind_share=designed[1],
                who="named",
                order="site",
                shares={"7": 2.0},
                check_rate=0.1,
                seed=100 + seed,
            )
            design.people.add(ada)


def designs(elsewhere: Elsewhere, migration: str) -> dict[str, list[Any]]:
    """Of each corpus, by number."""
    found: dict[str, list[Any]] = {slug: [] for slug in CORPORA}
    with elsewhere.rows(migration) as models:
        rows = models.get_model("annotator", "StudyDesign").objects.using(elsewhere.name)
        for row in rows.order_by("number").select_related("corpus").prefetch_related("people"):
            row.names = [person.username for person in row.people.all()]
            found[row.corpus.slug].append(row)
    return found


def shares(found: dict[str, list[Any]]) -> dict[str, list[tuple[int, float]]]:
    return {slug: [(row.slots, row.blind_share) for row in rows] for slug, rows in found.items()}


def test_what_a_corpus_said_is_its_next_design_and_goes_back(elsewhere: Elsewhere) -> None:
    before = designs(elsewhere, BEFORE)
    elsewhere.migrate(AFTER)
    after = designs(elsewhere, AFTER)
    assert shares(after) == DESIGNS
    assert [row.number for row in after["other"]] == [1, 2]
    for slug, (first, *_) in after.items():
        if before[slug]:
            assert (first.seed, first.made_at) == (before[slug][0].seed, before[slug][0].made_at)

    older, newer = after["other"]
    for name in ("names", "who", "order", "shares", "check_rate"):
        assert getattr(newer, name) == getattr(older, name), name
    assert newer.seed != older.seed, "what is drawn under it is drawn anew"
    (first,) = after["never-designed"]
    assert (first.number, first.who, first.names, first.seed) == (1, "all", [], 3)

    with elsewhere.rows(AFTER) as models:
        design = models.get_model("annotator", "StudyDesign").objects.using(elsewhere.name)
        for slots in (0, 6):
            with (
                pytest.raises(IntegrityError, match="a_design_has_slots"),
                transaction.atomic(elsewhere.name),
            ):
                design.create(corpus_id=newer.corpus_id, number=9, slots=slots, seed=1)

    elsewhere.migrate(BEFORE)
    with elsewhere.rows(BEFORE) as models:
        corpora = models.get_model("annotator", "Corpus").objects.using(elsewhere.name)
        said = {corpus.slug: (corpus.slots_per_page, corpus.blind_share) for corpus in corpora.all()}
    assert said == {slug: rows[-1] for slug, rows in DESIGNS.items()}
    elsewhere.migrate(AFTER)
    assert shares(designs(elsewhere, AFTER)) == DESIGNS, "there and back there again, nothing was added"
