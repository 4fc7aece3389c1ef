"""Writes about the design: the version that stands, the next one, and the turns of what nobody has begun."""

import secrets
from collections.abc import Iterable, Mapping

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext as _

from annotator.annotations.models import Round, Slot
from annotator.annotations.study import queries
from annotator.annotations.study.models import MOST_SLOTS, Order, StudyDesign, Who
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import roles_of
from annotator.runs.models import CorpusExtractor


def standing_design(*, corpus: Corpus) -> StudyDesign:
    """The version that stands, the usual one where none was made. Call it with the corpus's row held."""
    return queries.newest(corpus) or _next(corpus, None)


def begin_design(*, corpus: Corpus, **settings: object) -> StudyDesign:
    """The first version, of a corpus that is being made; `settings` as in `change_design`."""
    _check(corpus, settings, [])
    return _next(corpus, None, **settings)


@transaction.atomic
def change_design(
    *, corpus: Corpus, made_by: User | None, based_on: int, people: Iterable[User] = (), **settings: object
) -> StudyDesign:
    """Let another design stand: `settings` are fields of StudyDesign, those left out stay as they are.

    Raises Conflict when another version was made meanwhile, GoldpanError for what cannot be.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    stands = standing_design(corpus=held)
    if stands.number != based_on:
        raise Conflict(_("Somebody else changed the design meanwhile. Look at it, and change it again."))
    named = list(people)
    _check(held, settings, named)
    made = _next(held, stands, made_by=made_by, **settings)
    made.people.set(named if made.who == Who.NAMED else [])
    if made.random_share != stands.random_share:
        _forget_odds(held)
    if (made.order, made.random_share) != (stands.order, stands.random_share):
        give_turns(design=made)
    return made


def _forget_odds(corpus: Corpus) -> None:
    """The odds of what nobody has begun are worked out anew: they hold for one reserved share."""
    begun = Slot.objects.filter(round=OuterRef("pk"), begun_at__isnull=False)
    weighed = Round.objects.filter(page__corpus=corpus, inclusion__isnull=False, settled_at=None)
    weighed.exclude(Exists(begun)).update(inclusion=None)


def _next(
    corpus: Corpus, stands: StudyDesign | None, *, made_by: User | None = None, **settings: object
) -> StudyDesign:
    kept = ("slots", "blind_share", "shares", "who", "order", "random_share", *_RATES)
    before = {name: getattr(stands, name) for name in kept} if stands else {}
    number = corpus.designs.aggregate(last=Max("number"))["last"] or 0
    made: StudyDesign = StudyDesign.objects.create(
        corpus=corpus,
        number=number + 1,
        made_by=made_by,
        # The first one draws with the seed that the corpus was born with.
        seed=secrets.randbits(62) if stands else corpus.seed,
        **{**before, **settings},
    )
    if stands and made.who == Who.NAMED:
        made.people.set(stands.people.all())
    return made


_RATES = ("check_rate", "repeat_rate", "repeat_weeks")


def _check(corpus: Corpus, settings: Mapping[str, object], named: list[User]) -> None:
    if not 1 <= int(str(settings.get("slots", 2))) <= MOST_SLOTS:
        raise GoldpanError(_("A page has one to five annotators."))
    if not 0.2 <= float(str(settings.get("blind_share", 0.2))) <= 1:
        raise GoldpanError(_("At least a fifth of the pages (0.2) shows no suggestion, at most all (1)."))
    if settings.get("who") == Who.NAMED and not named:
        raise GoldpanError(_("Name at least one annotator."))
    for user in named:
        if "annotator" not in roles_of(user, corpus):
            raise GoldpanError(_("%(name)s is no annotator of this corpus.") % {"name": user})
    shares = settings.get("shares") or {}
    assert isinstance(shares, Mapping)
    possible = {str(pk) for pk in possible_arms(corpus)}
    if any(weight < 0 or key not in possible for key, weight in shares.items()):
        raise GoldpanError(_("Shares are of extractors that this corpus runs and may show."))


def possible_arms(corpus: Corpus) -> list[int]:
    """Extractors that a slot of this corpus may show."""
    enabled = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__can_be_arm=True)
    return list(enabled.order_by("extractor_id").values_list("extractor_id", flat=True))


# ---- turns ----

# Two even numbers in [0, 1) out of a digest of seed and page.
_DIGEST = "md5(%(seed)s || ':' || p.sha256)"
_FIRST, _SECOND = (f"(('x' || substr({_DIGEST}, {at}, 8))::bit(32)::bigint / 4294967296.0)" for at in (1, 9))
# How unlike what extractors say must count at least: such a page has its turn in the end.
LEAST_UNLIKE = 0.05
# What the rounds' probability says is undone here: see `inclusion`.
_UNLIKE = "((r.inclusion - %(random_share)s) / greatest(1 - %(random_share)s, 1e-9))"

TURNS = {
    Order.RANDOM: f"substr({_DIGEST}, 1, 16)",
    Order.SITE: f"substr(md5(%(seed)s || ':' || p.site), 1, 8) || substr({_DIGEST}, 1, 8)",
    Order.OLDEST: "to_char(coalesce(p.captured_at, p.added_at) at time zone 'utc', 'YYYYMMDDHH24MISSUS')",
    # Poisson sampling in a line: among those that have had their turn, whenever one looks, a page is with
    # odds as its `inclusion`. Until all extractors are done nothing is known of it, and it waits.
    Order.DISAGREEMENT: f"""case when r.inclusion is null then 'z' || {_DIGEST} else to_char(
        {_FIRST} / case when {_SECOND} < %(random_share)s then 1 else greatest({_UNLIKE}, {LEAST_UNLIKE}) end,
        'FM000.000000000') end""",
}
_GIVE = """
update annotator_slot s set turn = found.turn
    from (select o.id, {turn} as turn
        from annotator_slot o join annotator_round r on r.id = o.round_id
            join annotator_page p on p.id = r.page_id
        where o.corpus_id = %(corpus)s and o.annotator_id is null and o.submitted_at is null
            and o.begun_at is null and r.purpose = 'main' and (%(round)s::bigint is null or r.id = %(round)s)
        for update of o skip locked) found
    where s.id = found.id and s.turn <> found.turn
"""


def give_turns(*, design: StudyDesign, round_id: int | None = None) -> int:
    """Put what nobody has begun into the design's order, all of it or one round; how many slots moved.

    A slot that somebody is taking at this moment keeps its turn: nobody waits for anybody.
    """
    values = {
        "seed": str(design.seed),
        "random_share": design.random_share,
        "corpus": design.corpus_id,
        "round": round_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_GIVE.format(turn=TURNS[Order(design.order)]), values)
        return int(cursor.rowcount)


def inclusion(*, unlike: float, random_share: float) -> float:
    """A page's odds of having had its turn, relative to a page on which extractors differ in everything.

    `unlike` in [0, 1] says how far they differ. The reserved stratum takes any page with `random_share`.
    """
    return random_share + (1 - random_share) * min(max(unlike, LEAST_UNLIKE), 1.0)
