"""The architectures by name. Each is imported when it is asked for, as some need PyTorch."""

from importlib.util import find_spec
from pkgutil import resolve_name

from extraction.learning.training import Architecture, LearningError

_CLASSES = {
    "web2text": "web2text:Web2TextArchitecture",
    "boilernet": "boilernet:BoilerNetArchitecture",
    "crf": "crf:CrfArchitecture",
    "mss-supervised": "mss_supervised:SupervisedMssArchitecture",
    "goldpan": "goldpan:GoldpanArchitecture",
}
NAMES = tuple(_CLASSES)

# What learning needs that is not in requirements.txt: the module, by architecture.
_LIBRARIES = {"web2text": "torch", "boilernet": "torch", "crf": "pycrfsuite"}


def missing_library(name: str) -> str | None:
    """Why an architecture cannot be learned here, and what to do; found without importing anything."""
    library = _LIBRARIES.get(name)
    return _missing(name, library) if library and find_spec(library) is None else None


def _missing(name: str, library: str) -> str:
    return f"learning {name} needs {library}: pip install -r requirements-learned.txt, or '.[learned]'"


def architecture(name: str) -> Architecture:
    """The one of that name; raises `LearningError` where what it learns with is not installed."""
    try:
        found: Architecture = resolve_name(f"extraction.learning.{_CLASSES[name]}")()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("extraction"):
            raise
        raise LearningError(_missing(name, error.name)) from error
    return found
