"""Invariants 4, 5 and 6 as queries: whatever people do, none of them finds a row."""

from typing import Any
from weakref import WeakSet

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

# What must never be -> a query of the rows in which it is.
FORBIDDEN = {
    # ---- invariant 4: blind and double ----
    "two people submitted one slot": """
        select slot_id from annotator_annotation where submitted_at is not null
        group by slot_id having count(*) > 1""",
    "submitted by somebody who has not the slot": """
        select a.id from annotator_annotation a join annotator_slot s on s.id = a.slot_id
        where a.submitted_at is not null
            and (s.submitted_at is null or s.annotator_id is distinct from a.annotator_id)""",
    "a slot is submitted without an annotation": """
        select s.id from annotator_slot s where s.submitted_at is not null and not exists (
            select 1 from annotator_annotation a
            where a.slot_id = s.id and a.annotator_id = s.annotator_id and a.submitted_at is not null)""",
    "somebody has two slots of a round": """
        select round_id from annotator_slot where annotator_id is not null
        group by round_id, annotator_id having count(*) > 1""",
    "somebody submitted a round twice": """
        select s.round_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id
        where a.submitted_at is not null group by s.round_id, a.annotator_id having count(*) > 1""",
    "a round has not the slots of its design": """
        select r.id from annotator_round r join annotator_studydesign d on d.id = r.design_id
            join annotator_slot s on s.round_id = r.id
        where r.purpose = 'main' group by r.id, d.slots
        having count(*) <> d.slots or min(s.number) <> 1 or max(s.number) <> d.slots""",
    "somebody has two active pages": """
        select min(id) from annotator_slot
        where annotator_id is not null and submitted_at is null and reserved_at is null
        group by corpus_id, annotator_id having count(*) > 1""",
    "two pages wait for somebody": """
        select min(id) from annotator_slot where reserved_at is not null
        group by corpus_id, annotator_id having count(*) > 1""",
    # A few seconds: of two requests at once each extends one, at its own time.
    "what waits lapses later than the active page": """
        select w.id from annotator_slot w join annotator_slot h
            on h.corpus_id = w.corpus_id and h.annotator_id = w.annotator_id
        where w.reserved_at is not null and h.reserved_at is null and h.submitted_at is null
            and w.lease_until > h.lease_until + interval '5 seconds'""",
    "somebody was given what they had skipped": """
        select s.id from annotator_slot s
            join annotator_skip k on k.round_id = s.round_id and k.annotator_id = s.annotator_id
        where s.claimed_at > k.at""",
    "a page is adjudicated by one of its annotators": """
        select j.id from annotator_adjudication j join annotator_round r on r.id = j.round_id
        where exists (
            select 1 from annotator_annotation a join annotator_slot s on s.id = a.slot_id
                join annotator_round o on o.id = s.round_id
            where o.page_id = r.page_id and a.annotator_id = j.adjudicator_id)""",
    "a page was taken from somebody who had it": """
        select slot from watched_claims
        where became is not null and not (lease < at or (reserved is not null and not opened))""",
    "a submission changed hands": "select slot from watched_claims where submitted is not null",
    "somebody saved in a slot that they no longer had": """
        select v.id from annotator_revision v join annotator_annotation a on a.id = v.annotation_id
            join annotator_slot s on s.id = a.slot_id and s.annotator_id is distinct from a.annotator_id
        where v.saved_at > (
            select max(at) from watched_claims w where w.slot = s.id and w.was = a.annotator_id)""",
    # ---- invariant 5: arms are drawn ----
    "a blind page shows something": """
        select r.id from annotator_round r join annotator_slot s on s.round_id = r.id
        where r.blind and s.arm_id is not null""",
    "two slots of a page show the same": """
        select round_id from annotator_slot where arm_id is not null
        group by round_id, arm_id having count(*) > 1""",
    "fewer pages are blind than the design says, or the account of them is wrong": """
        select id from (
            select r.*, d.blind_share, row_number() over line as position,
                sum(r.blind::int) over line as blind_ones
            from annotator_round r join annotator_studydesign d on d.id = r.design_id
            where r.purpose = 'main' window line as (partition by r.design_id order by r.draw)) drawn
        where position <> draw + 1 or blind_ones < greatest(blind_share, 0.2) * position - 1e-9
            or (account->>'blind')::int <> blind_ones""",
    "something else was shown than the arm": """
        select a.id from annotator_annotation a join annotator_slot s on s.id = a.slot_id
        where a.shown_id is not null and a.shown_id is distinct from s.arm_id""",
    "what was shown is not logged, or what was not there is": """
        select a.id from annotator_annotation a join annotator_slot s on s.id = a.slot_id
            left join annotator_extraction e on e.document_id = a.document_id and e.extractor_id = s.arm_id
                and e.error = '' and e.finished_at < a.opened_at
        where (a.shown_id is null) <> (e.id is null)""",
    "a page counts as shown while it waits": """
        select a.id from annotator_annotation a
            join annotator_slot s on s.id = a.slot_id and s.annotator_id = a.annotator_id
        where a.opened_at > s.reserved_at""",
    # ---- invariant 6: nothing is lost ----
    "revisions have gaps": """
        select a.id from annotator_annotation a left join annotator_revision v on v.annotation_id = a.id
        group by a.id having count(v.id) <> a.revision or coalesce(max(v.number), 0) <> a.revision""",
    "a revision does not build on the one before": """
        select id from annotator_revision where based_on <> number - 1""",
    "a save is refused and kept as a revision": """
        select f.id from annotator_refusedsave f join annotator_revision v
            on v.annotation_id = f.annotation_id and v.operation = f.operation""",
    "what counts as submitted is not one revision of that person with a verdict": """
        select a.id from annotator_annotation a
            left join annotator_submission u on u.annotation_id = a.id and u.withdrawn_at is null
            left join annotator_revision v on v.id = u.revision_id
        where a.submitted_at is distinct from u.submitted_at
            or (u.id is not null and (v.annotation_id <> a.id or v.verdict = ''))""",
    "what was submitted is not the newest of its time": """
        select u.id from annotator_submission u join annotator_revision v on v.id = u.revision_id
            join annotator_revision o on o.annotation_id = v.annotation_id
        where o.number > v.number and o.saved_at < u.submitted_at""",
    "what counts is not what was submitted last": """
        select u.id from annotator_submission u join annotator_submission later
            on later.annotation_id = u.annotation_id and later.number > u.number
        where u.withdrawn_at is null""",
    "submissions have gaps": """
        select annotation_id from annotator_submission group by annotation_id
        having count(*) <> max(number) or min(number) <> 1""",
    "a slot is submitted at another time than its annotation at first": """
        select s.id from annotator_slot s
            join annotator_annotation a on a.slot_id = s.id and a.annotator_id = s.annotator_id
            left join annotator_submission u on u.annotation_id = a.id and u.number = 1
        where s.submitted_at is distinct from u.submitted_at""",
}  # fmt: skip

