"""Markdown as HTML that can do nothing: no raw HTML, no pictures, and links to a few kinds of addresses."""

from collections.abc import Callable

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

EXAMPLE = "example:"

Address = Callable[[str], str]


def _parser() -> MarkdownIt:
    """CommonMark without raw HTML and pictures: nothing that a text says becomes markup or a request."""
    parser = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda address: address.startswith(("https://", "http://", EXAMPLE, "#"))  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    return parser


def _link_open(renderer: object, tokens: list[Token], place: int, _options: object, env: dict) -> str:
    """Examples and other sites open beside what she is doing; `env` says where examples and clauses are."""
    href = str(tokens[place].attrs["href"])
    if href.startswith(EXAMPLE):
        tokens[place].attrs = {"href": env["example"](href.removeprefix(EXAMPLE)), "target": "_blank"}
    elif href.startswith("#"):
        tokens[place].attrs = {"href": env["here"] + href}
    else:
        tokens[place].attrs = {"href": href, "target": "_blank", "rel": "noopener noreferrer nofollow"}
    return renderer.renderToken(tokens, place, _options, env)  # type: ignore[attr-defined, no-any-return]


PARSER = _parser()


def as_html(markdown: str, *, example: Address, here: str = "") -> SafeString:
    """Markdown as HTML. `example` gives the address of an example page, `here` stands before `#2.1`."""
    # Safe: the parser writes every tag itself and escapes all else.
    return mark_safe(PARSER.render(markdown, {"example": example, "here": here}))  # noqa: S308


def examples_in(markdown: str) -> list[str]:
    """The example pages to which a text links."""
    inline = (token for token in PARSER.parse(markdown) if token.type == "inline")
    links = (child for token in inline for child in token.children or () if child.type == "link_open")
    addresses = (str(link.attrs["href"]) for link in links)
    return [address.removeprefix(EXAMPLE) for address in addresses if address.startswith(EXAMPLE)]
