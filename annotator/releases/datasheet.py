"""The datasheet of a release in Markdown, generated from its manifest (Gebru et al. 2021)."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from annotator.common import display_names
from annotator.common.templatetags.names import source_title, verdict_title
from annotator.releases.splits import SPLITS
from extraction.metrics.composition import TextAmount

LANGUAGES = ("en", "es")
# The manifest has all sites.
MAX_SITES = 20
# A language with fewer pages is listed among the limitations.
MIN_PAGES = 30

Manifest = dict[str, Any]


def datasheet(manifest: Manifest, language: str) -> str:
    """Return the datasheet in one language. It depends on the manifest only."""
    with translation.override(language):
        parts = (_summary, _composition, _collection, _splits, _agreement, _boilerplate, _limitations)
        return "\n".join(line for part in parts for line in part(manifest)).rstrip() + "\n"


def _summary(manifest: Manifest) -> Iterable[str]:
    title = _("%(name)s, release %(number)d") % {"name": manifest["name"], "number": manifest["number"]}
    yield from (f"# {title}", "")
    if manifest["note"]:
        yield from (manifest["note"], "")
    facts = (
        (_("Corpus"), f"`{manifest['corpus']}`"),
        (_("Pages"), len(manifest["pages"])),
        (_("Licence"), manifest["licence"] or _("not stated")),
        (_("Label sets"), f"`{manifest['label_sets']['sha256'][:12]}`"),
        (_("Guideline"), _("version %(number)d") % {"number": manifest["guideline"]["version"]}),
        (_("Parsers"), ", ".join(f"`{name}` ({n})" for name, n in sorted(manifest["parsers"].items()))),
    )
    yield from (f"- {name}: {value}" for name, value in facts)
    yield ""


def _composition(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Composition"))
    yield from _table(
        (_("Verdict"), _("Pages")),
        [(verdict_title(name), n) for name, n in sorted(manifest["verdicts"].items())],
    )
    yield from _table(
        (_("Source of the gold"), _("Pages")),
        [(source_title(name), n) for name, n in sorted(manifest["sources"].items())],
    )
    yield from (_("Amounts of text by label, with their shares in parentheses."), "")
    rows = [
        (label_of(name), *(_with_share(figures, at) for at in range(3)))
        for name, *figures in manifest["report"]["labels"]
    ]
    total = manifest["report"]["total"]
    yield from _table((_("Label"), _("Blocks"), _("Words"), _("Tokens")), [*rows, (_("All"), *total[:3])])
    yield from (
        _("Tokens are separated by white space; a word is a token with a letter or digit. A block belongs to "
          "the label of most of its characters."),
        "",
    )  # fmt: skip


def _collection(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Collection process"))
    if manifest["collection"]:
        yield from (manifest["collection"], "")
    captured = manifest["captured"]
    unknown = captured["unknown"]
    if captured["first"]:
        yield _("Pages were captured between %(first)s and %(last)s.") % captured
    if unknown:
        yield _("Pages whose capture time is unknown: %(unknown)d.") % captured
    if manifest["report"].get("effective"):
        yield _("Pages on which extractors disagree were more likely to be sampled. Agreement and shares are "
                "weighted by inclusion probability; the manifest has the weight of each page. The effective "
                "sample size of the %(pages)d articles is %(effective).0f."
                ) % manifest["report"]  # fmt: skip
    yield ""


def _splits(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Recommended splits"))
    splits = manifest["splits"]
    yield from _table((_("Split"), _("Pages")), [(split, splits["pages"][split]) for split in SPLITS])
    yield from (
        _("Pages of one site, and near duplicates, are in the same split. Such groups: %(groups)d. "
          "They are assigned at random (seed “%(seed)s”), with 80, 10 and 10 percent of the pages of each "
          "language. Later releases keep the assignment.")
        % splits,
        "",
    )  # fmt: skip


def _agreement(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Inter-annotator agreement"))
    yield from (
        _("Between annotators, before adjudication. Parentheses: 95 % interval by resampling pages, withheld "
          "below 30 pages."),
        "",
    )  # fmt: skip
    for name, title in (
        ("blind", _("Pairs without suggestions")),
        ("all", pgettext("of annotators", "All pairs")),
    ):
        figures = manifest["agreement"][name]
        yield from (f"**{title}**", "")
        yield from _table(
            (_("Unit"), _("Pages"), "α", "κ", "AC1", "F1"),
            [
                (
                    unit,
                    figures[key]["observed"]["n"],
                    *(_figure(figures[key].get(each)) for each in COEFFICIENTS),
                )
                for key, unit in UNITS.items()
            ],
        )


UNITS = {
    "character": gettext_lazy("characters"),
    "word": gettext_lazy("words"),
    "block": gettext_lazy("blocks"),
    "article": gettext_lazy("article or not, by character"),
}
COEFFICIENTS = ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "positive_agreement")


def _boilerplate(manifest: Manifest) -> Iterable[str]:
    found = manifest["report"]
    yield from _section(_("Boilerplate"))
    yield from (_("The share of characters without a label."), "")
    head = (_("Pages"), _("all characters"), _("mean of pages"))
    for title, rows in ((_("Language"), found["languages"]), (_("Site"), found["sites"][:MAX_SITES])):
        shown = [
            (name or "–", pages, _percent(shares["pooled"]), _percent(shares["mean"]))
            for name, pages, shares in rows
        ]
        yield from _table((title, *head), shown)


def _limitations(manifest: Manifest) -> Iterable[str]:
    yield from _section(_("Known limitations"))
    yield from (f"- {each}" for each in known_limitations(manifest))
    if manifest["limitations"]:
        yield from ("", manifest["limitations"])


def known_limitations(manifest: Manifest) -> list[str]:
    """Return the limitations that follow from the manifest."""
    report, splits = manifest["report"], manifest["splits"]["pages"]
    small = [name or "–" for name, pages, _shares in report["languages"] if pages < MIN_PAGES]
    empty = [name for name, pages in splits.items() if not pages]
    agreed = manifest["agreement"]["blind"]["character"]["observed"]["n"]
    unreviewed = manifest["sources"].get("single", 0) + manifest["sources"].get("imported", 0)
    found = [
        small and _("Fewer than 30 pages in: %(names)s.") % {"names": ", ".join(small)},
        empty
        and _("No pages in: %(names)s. There are too few groups, or one is too large.")
        % {"names": ", ".join(empty)},
        agreed < MIN_PAGES
        and _("Agreement without suggestions is based on few pages: %(n)d.") % {"n": agreed},
        unreviewed
        and _("Pages whose gold comes from a single annotator or from another corpus: %(n)d.")
        % {"n": unreviewed},
        not manifest["licence"] and _("No licence is stated. Ask before you redistribute it."),
        _("Pages are as captured: scripts were not run, and content that they would have added is missing."),
    ]
    return [each for each in found if each]


# ---- Markdown ----


def label_of(name: str) -> str:
    """Return the title of a label; the empty label is boilerplate."""
    return display_names.label_title(name) if name else _("Boilerplate")


def _section(title: str) -> tuple[str, str]:
    return f"## {title}", ""


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterable[str]:
    yield _line(head)
    yield _line(["---", *("---:" for _each in head[1:])])
    yield from (_line(row) for row in rows)
    yield ""


def _line(cells: Sequence[Any]) -> str:
    return f"| {' | '.join(str(cell).replace('|', '¦') for cell in cells)} |"


def _with_share(figures: Sequence[Any], at: int) -> str:
    share = figures[at + len(TextAmount._fields)]
    return f"{figures[at]} ({_percent(share)})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _figure(figure: dict[str, Any] | None) -> str:
    if not figure or figure["value"] is None:
        return "–"
    if figure["low"] is None:
        return f"{figure['value']:.3f}"
    return f"{figure['value']:.3f} ({figure['low']:.3f} to {figure['high']:.3f})"