# What is written once and never again -> its rows; they may become more.
KEPT = {
    "a round and its draw": """
        select id, row(page_id, purpose, blind, design_id, draw, account)::text from annotator_round""",
    "a slot and its arm": "select id, row(round_id, number, arm_id)::text from annotator_slot",
    "who submitted a slot, and when": """
        select id, row(annotator_id, submitted_at)::text from annotator_slot
        where submitted_at is not null""",
    "what was shown to whom": """
        select id, row(slot_id, annotator_id, document_id, shown_id, opened_at)::text
        from annotator_annotation""",
    "a revision": "select id, md5(r::text) from annotator_revision r",
    "a refused save": "select id, md5(r::text) from annotator_refusedsave r",
    "a submission": """
        select id, row(annotation_id, number, revision_id, submitted_at)::text from annotator_submission""",
    "gold": "select id, md5((to_jsonb(g) - 'current')::text) from annotator_gold g",
}

# All that annotators can move; a refused request moves none of it.
MOVING = ("slot", "annotation", "revision", "submission", "skip", "round", "adjudication", "gold")

# The claims that ended, written by the database itself: whose, how far, and who came next.
WATCH = """
create table watched_claims (
    id bigserial, slot bigint, was bigint, lease timestamptz, reserved timestamptz, submitted timestamptz,
    opened boolean, became bigint, at timestamptz);
create function watch_claims() returns trigger language plpgsql as $$
begin
    insert into watched_claims (slot, was, lease, reserved, submitted, opened, became, at)
    values (old.id, old.annotator_id, old.lease_until, old.reserved_at, old.submitted_at,
        exists (select 1 from annotator_annotation a
            where a.slot_id = old.id and a.annotator_id = old.annotator_id),
        new.annotator_id, clock_timestamp());
    return new;
end $$;
create trigger watch_claims before update on annotator_slot for each row
    when (old.annotator_id is not null and new.annotator_id is distinct from old.annotator_id)
    execute function watch_claims();
"""
UNWATCH = "drop function watch_claims cascade; drop table watched_claims"


