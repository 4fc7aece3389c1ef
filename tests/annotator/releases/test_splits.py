"""Groups that are not torn apart, and splits that stand; on random corpora too."""

from collections import Counter
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from annotator.releases.splits import SPLITS, Member, groups_of, place


def member(number: int, site: str = "", cluster: str = "", language: str = "en") -> Member:
    return Member(sha256(str(number).encode()).hexdigest(), site, cluster, language)


CORPORA = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.sampled_from(["", *(f"{n}.example" for n in range(8))]),
        st.sampled_from(["", *(f"c{n}" for n in range(12))]),
        st.sampled_from(["en", "es", "de"]),
    ),
    min_size=1,
    max_size=60,
    unique_by=lambda row: row[0],
).map(lambda rows: [member(*row) for row in rows])


@given(CORPORA)
def test_no_site_and_no_cluster_is_in_two_splits(members: list[Member]) -> None:
    placed = place(members, before={}, seed="dailies")
    for at in (1, 2):
        homes: dict[str, set[str]] = {}
        for each in members:
            if each[at]:
                homes.setdefault(str(each[at]), set()).add(placed[each.digest].split)
        assert all(len(splits) == 1 for splits in homes.values())


@given(CORPORA, CORPORA)
def test_what_was_released_stays_where_it_was_unless_groups_have_met(
    members: list[Member], more: list[Member]
) -> None:
    first = place(members, before={}, seed="dailies")
    before = {digest: placed.split for digest, placed in first.items()}
    known = {each.digest for each in members}
    grown = [*members, *(each for each in more if each.digest not in known)]
    second = place(grown, before=before, seed="dailies")
    for group in groups_of(grown).values():
        held = Counter(before[each.digest] for each in group if each.digest in before)
        for each in group:
            if each.digest in before and len(held) == 1:
                assert second[each.digest].split == before[each.digest]
                assert second[each.digest].moved_from == ""
        assert len({second[each.digest].split for each in group}) == 1


@given(CORPORA, st.randoms())
def test_the_order_of_the_pages_means_nothing(members: list[Member], random: object) -> None:
    shuffled = members[:]
    random.shuffle(shuffled)
    assert place(members, before={}, seed="a") == place(shuffled, before={}, seed="a")


def test_a_page_between_two_groups_moves_the_smaller_one() -> None:
    train, dev = [member(n, "a.example") for n in range(3)], [member(9, "b.example", "c")]
    before = {each.digest: "train" for each in train} | {dev[0].digest: "dev"}
    bridge = member(20, "a.example", "c")
    placed = place([*train, *dev, bridge], before=before, seed="x")
    assert {each.split for each in placed.values()} == {"train"}
    assert [placed[dev[0].digest].moved_from, placed[train[0].digest].moved_from] == ["dev", ""]


def test_shares_are_eight_to_one_to_one_in_each_language() -> None:
    members = [member(n, f"{n // 2}.example", language="en" if n % 4 < 2 else "es") for n in range(400)]
    placed = place(members, before={}, seed="dailies")
    for language in ("en", "es"):
        counted = Counter(placed[each.digest].split for each in members if each.language == language)
        assert [counted[split] for split in SPLITS] == [160, 20, 20]


def test_another_seed_draws_otherwise() -> None:
    members = [member(n, f"{n}.example") for n in range(40)]
    assert place(members, before={}, seed="a") != place(members, before={}, seed="b")
