"""Templates that people can read."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[1] / "annotator" / "templates"
LONGEST_LINE = 140


def test_no_line_of_a_template_is_too_long() -> None:
    long_lines = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert long_lines == []
