"""The cost of parsing, views and extractors, relative to a bare lxml parse of the same bytes.

The steps are interleaved page by page in one run. Own code is measured as CPU time of this thread,
trafilatura as CPU time of its child process. Caches of both are cleared in each round.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.results import yes_no
from benchmarks.stopwatch import Stopwatch, bare_parse
from extraction.documents.document import Document
from extraction.documents.view.build import build_view
from extraction.extractors import extract, get, names, own_names
from extraction.extractors.external import LibraryError
from extraction.extractors.external.host import of_this_process
from extraction.extractors.goldpan import layout
from extraction.learning.architectures import NAMES as LEARNED
from extraction.parsing.decode import decode
from extraction.parsing.parse import parse

ROUNDS = 5
OPPONENT = "trafilatura"
BARE, DECODE, DOCUMENT, VIEW = "bare lxml parse", "of it: decode", "decode + parse + document", "view"
ALL_IN, LOADING = 'extract(parse(raw), "goldpan")', "loading: a stored document unpacked"
#: Other parameters for a re-run, so that it cannot reuse cached results.
OTHERWISE: dict[str, dict[str, object]] = {
    "cetd": {"variant": "simple"},
    "goldpan": {"setting": "precision"},
    "justext": {"length_low": 60},
    "mss": {"tag_cost": 2.5},
    "tree-filter": {"depth": 3},
    "unfluff": {"language": "en"},
}
#: Peers that take at least 50 times the bare parse. They run once, on fewer pages.
SLOW = frozenset({"defuddle", "goose3", "newspaper4k", "readabilipy", "readability-js"})
SLOW_PAGES, PEER_ROUNDS = 40, 2


class SpeedTarget(NamedTuple):
    """A measured value and its target, if it has one."""

    about: str
    figure: float
    at_most: float | None = None
    at_least: float | None = None

    @property
    def aim(self) -> str:
        """The target, and whether it is met, as two cells."""
        if self.at_most is not None:
            return f"at most {self.at_most} | {yes_no(self.figure <= self.at_most)}"
        if self.at_least is not None:
            return f"at least {self.at_least} | {yes_no(self.figure >= self.at_least)}"
        return " | "


def run(limit: int | None = None) -> str:
    """Return the targets, and tables of steps and peers with milliseconds per page and ratios."""
    pages = published_corpora.pages(limit)
    watch = measure(pages)
    intro = (
        f"CPU time, best of {ROUNDS} rounds per page, {len(pages)} pages ({published_corpora.pages_text()}), "
        "steps interleaved page by page. A re-run is on a loaded document that the extractor has processed "
        "before; loading and the first pass are listed separately. Extractors run in the order of the table, "
        "and the first that needs what several share pays for it: a first pass depends on its rank there."
    )
    parts = ["## Speed", "", intro, "", *_targets(watch), "", *_steps(watch), "", *_peers(pages)]
    return "\n".join(parts)


def measure(pages: list[bytes]) -> Stopwatch:
    """Measure every step on every page, in several rounds."""
    watch = Stopwatch()
    packed = [parse(raw).pack() for raw in pages]
    has_opponent = get(OPPONENT).missing is None
    for _round in tqdm(range(ROUNDS), desc="speed", disable=None):
        of_this_process().close()
        layout.forget()
        for number, raw in enumerate(pages):
            _from_bytes(watch, number, raw)
            _from_store(watch, number, packed[number], raw)
            if has_opponent:
                peer(watch, OPPONENT, number, raw)
    return watch


def _from_bytes(watch: Stopwatch, number: int, raw: bytes) -> None:
    watch.time(BARE, number, lambda: bare_parse(raw))
    watch.time(DECODE, number, lambda: decode(raw))
    document = watch.time(DOCUMENT, number, lambda: parse(raw))
    watch.time(VIEW, number, lambda: build_view(document))
    watch.time(ALL_IN, number, lambda: extract(parse(raw), "goldpan"))


def _from_store(watch: Stopwatch, number: int, packed: bytes, raw: bytes) -> None:
    document = watch.time(LOADING, number, lambda: Document.unpack(packed, raw))
    for name in _in_order():
        spec = get(name)
        watch.time(_first(name), number, partial(spec, document))
        watch.time(_again(name), number, partial(spec, document))
        other = OTHERWISE.get(name, {})
        watch.time(_other(name), number, partial(spec, document, **other))


def peer(watch: Stopwatch, name: str, number: int, raw: bytes) -> None:
    """Record the time of a peer on a page; nothing if it fails."""
    try:
        extraction = get(name).run(parse(raw))
    except LibraryError:
        return
    watch.note(name, number, extraction.seconds)


def chains() -> list[str]:
    """Return the names of the Boilerpipe extractors."""
    return [name for name in own_names() if name.startswith("boilerpipe-")]


def _in_order() -> list[str]:
    """Return own extractors, Boilerpipe first: it pays for the features that later ones share."""
    return [*chains(), *(name for name in own_names() if name not in chains())]


def _first(name: str) -> str:
    return f"{name}, first pass"


def _again(name: str) -> str:
    return f"{name}, re-run"


def _other(name: str) -> str:
    return f"{name}, re-run with another setting"


def targets(watch: Stopwatch) -> list[SpeedTarget]:
    """Return the values with targets; comparisons only if the peer is installed."""
    found = [
        SpeedTarget(f"{DOCUMENT}: times the bare parse", watch.ratio([DOCUMENT], BARE), at_most=2.5),
        SpeedTarget(f"{VIEW}: times the bare parse", watch.ratio([VIEW], BARE), at_most=2.0),
        SpeedTarget(f"`{ALL_IN}`: times the bare parse", watch.ratio([ALL_IN], BARE), at_most=3.0),
    ]
    if not watch.pages(OPPONENT):
        return found
    own = [name for name in own_names() if name not in LEARNED]
    return [
        *found,
        SpeedTarget(
            f"the same: as fast as {OPPONENT}, times", 1 / watch.ratio([ALL_IN], OPPONENT), at_least=4
        ),
        *_rerun_targets(watch, f"the {len(chains())} Boilerpipe chains together", chains(), 20),
        *_rerun_targets(watch, f"all {len(own)} own extractors but those of `train` together", own, 5),
        *(
            SpeedTarget(f"`{name}`, first pass: times {OPPONENT}", watch.ratio([_first(name)], OPPONENT))
            for name in LEARNED
        ),
    ]


def _rerun_targets(watch: Stopwatch, who: str, names: list[str], at_least: float) -> Iterable[SpeedTarget]:
    again, first = map(_again, names), map(_first, names)
    yield SpeedTarget(
        f"{who}, re-run: as fast as {OPPONENT}, times", 1 / watch.ratio(again, OPPONENT), at_least=at_least
    )
    if any(name in OTHERWISE for name in names):
        other = map(_other, names)
        yield SpeedTarget(
            "the same, with other settings where there are any", 1 / watch.ratio(other, OPPONENT)
        )
    yield SpeedTarget("the same, first pass", 1 / watch.ratio(first, OPPONENT))
    loaded = 1 / watch.ratio([LOADING, *map(_first, names)], OPPONENT)
    yield SpeedTarget("the same, loading and first pass", loaded)


def _targets(watch: Stopwatch) -> list[str]:
    rows = [f"| {aim.about} | {aim.figure:.2f} | {aim.aim} |" for aim in targets(watch)]
    if not watch.pages(OPPONENT):
        rows.append(f"| against {OPPONENT} | {get(OPPONENT).missing or 'it failed on every page'} | | |")
    return ["| measure | value | target | met |", "| --- | ---: | --- | --- |", *rows]


def _steps(watch: Stopwatch) -> list[str]:
    names = _in_order()
    steps = [BARE, DECODE, DOCUMENT, VIEW, ALL_IN, LOADING]
    rows = [_step(watch, step, [step]) for step in steps if watch.pages(step)]
    if watch.pages(OPPONENT):
        rows.append(_step(watch, f"{OPPONENT}, from HTML", [OPPONENT]))
    head = ["| step | ms per page | times the bare parse |", "| --- | ---: | ---: |"]
    more = [
        "| extractor | first pass, times the bare parse | re-run | re-run with another setting |",
        "| --- | ---: | ---: | ---: |",
        *(_extractor(watch, name, [name]) for name in names),
        _extractor(watch, "the Boilerpipe chains together", chains()),
        _extractor(watch, "all together", names),
    ]
    return [*head, *rows, "", *more]


def _step(watch: Stopwatch, title: str, steps: list[str]) -> str:
    milliseconds = 1000 * watch.seconds(*steps) / watch.pages(steps[0])
    return f"| {title} | {milliseconds:.2f} | {watch.ratio(steps, BARE):.2f} |"


def _extractor(watch: Stopwatch, title: str, names: list[str]) -> str:
    ways = [_first, _again]
    if any(name in OTHERWISE for name in names):
        ways.append(_other)
    cells = [f"{watch.ratio(map(way, names), BARE):.3f}" for way in ways]
    return f"| {title} | {' | '.join(cells + [''] * (3 - len(cells)))} |"


def _peers(pages: list[bytes]) -> list[str]:
    peers = [name for name in names() if name not in own_names()]
    head = [
        f"Peers, each measured separately beside the bare parse, best of {PEER_ROUNDS} rounds (slow ones "
        f"once, on the first {SLOW_PAGES} pages):",
        "",
        "| peer | pages | ms per page | times the bare parse |",
        "| --- | ---: | ---: | ---: |",
    ]
    return [*head, *(_peer(name, pages) for name in tqdm(peers, desc="peers", disable=None))]


def _peer(name: str, pages: list[bytes]) -> str:
    if missing := get(name).missing:
        return f"| {name} | {missing} | | |"
    watch = Stopwatch()
    for _round in range(1 if name in SLOW else PEER_ROUNDS):
        of_this_process().close()  # libraries keep what they have seen, for one another too
        for number, raw in enumerate(pages[: SLOW_PAGES if name in SLOW else None]):
            watch.time(BARE, number, partial(bare_parse, raw))
            peer(watch, name, number, raw)
    if not watch.pages(name):
        return f"| {name} | failed on every page | | |"
    milliseconds = 1000 * watch.seconds(name) / watch.pages(name)
    return f"| {name} | {watch.pages(name)} | {milliseconds:.2f} | {watch.ratio([name], BARE):.1f} |"
