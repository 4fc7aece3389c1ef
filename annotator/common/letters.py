"""Text without regard to case and accents: by this, lists are sorted and searched."""

import re
from unicodedata import normalize

from django.db.models import CharField, TextField, Transform

_ACCENTS = r"[\u0300-\u036f]"


def folded(text: str) -> str:
    """The text in capitals and without accents. In capitals, as ı and i have the same."""
    return re.sub(_ACCENTS, "", normalize("NFD", text)).upper()


@CharField.register_lookup
@TextField.register_lookup
class Folded(Transform):
    """The same in the database, for both sides: `title__folded__contains`; also `order_by("title__folded")`.

    Plain SQL: a collation that does it, or the extension unaccent, is not on every server.
    """

    lookup_name = "folded"
    bilateral = True
    template = f"UPPER(REGEXP_REPLACE(NORMALIZE(%(expressions)s, NFD), '{_ACCENTS}', '', 'g'))"
