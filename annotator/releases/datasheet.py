"""The datasheet of a release, in Markdown, from its manifest alone (after Gebru et al., 2021)."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from annotator.common import words
from annotator.releases.splits import SPLITS
from extraction.composition import Amount

LANGUAGES = ("en", "es")
# Sites beyond these are in the manifest.
SITES = 20
# A language or site with less of a text than this is not said to be covered.
FEW = 30

Manifest = dict[str, Any]


def datasheet(manifest: Manifest, language: str) -> str:
    """The datasheet in one language; the same manifest gives the same text."""
    with translation.override(language):
        parts = (_head, _composition, _collection, _splits, _agreement, _boilerplate, _limits)
        return "\n".join(line for part in parts for line in part(manifest)).rstrip() + "\n"


def _head(manifest: Manifest) -> Iterable[str]:
    title = _("%(name)s, release %(number)d") % {"name": manifest["name"], "number": manifest["number"]}
    yield from (f"# {title}", "")
    if manifest["note"]:
        yield from (manifest["note"], "")
    yield from _facts(
        (_("Corpus"), f"`{manifest['corpus']}`"),
        (_("Pages"), len(manifest["pages"])),
        (_("Licence"), manifest["licence"] or _("not stated")),
        (_("Label sets"), f"`{manifest['label_sets']['sha256'][:12]}`"),
        (_("Guideline"), _("version %(number)d") % {"number": manifest["guideline"]["version"]}),
        (_("Parsers"), ", ".join(f"`{name}` ({n})" for name, n in sorted(manifest["parsers"].items()))),
    )


def _composition(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Composition"))
    yield from _table(
        (_("Verdict"), _("Pages")),
        [(_said(words.VERDICTS, name), n) for name, n in sorted(manifest["verdicts"].items())],
    )
    yield from _table(
        (_("How it was settled"), _("Pages")),
        [(_said(words.SOURCES, name), n) for name, n in sorted(manifest["sources"].items())],
    )
    yield from (_("What the text is made of; in brackets its share."), "")
    rows = [
        (label_of(name), *(_with_share(figures, at) for at in range(3)))
        for name, *figures in manifest["report"]["labels"]
    ]
    total = manifest["report"]["total"]
    yield from _table((_("Label"), _("Blocks"), _("Words"), _("Tokens")), [*rows, (_("All"), *total[:3])])
    yield from (
        _("A token stands between white space; a word is a token with a letter or digit. A block counts for "
          "the label of most of its characters."),
        "",
    )  # fmt: skip


def _collection(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Collection"))
    if manifest["collection"]:
        yield from (manifest["collection"], "")
    captured = manifest["captured"]
    unknown = captured["unknown"]
    if captured["first"]:
        yield _("Pages were captured from %(first)s to %(last)s.") % captured
    if unknown:
        yield _("Of %(unknown)d pages it is not known when they were captured.") % captured
    if manifest["report"].get("effective"):
        yield _("Pages on which extractors disagree had better odds to be annotated. Agreement and shares "
                "are weighted by odds of inclusion; each page's weight is in the manifest. The %(pages)d "
                "articles are as good as %(effective).0f drawn with equal odds."
                ) % manifest["report"]  # fmt: skip
    yield ""


def _splits(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Splits"))
    splits = manifest["splits"]
    yield from _table((_("Split"), _("Pages")), [(split, splits["pages"][split]) for split in SPLITS])
    yield from (
        _("Pages of one site, and near duplicates, are always in one split: %(groups)d groups. Groups are "
          "drawn by “%(seed)s” as 80 to 10 to 10 pages of each language, once: a later release keeps them.")
        % splits,
        "",
    )  # fmt: skip


def _agreement(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Agreement"))
    yield from (
        _("Of annotators among one another, before anything was settled. Brackets: 95 % interval by "
          "resampling pages, withheld below 30."),
        "",
    )  # fmt: skip
    for name, title in (("blind", _("Pairs that were shown nothing")), ("all", _("All pairs"))):
        figures = manifest["agreement"][name]
        yield from (f"**{title}**", "")
        yield from _table(
            (_("Of"), _("Pages"), "α", "κ", "AC1", "F1"),
            [
                (
                    of,
                    figures[key]["observed"]["n"],
                    *(_figure(figures[key].get(each)) for each in COEFFICIENTS),
                )
                for key, of in (
                    ("character", _("characters")),
                    ("word", _("words")),
                    ("block", _("blocks")),
                    ("article", _("article or not, characters")),
                )
            ],
        )


COEFFICIENTS = ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "positive_agreement")


def _boilerplate(manifest: Manifest) -> Iterable[str]:
    found = manifest["report"]
    yield from _section(_("Boilerplate"))
    yield from (_("The share of characters under no label."), "")
    head = (_("Pages"), _("all characters"), _("mean of pages"))
    for title, rows in ((_("Language"), found["languages"]), (_("Site"), found["sites"][:SITES])):
        shown = [
            (name or "–", pages, _percent(shares["pooled"]), _percent(shares["mean"]))
            for name, pages, shares in rows
        ]
        yield from _table((title, *head), shown)


def _limits(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Known limits"))
    yield from (f"- {each}" for each in limits_of(manifest))
    if manifest["limits"]:
        yield from ("", manifest["limits"])


def limits_of(manifest: Manifest) -> list[str]:
    """What the figures themselves say that this release is not good for."""
    report, splits = manifest["report"], manifest["splits"]["pages"]
    thin = [name or "–" for name, pages, _shares in report["languages"] if pages < FEW]
    empty = [name for name, pages in splits.items() if not pages]
    agreed = manifest["agreement"]["blind"]["character"]["observed"]["n"]
    alone = manifest["sources"].get("single", 0) + manifest["sources"].get("imported", 0)
    said = [
        thin and _("Fewer than 30 pages in: %(names)s.") % {"names": ", ".join(thin)},
        empty
        and _("No page in: %(names)s. Too few groups, or one of them too large.")
        % {"names": ", ".join(empty)},
        agreed < FEW and _("Agreement without suggestions rests on %(n)d pages.") % {"n": agreed},
        alone and _("%(n)d pages have the opinion of one person, or of another corpus.") % {"n": alone},
        not manifest["licence"] and _("No licence is stated. Ask before you pass it on."),
        _("News pages as captured: scripts were not run, so what they would have added is not there."),
    ]
    return [each for each in said if each]


# ---- Markdown ----


def label_of(name: str) -> str:
    """A label as it is said; boilerplate has none."""
    return _said(words.LABELS, name) if name else _("Boilerplate")


def _said(known: words.Words, name: str) -> str:
    return str(known.get(name, name))


def _section(title: str) -> tuple[str, str]:
    return f"## {title}", ""


def _facts(*facts: tuple[str, Any]) -> Iterable[str]:
    yield from (f"- {name}: {value}" for name, value in facts)
    yield ""


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterable[str]:
    yield _line(head)
    yield _line(["---", *("---:" for _each in head[1:])])
    yield from (_line(row) for row in rows)
    yield ""


def _line(cells: Sequence[Any]) -> str:
    return f"| {' | '.join(str(cell).replace('|', '¦') for cell in cells)} |"


def _with_share(figures: Sequence[Any], at: int) -> str:
    share = figures[at + len(Amount._fields)]
    return f"{figures[at]} ({_percent(share)})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _figure(figure: dict[str, Any] | None) -> str:
    if not figure or figure["value"] is None:
        return "–"
    if figure["low"] is None:
        return f"{figure['value']:.3f}"
    return f"{figure['value']:.3f} ({figure['low']:.3f} to {figure['high']:.3f})"
