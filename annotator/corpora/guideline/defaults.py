"""The default guideline of a new corpus."""

from functools import cache
from pathlib import Path

from django.conf import settings

FOLDER = Path(__file__).parent / "texts"


@cache
def default_texts() -> dict[str, str]:
    """Its Markdown, by language."""
    languages = (code for code, _name in settings.LANGUAGES)
    files = {code: FOLDER / f"{code}.md" for code in languages}
    return {code: path.read_text(encoding="utf-8") for code, path in files.items() if path.exists()}
