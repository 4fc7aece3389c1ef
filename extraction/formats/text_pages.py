"""Pages for texts that come without one: what other annotation tools hold is text."""

from html import escape


def page_of(text: str, title: str = "") -> bytes:
    """A page whose paragraphs are those of the text: blank lines part them, line breaks stay."""
    paragraphs = (part for part in text.split("\n\n") if part.strip())
    body = "\n".join(f"<p>{escape(part, quote=False).replace(chr(10), '<br>')}</p>" for part in paragraphs)
    head = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
    return (head + body + "\n").encode("utf-8", "replace")
