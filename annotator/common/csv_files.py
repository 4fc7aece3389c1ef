"""What all CSV files have in common."""

# What a spreadsheet takes for the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


class Echo:
    """A file whose `write` returns the line, for the csv module to stream."""

    def write(self, line: str) -> str:
        return line


def safe_cell(value: str | int) -> str | int:
    """The value, escaped if a spreadsheet would run it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
