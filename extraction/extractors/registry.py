"""The registry of extractors: a dict filled by a decorator, and third-party plugins.

A plugin is an entry point of the group `goldpan.extractors`: a function decorated with `extractor`, or an
`ExtractorSpec`. Plugins are loaded when an unknown name or the list of all names is requested. A plugin that
cannot be loaded is reported when it is requested and does not affect the others.
"""

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from extraction.documents.document import Document
from extraction.extractors.spec import (
    BlockReason,
    Explainer,
    Extractor,
    ExtractorError,
    ExtractorSpec,
    Library,
)
from extraction.spans import Span

GROUP = "goldpan.extractors"

_F = TypeVar("_F", bound=Extractor)

REGISTRY: dict[str, ExtractorSpec] = {}


def extractor(
    name: str,
    *,
    version: int,
    family: str | None = None,
    tuned_on: frozenset[str] = frozenset(),
    can_be_arm: bool = True,
    allowed: Mapping[str, Collection[Any]] | None = None,
    needs_raw: bool | Callable[..., bool] = False,
    library: Library | None = None,
    prints: Callable[..., str] | None = None,
    explain: Explainer | None = None,
) -> Callable[[_F], _F]:
    """Register a function as an extractor; its keyword defaults are the parameters.

    Raises `ExtractorError` for a name that is taken.
    """

    def register(function: _F) -> _F:
        spec = ExtractorSpec(
            name=name,
            own_version=str(version),
            family=family or name,
            function=function,
            parameters=_defaults(function),
            tuned_on=tuned_on,
            can_be_arm=can_be_arm,
            allowed=allowed or {},
            needs_raw=needs_raw,
            library=library,
            prints=prints,
            explain=explain,
        )
        _add(spec)
        return function

    return register


def _add(spec: ExtractorSpec) -> None:
    if REGISTRY.setdefault(spec.name, spec) is not spec:
        raise ExtractorError(f"there is already an extractor called {spec.name!r}")


def _defaults(function: Extractor) -> dict[str, Any]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {parameter.name: parameter.default for parameter in parameters}


@cache
def broken_plugins() -> dict[str, str]:
    """Load all plugins, once; those that could not be loaded, with the reason."""
    reasons = {point.name: _load(point) for point in entry_points(group=GROUP)}
    return {name: reason for name, reason in reasons.items() if reason}


def _load(point: EntryPoint) -> str | None:
    """Why the plugin cannot be used, None where it can."""
    before = dict(REGISTRY)
    try:
        _take(point.load())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a plugin does at import is its failure
        # A module is read again for its next plugin: that must not find half of itself here.
        REGISTRY.clear()
        REGISTRY.update(before)
        return f"{type(error).__name__}: {error}"
    return None


def _take(loaded: object) -> None:
    if isinstance(loaded, ExtractorSpec):
        _add(loaded)
    elif all(spec.function is not loaded for spec in REGISTRY.values()):
        kind = type(loaded).__name__
        raise ExtractorError(f"a {kind} that is not decorated with `extractor`, and no ExtractorSpec either")


def names() -> list[str]:
    """The names of all extractors in order, those of plugins too."""
    broken_plugins()
    return sorted(REGISTRY)


def own_names() -> list[str]:
    """The names of the extractors that need no third-party library."""
    return [name for name in names() if REGISTRY[name].library is None]


def get(name: str) -> ExtractorSpec:
    """The extractor of that name; raises `ExtractorError` that lists the known ones."""
    if name in REGISTRY:
        return REGISTRY[name]
    broken = broken_plugins()
    if name in REGISTRY:
        return REGISTRY[name]
    if name in broken:
        raise ExtractorError(f"the plugin {name} could not be loaded: {broken[name]}")
    raise ExtractorError(f"no extractor is called {name!r}; known: {', '.join(names())}")


def extract(document: Document, name: str, **parameters: Any) -> list[Span]:
    """What the named extractor takes for content, as spans of the document's canonical text."""
    return get(name)(document, **parameters)


def explain(document: Document, name: str, **parameters: Any) -> list[BlockReason]:
    """Why each block of the document has its label from the named extractor, or has none.

    Raises `ExtractorError` for an extractor without reasons, whose `ExtractorSpec.explain` is None.
    """
    return get(name).reasons(document, **parameters)


def parse_with(text: str, find: Callable[[str], ExtractorSpec] = get) -> tuple[str, dict[str, Any]]:
    """Read `NAME[:key=value,...]` into a name and its checked parameters, defaults left out.

    `find` gives the extractor of a name.

    >>> parse_with("tree-filter:depth=3")
    ('tree-filter', {'depth': 3})
    """
    name, _, rest = text.partition(":")
    pairs = [item.partition("=") for item in rest.split(",") if item]
    bad = next((key for key, equals, _ in pairs if not equals), None)
    if bad is not None:
        raise ExtractorError(f"{text!r}: write parameters as key=value, not {bad!r}")
    values = find(name).with_defaults({key.strip(): value.strip() for key, _, value in pairs})
    return name, {key.strip(): values[key.strip()] for key, _, _ in pairs}
