"""Groups are not divided, and splits do not change; on random corpora too."""

from collections import Counter
from hashlib import sha256
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotator.releases.splits import SPLITS, SplitPage, assign_splits, groups_of


def member(number: int, site: str = "", cluster: str = "", language: str = "en") -> SplitPage:
    return SplitPage(sha256(str(number).encode()).hexdigest(), site, cluster, language)


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
def test_no_site_and_no_cluster_is_in_two_splits(members: list[SplitPage]) -> None:
    assigned = assign_splits(members, before={}, seed="dailies")
    for at in (1, 2):
        homes: dict[str, set[str]] = {}
        for each in members:
            if each[at]:
                homes.setdefault(str(each[at]), set()).add(assigned[each.digest].split)
        assert all(len(splits) == 1 for splits in homes.values())


@given(CORPORA, CORPORA)
def test_released_pages_keep_their_split_unless_groups_merge(
    members: list[SplitPage], more: list[SplitPage]
) -> None:
    first = assign_splits(members, before={}, seed="dailies")
    before = {digest: page.split for digest, page in first.items()}
    known = {each.digest for each in members}
    grown = [*members, *(each for each in more if each.digest not in known)]
    second = assign_splits(grown, before=before, seed="dailies")
    for group in groups_of(grown).values():
        held = Counter(before[each.digest] for each in group if each.digest in before)
        for each in group:
            if each.digest in before and len(held) == 1:
                assert second[each.digest].split == before[each.digest]
        assert len({second[each.digest].split for each in group}) == 1


@given(CORPORA, st.randoms())
def test_the_order_of_the_pages_does_not_matter(members: list[SplitPage], random: Random) -> None:
    shuffled = members[:]
    random.shuffle(shuffled)
    assert assign_splits(members, before={}, seed="a") == assign_splits(shuffled, before={}, seed="a")


def test_merged_groups_move_to_the_split_of_the_larger_one() -> None:
    train, dev = [member(n, "a.example") for n in range(3)], [member(9, "b.example", "c")]
    before = {each.digest: "train" for each in train} | {dev[0].digest: "dev"}
    bridge = member(20, "a.example", "c")
    assigned = assign_splits([*train, *dev, bridge], before=before, seed="x")
    assert {each.split for each in assigned.values()} == {"train"}


def test_shares_are_eight_to_one_to_one_in_each_language() -> None:
    members = [member(n, f"{n // 2}.example", language="en" if n % 4 < 2 else "es") for n in range(400)]
    assigned = assign_splits(members, before={}, seed="dailies")
    for language in ("en", "es"):
        counted = Counter(assigned[each.digest].split for each in members if each.language == language)
        assert [counted[split] for split in SPLITS] == [160, 20, 20]


def test_few_sites_of_several_languages_fill_all_three_splits() -> None:
    """Nine sites, as in the demo: dev and test take their turns, language by language."""
    sites = [("en", 5), ("es", 3), ("ar", 1)]
    members = [
        member(100 * n + 10 * site + page, f"{language}{site}.example", language=language)
        for n, (language, count) in enumerate(sites)
        for site in range(count)
        for page in range(7)
    ]
    for seed in ("dailies", "demo", "x"):
        assigned = assign_splits(members, before={}, seed=seed)
        assert {each.split for each in assigned.values()} == {*SPLITS}


def test_another_seed_gives_other_splits() -> None:
    members = [member(n, f"{n}.example") for n in range(40)]
    assert assign_splits(members, before={}, seed="a") != assign_splits(members, before={}, seed="b")
