"""The interface of an extractor.

An extractor is a function `(document, **parameters) -> list[Span]`, in normal form and inside the blocks; or
it gives back the text that it would print, as `Printed`, and that text is then looked for in the document.
Name, version and parameters are its identity: a changed rule is a new version, never an edit in place.
"""

import math
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import index
from typing import Any, NamedTuple, Protocol, SupportsIndex

from extraction.alignment import align
from extraction.documents.document import Document
from extraction.spans import Span, check


class ExtractorError(ValueError):
    """No such extractor or parameter, a value that it cannot take, or a library that failed."""


class Printed(NamedTuple):
    """What a program prints for content, and the CPU seconds that it says it took, if it says so."""

    text: str
    seconds: float | None = None


class Output(NamedTuple):
    """What an extractor gives: spans; the text as printed, where it prints; CPU seconds."""

    spans: list[Span]
    text: str | None
    seconds: float


class Evidence(NamedTuple):
    """Something about a block that counted: a code, and what its sentence wants."""

    code: str
    values: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{name}={value}" for name, value in self.values.items())])


class BlockReason(NamedTuple):
    """Why one block, `[start, end)` of the canonical text, has its label, or none.

    `probability` is that of body. `evidence` is what counted, the most important first; `str()` of an item
    is its sentence in English.
    """

    start: int
    end: int
    label: str | None
    probability: float
    evidence: tuple[Evidence, ...]


Extractor = Callable[..., list[Span] | Printed]
Explainer = Callable[..., list[BlockReason]]


class Library(Protocol):
    """A third-party program that an extractor needs."""

    @property
    def name(self) -> str:
        """As it stands in versions."""

    def version(self) -> str | None:
        """Which one is installed, found without importing it; None where it is not."""

    def missing(self) -> str | None:
        """Why it cannot be run here, and what to do about that; None where it can."""


@dataclass(frozen=True, slots=True)
class ExtractorSpec:
    """One version of one extractor.

    `family` groups extractors that see alike, for blindness; `tuned_on` holds the SHA-256 digests of the
    pages it was trained or tuned on; `can_be_arm` says whether it may be shown to an annotator; `allowed`
    lists the values of those parameters that do not take any; `needs_raw` says that it parses the page for
    itself, or is called with all parameters and says whether it does with these; `library` is whose program
    it calls, and part of its version. `prints` gives the text that an original prints, where that is not
    quite the text of the spans; `explain` gives a reason for each block, where the extractor has reasons.
    Both are called as the function is.
    """

    name: str
    own_version: str
    family: str
    function: Extractor
    parameters: dict[str, Any] = field(default_factory=dict)
    tuned_on: frozenset[str] = frozenset()
    can_be_arm: bool = True
    allowed: Mapping[str, Collection[Any]] = field(default_factory=dict)
    needs_raw: bool | Callable[..., bool] = False
    library: Library | None = None
    prints: Callable[..., str] | None = None
    explain: Explainer | None = None

    def __post_init__(self) -> None:
        """Raises `ExtractorError` for a default that a command line and a database cannot hold."""
        for name, default in self.parameters.items():
            if type(default) not in (bool, int, float, str):
                raise ExtractorError(
                    f"{self.name}: the parameter {name} needs a default: a text, a number, True or False"
                )

    @property
    def version(self) -> str:
        """Ours, with that of the library: `1+trafilatura-2.3.1`, or `1+trafilatura-none` without it."""
        if self.library is None:
            return self.own_version
        return f"{self.own_version}+{self.library.name}-{self.library.version() or 'none'}"

    @property
    def missing(self) -> str | None:
        """Why it cannot be run here, None where it can."""
        return self.library.missing() if self.library else None

    def reads_raw(self, parameters: Mapping[str, Any]) -> bool:
        """Whether it needs the page's bytes, with all these parameters."""
        return self.needs_raw(**parameters) if callable(self.needs_raw) else self.needs_raw

    def with_defaults(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values; raises `ExtractorError` for an unknown name or a wrong value."""
        if not parameters:
            return dict(self.parameters)
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
        """The spans alone, without the printed text; raises as `run` does."""
        values = self._parameters_for(document, parameters)
        with self._kept_running():
            output = self.function(document, **values)
        return align(output.text, document).spans if isinstance(output, Printed) else output

    def run(self, document: Document, **parameters: Any) -> Output:
        """Spans, printed text and cost.

        Raises `ExtractorError`, `SpanError` for spans that are not in normal form and inside the blocks, and
        whatever the function raises.
        """
        values = self._parameters_for(document, parameters)
        # Under a limit of CPU time the kernel counts a whole process in ticks of several milliseconds.
        started = time.thread_time()
        with self._kept_running():
            output = self.function(document, **values)
            found = output if isinstance(output, Printed) else [_span(*span) for span in output]
        seconds = time.thread_time() - started
        if not isinstance(found, Printed):
            check(found, document)
            with self._kept_running():
                text = self.prints(document, **values) if self.prints else None
            return Output(found, text, seconds)
        spans = align(found.text, document).spans
        return Output(spans, found.text, seconds if found.seconds is None else found.seconds)

    def reasons(self, document: Document, **parameters: Any) -> list[BlockReason]:
        """Why each block has its label, or none.

        Raises `ExtractorError` for an extractor without reasons, and whatever `explain` raises.
        """
        if self.explain is None:
            raise ExtractorError(f"{self.name} does not tell reasons")
        values = self.with_defaults(parameters)
        with self._kept_running():
            return self.explain(document, **values)

    @contextmanager
    def _kept_running(self) -> Iterator[None]:
        """What is no `Exception` would end the process, and with it the work on other pages."""
        process = os.getpid()
        try:
            yield
        except (Exception, KeyboardInterrupt):
            raise
        except SystemExit as stop:
            raise ExtractorError(f"{self.name} ends its program, with status {stop.code}") from stop
        except BaseException as stop:
            raise ExtractorError(f"{self.name}: {type(stop).__name__}: {stop}") from stop
        finally:
            if os.getpid() != process:
                # A fork that came back would do the rest of the work a second time, and fork again.
                os._exit(1)

    def _parameters_for(self, document: Document, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values, for a document that the function can be called with."""
        values = self.with_defaults(parameters)
        if document.raw is None and self.reads_raw(values):
            raise ExtractorError(
                f"{self.name} parses the page for itself, but this document came without its bytes: "
                "make it by parse(raw) or by Document.unpack(data, raw)"
            )
        return values


def _span(start: SupportsIndex, end: SupportsIndex, label: str) -> Span:
    """NumPy's integers are none of Python's: JSON cannot hold them."""
    return Span(index(start), index(end), label)


def _value(extractor_name: str, name: str, value: Any, default: Any) -> Any:
    """The value in the type of the default; texts come from command lines."""
    kind = type(default)
    try:
        read = _read(value, kind) if isinstance(value, str) else value
    except ValueError:
        read = None
    if type(read) is not kind or (kind is float and not math.isfinite(read)):
        raise ExtractorError(f"{extractor_name}: {name} must be {kind.__name__}, not {value!r}")
    return read


def _read(text: str, kind: type) -> Any:
    # bool("False") is True.
    return {"true": True, "false": False}.get(text.lower()) if kind is bool else kind(text)
