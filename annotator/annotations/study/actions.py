"""Writes of the study settings: the next version, and the queue keys of slots that nobody has begun."""

import secrets
from collections.abc import Iterable, Mapping

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext as _

from annotator.annotations.models import Round, Slot
from annotator.annotations.study import queries
from annotator.annotations.study.models import MAX_SLOTS, AssignmentMode, PageOrder, StudyDesign
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import differences, record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.runs.models import Extractor
from annotator.runs.queries import enabled_extractors, replacements


def current_design(*, corpus: Corpus) -> StudyDesign:
    """The current version, made with the defaults where there is none. The corpus's row must be locked."""
    return queries.newest(corpus) or _next(corpus, None)


def begin_design(*, corpus: Corpus, **settings: object) -> StudyDesign:
    """Make the first version, of a new corpus; `settings` as in `change_design`."""
    _check(corpus, settings, [])
    with transaction.atomic():
        made = _next(corpus, None, made_by=None, **settings)
        _record(made, before={})
    return made


@transaction.atomic
def change_design(
    *,
    corpus: Corpus,
    made_by: User | None,
    based_on: int,
    people: Iterable[User] | None = None,
    **settings: object,
) -> StudyDesign:
    """Make the next version: `settings` are fields of StudyDesign; what is left out stays as it is.

    Raises Conflict when another version was made meanwhile, GoldpanError for invalid settings.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    current = current_design(corpus=held)
    if current.number != based_on:
        raise Conflict(_("Somebody else has changed the study settings. Review them and save again."))
    named = list(people or ())
    _check(held, settings, named)
    made = _next(held, current, made_by=made_by, **settings)
    if people is not None:
        made.people.set(named if made.who == AssignmentMode.NAMED else [])
    _record(made, before=_settings(current))
    if made.random_share != current.random_share:
        _clear_inclusion_probabilities(held)
    if (made.order, made.random_share) != (current.order, current.random_share):
        update_queue_keys(design=made)
    return made


def _record(made: StudyDesign, *, before: Mapping[str, object]) -> None:
    changes = differences(before, _settings(made))
    record(
        AuditAction.STUDY_SETTINGS_CHANGED,
        corpus=made.corpus,
        by=made.made_by,
        item=made.number,
        changes=changes,
    )


def _settings(design: StudyDesign) -> dict[str, object]:
    people = list(design.people.order_by("username").values_list("username", flat=True))
    return {**{name: getattr(design, name) for name in SETTINGS}, "people": people}


def _clear_inclusion_probabilities(corpus: Corpus) -> None:
    """Those of rounds that nobody has begun are computed again: they depend on the random share."""
    begun = Slot.objects.filter(round=OuterRef("pk"), begun_at__isnull=False)
    weighed = Round.objects.filter(
        page__corpus=corpus, inclusion_probability__isnull=False, finalised_at=None
    )
    weighed.exclude(Exists(begun)).update(inclusion_probability=None)


def _next(
    corpus: Corpus, current: StudyDesign | None, *, made_by: User | None = None, **settings: object
) -> StudyDesign:
    before = {name: getattr(current, name) for name in SETTINGS} if current else {}
    number = corpus.designs.aggregate(last=Max("number"))["last"] or 0
    made: StudyDesign = StudyDesign.objects.create(
        corpus=corpus,
        number=number + 1,
        made_by=made_by,
        # The first version draws with the corpus's own seed.
        seed=secrets.randbits(62) if current else corpus.seed,
        **{**before, **settings},
    )
    if current and made.who == AssignmentMode.NAMED:
        made.people.set(current.people.all())
    return made


# What a version keeps of the one before.
SETTINGS = (
    *("slots", "blind_share", "shares", "who", "order", "random_share"),
    *("check_rate", "repeat_rate", "repeat_weeks"),
)


def _check(corpus: Corpus, settings: Mapping[str, object], named: list[User]) -> None:
    if not 1 <= int(str(settings.get("slots", 2))) <= MAX_SLOTS:
        raise GoldpanError(_("The overlap must be between 1 and 5."))
    if not 0.2 <= float(str(settings.get("blind_share", 0.2))) <= 1:
        raise GoldpanError(_("Blind pages must be between 20 and 100 percent."))
    if settings.get("who") == AssignmentMode.NAMED and not named:
        raise GoldpanError(_("Select at least one annotator."))
    known = set(queries.annotators(corpus)) if named else set()
    for user in named:
        if user not in known:
            raise GoldpanError(_("%(name)s is not an annotator of this corpus.") % {"name": user})
    shares = settings.get("shares") or {}
    assert isinstance(shares, Mapping)
    possible = {str(each.pk) for each in possible_arms(corpus)}
    if any(weight < 0 or key not in possible for key, weight in shares.items()):
        raise GoldpanError(_("Only extractors that this corpus runs and may show can have a share."))


def possible_arms(corpus: Corpus) -> list[Extractor]:
    """Extractors that a slot of this corpus may show."""
    return [extractor for extractor in enabled_extractors(corpus.pk) if extractor.can_be_arm]


def weights(design: StudyDesign, corpus: Corpus, arms: Iterable[Extractor]) -> dict[Extractor, float]:
    """Extractor that a slot may show -> its weight; `arms` are all of them.

    One that has taken the place of another since the weights were set has that one's; one that was enabled
    since then has 0.
    """
    if not design.shares:
        return dict.fromkeys(arms, 1.0)
    shares = {int(key): float(weight) for key, weight in design.shares.items()}
    for successor, replaced in replacements(corpus):
        shares.setdefault(successor, shares.get(replaced, 0.0))
    return {arm: shares.get(arm.pk, 0.0) for arm in arms}


# ---- queue keys ----

# Two uniform numbers in [0, 1) from a digest of seed and page.
_DIGEST = "md5(%(seed)s || ':' || p.sha256)"
_FIRST, _SECOND = (f"(('x' || substr({_DIGEST}, {at}, 8))::bit(32)::bigint / 4294967296.0)" for at in (1, 9))
# Disagreement counts at least this much, so that every page comes up in the end.
LEAST_DISAGREEMENT = 0.05
# The disagreement, from the stored probability: the inverse of `inclusion_probability`.
_DISAGREEMENT = "((r.inclusion_probability - %(random_share)s) / greatest(1 - %(random_share)s, 1e-9))"

QUEUE_KEYS = {
    PageOrder.RANDOM: f"substr({_DIGEST}, 1, 16)",
    PageOrder.SITE: f"substr(md5(%(seed)s || ':' || p.site), 1, 8) || substr({_DIGEST}, 1, 8)",
    PageOrder.OLDEST: "to_char(coalesce(p.captured_at, p.added_at) at time zone 'utc', 'YYYYMMDDHH24MISSUS')",
    # Sequential Poisson sampling: at any time, the pages up to the current key are a sample that includes
    # each in proportion to its inclusion probability. Until all its extractors are done, a page comes last.
    PageOrder.DISAGREEMENT: f"""case when r.inclusion_probability is null then 'z' || {_DIGEST} else to_char(
        {_FIRST} / case when {_SECOND} < %(random_share)s then 1 else greatest({_DISAGREEMENT},
        {LEAST_DISAGREEMENT}) end,
        'FM000.000000000') end""",
}
_UPDATE = """
update annotator_slot s set queue_key = found.queue_key
    from (select o.id, {queue_key} as queue_key
        from annotator_slot o join annotator_round r on r.id = o.round_id
            join annotator_page p on p.id = r.page_id
        where o.corpus_id = %(corpus)s and o.annotator_id is null and o.submitted_at is null
            and o.begun_at is null and r.purpose = 'main' and (%(round)s::bigint is null or r.id = %(round)s)
        for update of o skip locked) found
    where s.id = found.id and s.queue_key <> found.queue_key
"""


def update_queue_keys(*, design: StudyDesign, round_id: int | None = None) -> None:
    """Bring slots that nobody has begun, all or those of one round, into the design's order.

    A slot whose row another transaction has locked keeps its key.
    """
    values: dict[str, str | float | None] = {
        "seed": str(design.seed),
        "random_share": design.random_share,
        "corpus": design.corpus_id,
        "round": round_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE.format(queue_key=QUEUE_KEYS[PageOrder(design.order)]), values)


def inclusion_probability(*, disagreement: float, random_share: float) -> float:
    """A page's probability of being included, relative to a page on which the extractors disagree in full.

    `disagreement` is in [0, 1]; the random stratum includes any page with probability `random_share`.
    """
    return random_share + (1 - random_share) * min(max(disagreement, LEAST_DISAGREEMENT), 1.0)
