"""Which extractors there are: a dict that a decorator fills.

An extractor is a function `(document, **parameters) -> list[Span]`, in normal form and inside the blocks.
Name, version and parameters are its identity: a changed rule is a new version, never an edit in place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from extraction.document import Document
from extraction.spans import Span

Extractor = Callable[..., list[Span]]


class ExtractorError(ValueError):
    """An extractor or parameter that does not exist, or a value that it cannot take."""


@dataclass(frozen=True, slots=True)
class ExtractorSpec:
    """One version of one extractor.

    `family` groups extractors that see alike, for blindness; `tuned_on` holds the SHA-256 digests of the
    pages it was trained or tuned on; `can_be_arm` says whether it may be shown to an annotator; `allowed`
    lists the values of those parameters that do not take any.
    """

    name: str
    version: str
    family: str
    function: Extractor
    parameters: dict[str, Any] = field(default_factory=dict)
    tuned_on: frozenset[str] = frozenset()
    can_be_arm: bool = True
    allowed: Mapping[str, Collection[Any]] = field(default_factory=dict)

    def settle(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values; raises `ExtractorError` for an unknown name or a wrong value."""
        unknown = sorted(set(parameters) - set(self.parameters))
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise ExtractorError(f"{self.name} has no parameter {unknown[0]!r}; it has: {known}")
        given = {name: _value(self.name, name, v, self.parameters[name]) for name, v in parameters.items()}
        wrong = next((name for name, v in given.items() if v not in self.allowed.get(name, (v,))), None)
        if wrong:
            raise ExtractorError(f"{self.name}: {wrong} cannot be {given[wrong]!r}")
        return self.parameters | given

    def __call__(self, document: Document, **parameters: Any) -> list[Span]:
        return self.function(document, **self.settle(parameters))


def _value(extractor_name: str, name: str, value: Any, default: Any) -> Any:
    """The value in the type of the default; texts come from command lines."""
    kind = type(default)
    if isinstance(value, str) and kind is not str:
        try:
            return kind(value)
        except ValueError:
            raise ExtractorError(f"{extractor_name}: {name} must be {kind.__name__}, not {value!r}") from None
    if type(value) is not kind:
        raise ExtractorError(f"{extractor_name}: {name} must be {kind.__name__}, not {value!r}")
    return value


REGISTRY: dict[str, ExtractorSpec] = {}


def extractor(
    name: str,
    *,
    version: int,
    family: str | None = None,
    tuned_on: frozenset[str] = frozenset(),
    can_be_arm: bool = True,
    allowed: Mapping[str, Collection[Any]] | None = None,
) -> Callable[[Extractor], Extractor]:
    """Register a function as an extractor; its keyword defaults are the parameters."""

    def register(function: Extractor) -> Extractor:
        REGISTRY[name] = ExtractorSpec(
            name=name,
            version=str(version),
            family=family or name,
            function=function,
            parameters=_defaults(function),
            tuned_on=tuned_on,
            can_be_arm=can_be_arm,
            allowed=allowed or {},
        )
        return function

    return register


def _defaults(function: Extractor) -> dict[str, Any]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {parameter.name: parameter.default for parameter in parameters}


def get(name: str) -> ExtractorSpec:
    """The extractor of that name; raises `ExtractorError` that lists the known ones."""
    if name in REGISTRY:
        return REGISTRY[name]
    raise ExtractorError(f"no extractor is called {name!r}; known: {', '.join(sorted(REGISTRY))}")


def extract(document: Document, name: str, **parameters: Any) -> list[Span]:
    """What the named extractor takes for content, as spans of the document's canonical text."""
    return get(name)(document, **parameters)


def parse_with(text: str) -> tuple[str, dict[str, Any]]:
    """Read `NAME[:key=value,...]` into a name and its checked parameters, defaults left out.

    >>> parse_with("tree-filter:depth=3")
    ('tree-filter', {'depth': 3})
    """
    name, _, rest = text.partition(":")
    pairs = [item.partition("=") for item in rest.split(",") if item]
    bad = next((key for key, equals, _ in pairs if not equals), None)
    if bad is not None:
        raise ExtractorError(f"{text!r}: write parameters as key=value, not {bad!r}")
    settled = get(name).settle({key.strip(): value.strip() for key, _, value in pairs})
    return name, {key.strip(): settled[key.strip()] for key, _, _ in pairs}
