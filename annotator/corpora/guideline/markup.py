"""Markdown to safe HTML: no raw HTML, no images, and links to few kinds of URLs only."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

EXAMPLE = "example:"


def _parser() -> MarkdownIt:
    """CommonMark without raw HTML and images, so that no text becomes markup of its own or a request."""
    parser = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda url: url.startswith(("https://", "http://", EXAMPLE, "#"))  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link_open)
    return parser


def _link_open(
    renderer: object, tokens: list[Token], index: int, _options: object, env: dict[str, str]
) -> str:
    """Open links to other pages in a new tab; `env` has the URLs of the examples and of the guideline."""
    href = str(tokens[index].attrs["href"])
    if href.startswith(EXAMPLE):
        name, hash_, block = href.removeprefix(EXAMPLE).partition("#")
        tokens[index].attrs = {"href": f"{env['examples']}{name}/{hash_}{block}", "target": "_blank"}
    elif href.startswith("#"):
        away = {"target": "_blank"} if env["text"] else {}
        tokens[index].attrs = {"href": env["text"] + href, **away}
    else:
        tokens[index].attrs = {"href": href, "target": "_blank", "rel": "noopener noreferrer nofollow"}
    return renderer.renderToken(tokens, index, _options, env)  # type: ignore[attr-defined, no-any-return]


PARSER = _parser()
# The library builds its character tables at the first link, which is not thread-safe: build them here.
PARSER.render("<https://example.org/>")


@lru_cache(maxsize=2048)
def as_html(markdown: str, *, examples: str, text: str = "") -> SafeString:
    """Render Markdown as HTML. `examples` is the URL under which the example pages are.

    `text` is the URL of the whole guideline, to which links to clauses lead from other screens.
    """
    html: str = PARSER.render(markdown, {"examples": examples, "text": text})
    # Safe: the parser writes every tag itself and escapes all else.
    return mark_safe(html)  # noqa: S308


def as_words(markdown: str) -> str:
    """The text as its reader sees it, without markup; blocks are apart by an empty line."""
    blocks: list[str] = []
    marker = ""
    for token in PARSER.parse(markdown):
        if token.type == "list_item_open":
            marker = f"{token.info}{token.markup} " if token.info else "• "
        elif token.type == "inline" or token.content:
            blocks.append(marker + _shown(token))
            marker = ""
    return "\n\n".join(blocks)


def _shown(token: Token) -> str:
    breaks = {"softbreak": " ", "hardbreak": "\n"}
    if token.type != "inline":
        return token.content.rstrip("\n")
    return "".join(breaks.get(child.type, child.content) for child in token.children or ())


def examples_in(markdown: str) -> list[str]:
    """The names of the example pages to which a text links."""
    inline = (token for token in PARSER.parse(markdown) if token.type == "inline")
    links = (child for token in inline for child in token.children or () if child.type == "link_open")
    addresses = (str(link.attrs["href"]) for link in links)
    return [address.removeprefix(EXAMPLE) for address in addresses if address.startswith(EXAMPLE)]
