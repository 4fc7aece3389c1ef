"""Does a browser lay this page out in quirks mode? Decided from the doctype, by the HTML standard's rules.

Limited quirks, which differ only in the height of table cells, count as standards mode.
"""

import re

# What may stand before the doctype: whitespace, comments, what is read as one (<?xml ... ?>, </ >, <!x>).
_BEFORE = re.compile(
    r"(?>(?:[\t\n\f\r ]++|<!--(?:-?>|.*?--!?>)|<\?[^>]*+>|<!(?!--|doctype)[^>]*+>|</(?![a-z])[^>]*+>)*)",
    re.IGNORECASE | re.DOTALL,
)
_DOCTYPE = re.compile(
    r"""<!doctype[\t\n\f\r ]*+(?P<name>[^\t\n\f\r >]++)[\t\n\f\r ]*+(?P<rest>
        (?:public[\t\n\f\r ]*+(?:"(?P<public1>[^">]*+)"|'(?P<public2>[^'>]*+)')
           (?:[\t\n\f\r ]*+(?:"(?P<system1>[^">]*+)"|'(?P<system2>[^'>]*+)'))?
        |system[\t\n\f\r ]*+(?:"(?P<system3>[^">]*+)"|'(?P<system4>[^'>]*+)')
        )?)[\t\n\f\r ]*+(?P<end>[^>]*+)>""",
    re.IGNORECASE | re.VERBOSE,
)

_QUIRKY_PUBLIC = frozenset(
    {"-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"}
)
_QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_QUIRKY_START = tuple(
    f"{start.strip()}//"
    for start in """
    +//silmaril//dtd html pro v0r11 19970101
    -//as//dtd html 3.0 aswedit + extensions
    -//advasoft ltd//dtd html 3.0 aswedit + extensions
    -//ietf//dtd html 2.0 level 1
    -//ietf//dtd html 2.0 level 2
    -//ietf//dtd html 2.0 strict level 1
    -//ietf//dtd html 2.0 strict level 2
    -//ietf//dtd html 2.0 strict
    -//ietf//dtd html 2.0
    -//ietf//dtd html 2.1e
    -//ietf//dtd html 3.0
    -//ietf//dtd html 3.2 final
    -//ietf//dtd html 3.2
    -//ietf//dtd html 3
    -//ietf//dtd html level 0
    -//ietf//dtd html level 1
    -//ietf//dtd html level 2
    -//ietf//dtd html level 3
    -//ietf//dtd html strict level 0
    -//ietf//dtd html strict level 1
    -//ietf//dtd html strict level 2
    -//ietf//dtd html strict level 3
    -//ietf//dtd html strict
    -//ietf//dtd html
    -//metrius//dtd metrius presentational
    -//microsoft//dtd internet explorer 2.0 html strict
    -//microsoft//dtd internet explorer 2.0 html
    -//microsoft//dtd internet explorer 2.0 tables
    -//microsoft//dtd internet explorer 3.0 html strict
    -//microsoft//dtd internet explorer 3.0 html
    -//microsoft//dtd internet explorer 3.0 tables
    -//netscape comm. corp.//dtd html
    -//netscape comm. corp.//dtd strict html
    -//o'reilly and associates//dtd html 2.0
    -//o'reilly and associates//dtd html extended 1.0
    -//o'reilly and associates//dtd html extended relaxed 1.0
    -//sq//dtd html 2.0 hotmetal + extensions
    -//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0
    -//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0
    -//spyglass//dtd html 2.0 extended
    -//sun microsystems corp.//dtd hotjava html
    -//sun microsystems corp.//dtd hotjava strict html
    -//w3c//dtd html 3 1995-03-24
    -//w3c//dtd html 3.2 draft
    -//w3c//dtd html 3.2 final
    -//w3c//dtd html 3.2
    -//w3c//dtd html 3.2s draft
    -//w3c//dtd html 4.0 frameset
    -//w3c//dtd html 4.0 transitional
    -//w3c//dtd html experimental 19960712
    -//w3c//dtd html experimental 970421
    -//w3c//dtd w3 html
    -//w3o//dtd w3 html 3.0
    -//webtechs//dtd mozilla html 2.0
    -//webtechs//dtd mozilla html
    """.strip().splitlines()
)


def is_quirky(text: str) -> bool:
    """True where the doctype is missing, malformed, or one of those that old browsers read their own way."""
    before = _BEFORE.match(text)
    doctype = _DOCTYPE.match(text, before.end() if before else 0)
    if doctype is None or doctype["name"].lower() != "html":
        return True
    public = _first(doctype, "public1", "public2")
    system = _first(doctype, "system1", "system2", "system3", "system4")
    if system is None and doctype["end"]:
        return True  # malformed: after the name and after a public identifier only an identifier may come
    return _is_quirky_identifier((public or "").lower(), system)


def _first(match: re.Match[str], *groups: str) -> str | None:
    return next((match[group] for group in groups if match[group] is not None), None)


def _is_quirky_identifier(public: str, system: str | None) -> bool:
    return (
        public in _QUIRKY_PUBLIC
        or public.startswith(_QUIRKY_START)
        or (system or "").lower() == _QUIRKY_SYSTEM
        or (system is None and public.startswith(_QUIRKY_WITHOUT_SYSTEM))
    )
