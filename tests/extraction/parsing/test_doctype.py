"""Quirks mode by the doctype."""

import pytest

from extraction.parsing.doctype import is_quirky

LOOSE = '"-//W3C//DTD HTML 4.01 Transitional//EN"'


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype html>",
        "<!DOCTYPEhtml>",
        "\n<!-- a --!><?xml version='1.0'?></ x><!doctype html>",
        "<!--><!doctype html>",
        '<!doctype html system "about:legacy-compat">',
        "<!doctype html system 'a' b>",
        f'<!DOCTYPE HTML PUBLIC {LOOSE} "http://www.w3.org/TR/html4/loose.dtd">',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">',
    ],
)
def test_standards_mode(text: str) -> None:
    assert not is_quirky(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>",
        "x<!doctype html>",
        "<!doctype>",
        "<!doctype svg>",
        "<!doctype html foo>",
        "<!doctype html public>",
        "<!doctype html public 'a' b>",
        '<!doctype html public "a>',
        "<!-- <!doctype html>",
        f"<!DOCTYPE HTML PUBLIC {LOOSE}>",
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
        '<!doctype html public "-//W3C//DTD HTML 3.2//EN">',
        '<!doctype html system "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">',
    ],
)
def test_quirks_mode(text: str) -> None:
    assert is_quirky(text)