# The connections that know them all.
_prepared: WeakSet[Any] = WeakSet()


def ask(query: str, *values: Any, on: BaseDatabaseWrapper | None = None) -> list[tuple[Any, ...]]:
    with (on or connection).cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall()) if cursor.description else []


def violations() -> list[str]:
    """Every invariant that does not hold, with rows in which it does not."""
    found: dict[str, list[int]] = {}
    connection.ensure_connection()
    if connection.connection not in _prepared:
        # To plan all of it takes three times as long as to answer it.
        ask(f"prepare invariants as {_EVERYTHING}")
        _prepared.add(connection.connection)
    for invariant, row in ask("execute invariants"):
        found.setdefault(invariant, []).append(row)
    return [f"{invariant}: rows {rows[:3]}" for invariant, rows in found.items()]


_EVERYTHING = " union all ".join(
    f"select '{invariant}', found.* from ({query}) found"  # noqa: S608  our own questions
    for invariant, query in FORBIDDEN.items()
)


def fingerprint(on: BaseDatabaseWrapper | None = None) -> list[tuple[Any, ...]]:
    """Of all that annotators can move; the refused saves are not in it."""
    each = "select md5(string_agg(t::text, ';' order by id)) from annotator_{} t"
    return ask(" union all ".join(each.format(name) for name in MOVING), on=on)


def free_slots(corpus: int, person: int) -> list[tuple[Any, ...]]:
    """Slots that nobody has or whose lease lapsed, on pages that this person may have."""
    return ask(_FREE, corpus, *[person] * 3)


_FREE = """
    select s.id from annotator_slot s join annotator_round r on r.id = s.round_id
    where s.corpus_id = %s and s.submitted_at is null and r.finalised_at is null
        and (s.annotator_id is null or s.lease_until < clock_timestamp())
        and not exists (select 1 from annotator_slot o where o.round_id = r.id and o.annotator_id = %s)
        and not exists (select 1 from annotator_skip k where k.round_id = r.id and k.annotator_id = %s)
        and not exists (select 1 from annotator_unblinded u where u.page_id = r.page_id and u.user_id = %s)
"""


class History:
    """What stood at the last look: it stands at the next one too."""

    def __init__(self) -> None:
        self._stood = {name: dict(ask(query)) for name, query in KEPT.items()}

    def rewritten(self) -> list[str]:
        """What has been changed or taken away since the last look."""
        found = []
        for name, query in KEPT.items():
            stands = dict(ask(query))
            changed = [key for key, was in self._stood[name].items() if stands.get(key) != was]
            if changed:
                found.append(f"{name} was rewritten: rows {changed[:3]}")
            self._stood[name] = stands
        return found
