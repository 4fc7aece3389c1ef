"""What the formats say of a corpus as a whole: of a release from its manifest, else from its corpus."""

import json
from typing import Any

from django.utils import translation

from annotator.releases.datasheet import known_limitations
from annotator.releases.exports.contents import Contents
from annotator.releases.models import Release
from annotator.releases.queries import terms_of
from extraction.formats.writing import DatasetFacts


def facts_of(contents: Contents) -> DatasetFacts:
    """Return the facts of an export; they are in English, as what reads them is."""
    release = contents.release
    about = _facts_of_release(release) if release else _facts_of_corpus(contents)
    return DatasetFacts(
        **about,
        annotations=contents.with_annotations,
        raw_pages=contents.with_pages,
    )


def _facts_of_corpus(contents: Contents) -> dict[str, Any]:
    corpus, terms = contents.corpus, terms_of(contents.corpus)
    return {
        "slug": corpus.slug,
        "name": corpus.name,
        "licence": terms.licence,
        "collection": terms.collection,
        "limitations": terms.limitations,
        "labels": tuple(corpus.labels.values_list("name", flat=True)),
        "languages": tuple(corpus.languages),
    }


def _facts_of_release(release: Release) -> dict[str, Any]:
    manifest = json.loads(release.manifest)
    captured = manifest["captured"]
    with translation.override("en"):
        limitations = tuple(known_limitations(manifest))
    return {
        "slug": manifest["corpus"],
        "name": manifest["name"],
        "version": str(manifest["number"]),
        "note": manifest["note"],
        "licence": manifest["licence"],
        "collection": manifest["collection"],
        "limitations": manifest["limitations"],
        "known_limitations": limitations,
        "labels": tuple(manifest["labels"]),
        "languages": tuple(sorted({name for name, *_shares in manifest["report"]["languages"] if name})),
        "sources": manifest["sources"],
        "agreement": _agreement(manifest),
        "captured": (captured["first"], captured["last"]) if captured["first"] else None,
        "summary": release.datasheets.get("en", ""),
        "manifest": release.manifest,
        "sha256": release.sha256,
    }


def _agreement(manifest: dict[str, Any]) -> str:
    """One line: Krippendorff's alpha by character, of all pairs of annotators."""
    figure = manifest["agreement"]["all"]["character"].get("krippendorff_alpha") or {}
    if figure.get("value") is None:
        return ""
    value, pages = figure["value"], figure["n"]
    return f"Krippendorff's alpha by character, before adjudication: {value:.3f} ({pages} pages)."
