"""Types of what requests hold, and lists that are read slice by slice."""

from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _
from ninja import Schema
from pydantic import (
    AfterValidator,
    AwareDatetime,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from annotator.common.ids import MAX_DIGITS

LARGEST_KEY = 10**MAX_DIGITS - 1
MOST_ITEMS = 500

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("it has the character NUL, which is in no text")
    return text


# Text that PostgreSQL can store.
Text = Annotated[str, AfterValidator(_without_nul)]
DIGEST, ADDRESS, LANGUAGE = r"^[0-9a-f]{64}$", r"^https?://[^\s\x00]+$", r"^[a-z]{2}$"
OPTIONAL_ADDRESS, OPTIONAL_LANGUAGE = r"^(https?://[^\s\x00]+)?$", r"^([a-z]{2})?$"
_AN_ADDRESS = _("Write an address that begins with http:// or https:// and has no spaces.")
_A_LANGUAGE = _("Write a language as two small letters, such as en.")
# What text that does not match should have been.
EXPECTED = {
    DIGEST: _("Write a SHA-256 as 64 hexadecimal digits, in small letters."),
    ADDRESS: _AN_ADDRESS,
    OPTIONAL_ADDRESS: _AN_ADDRESS,
    LANGUAGE: _A_LANGUAGE,
    OPTIONAL_LANGUAGE: _A_LANGUAGE,
}
Digest = Annotated[str, StringConstraints(pattern=DIGEST)]
Key = Annotated[int, Field(ge=0, le=LARGEST_KEY)]
Address = Annotated[str, StringConstraints(pattern=ADDRESS, max_length=2000)]
OptionalAddress = Annotated[str, StringConstraints(pattern=OPTIONAL_ADDRESS, max_length=2000)]
Language = Annotated[str, StringConstraints(pattern=LANGUAGE)]
OptionalLanguage = Annotated[str, StringConstraints(pattern=OPTIONAL_LANGUAGE)]
# Beyond, years are none that every program can write.
CapturedAt = Annotated[
    AwareDatetime, Field(ge=datetime(1990, 1, 1, tzinfo=UTC), le=datetime(2200, 1, 1, tzinfo=UTC))
]


class RequestFields(Schema):
    """What a request says. A field that is not declared is refused: it may be another one, misspelt."""

    model_config = ConfigDict(extra="forbid")


class FormBody(RequestFields):
    """What a request says in the fields of a form with files."""

    @model_validator(mode="before")
    @classmethod
    def _read_all(cls, declared: Any, info: ValidationInfo[dict[str, HttpRequest]]) -> Any:
        return _with_undeclared(declared, info.context["request"].POST)


class Parameters(RequestFields):
    """What a request says in the query of its address."""

    @model_validator(mode="before")
    @classmethod
    def _read_all(cls, declared: Any, info: ValidationInfo[dict[str, HttpRequest]]) -> Any:
        return _with_undeclared(declared, info.context["request"].GET)


def _with_undeclared(declared: Any, sent: QueryDict) -> Any:
    # django-ninja hands over the declared fields alone; when those are checked, it reads them from an object.
    return {**sent.dict(), **declared} if isinstance(declared, dict) else declared


class Window(Parameters):
    """Which slice of a list: by key, so that none reads those before it."""

    cursor: Key = Field(0, description="`next` of the slice before; 0 for the first")
    limit: int = Field(100, ge=1, le=MOST_ITEMS)


class Listed(Schema, Generic[Item]):
    """One slice of a list."""

    items: list[Item]
    next: int | None = Field(description="The cursor of the next slice; null at the end")


def sliced(rows: QuerySet[Row], window: Window) -> tuple[list[Row], int | None]:
    """The rows after the cursor, oldest first, and the cursor of the next slice, None at the end."""
    # The keys first: an index has them by corpus. For whole rows, PostgreSQL may walk those of all corpora.
    keys = rows.filter(pk__gt=window.cursor).order_by("pk").values_list("pk", flat=True)
    found = list(keys[: window.limit + 1])
    shown = list(rows.filter(pk__in=found[: window.limit]).order_by("pk"))
    return shown, found[window.limit - 1] if len(found) > window.limit else None


def listed(rows: QuerySet[Row], window: Window) -> dict[str, Any]:
    """A slice of the rows; what `Listed` holds."""
    shown, following = sliced(rows, window)
    return {"items": shown, "next": following}
