"""Spanish: the catalogue is what is said, templates say nothing beside it, screens come in it."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo
from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import PasswordChangeForm
from django.template import Context
from django.template.base import Lexer, Token, TokenType
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.common import display_names
from annotator.common.queues import IMPORT, TITLES
from annotator.common.templatetags.layout import menu_item
from annotator.corpora.forms import SignUpForm
from annotator.corpora.models import Corpus, User
from tests import factories, translations

LANGUAGES = translations.languages()
# Names that are the same in every language, units, and what is typed into a terminal.
SAME = frozenset({"Goldpan", "PostgreSQL", "SHA-256", "F1", "PNG", "SVG", "CSV", "κ", "p", "s", "c"})
WORD = re.compile(r"[^\W\d_][\w’'-]*")
CATALOGUES = pytest.mark.parametrize(
    ("language", "domain"), [(language, domain) for language in LANGUAGES for domain in translations.DOMAINS]
)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w+\}")
# Tags whose inside is translated, is not shown, or lands between an element's angle brackets.
HIDDEN = re.compile(r"blocktranslate\b|comment\b|block \w+_(class|attributes)$")
# Attributes that are read out or shown.
SHOWN = frozenset({"aria-label", "title", "placeholder", "alt", "data-text", "data-copied"})


def strings(message: Message) -> list[str]:
    return list(message.string) if isinstance(message.string, (list, tuple)) else [message.string]


def ids(message: Message) -> list[str]:
    return list(message.id) if isinstance(message.id, (list, tuple)) else [message.id]


def key(message: Message) -> tuple[str | None, tuple[str, ...]]:
    return message.context, tuple(ids(message))


def messages(language: str, domain: str = "django") -> list[Message]:
    return [message for message in translations.read(language, domain) if message.id]


# ---- the catalogues ----


def test_spanish_has_a_catalogue() -> None:
    assert LANGUAGES == ["es"]


@CATALOGUES
def test_catalogue_holds_what_is_said_and_no_more(language: str, domain: str) -> None:
    said = {key(message) for message in translations.collect(domain) if message.id}
    assert len(said) > {"django": 500, "djangojs": 80}[domain], (
        "collecting finds too little to prove anything"
    )
    assert {key(message) for message in messages(language, domain)} == said, (
        "python -m tests.translations update"
    )


@CATALOGUES
def test_catalogue_is_written_as_update_writes_it(language: str, domain: str) -> None:
    assert translations.po_path(language, domain).read_bytes() == translations.as_po(
        translations.merged(language, domain)
    )


@CATALOGUES
def test_every_message_is_translated(language: str, domain: str) -> None:
    assert [key(each) for each in messages(language, domain) if not translations.is_translated(each)] == []


@CATALOGUES
def test_placeholders_are_those_of_the_english(language: str, domain: str) -> None:
    assert [key(each) for each in messages(language, domain) if not keeps_placeholders(each)] == []


def keeps_placeholders(message: Message) -> bool:
    """Every plural of the translation fills in what the English one of the same rank, or the last, does."""
    english = ids(message)
    wanted = [sorted(PLACEHOLDER.findall(text)) for text in english]
    return all(
        sorted(PLACEHOLDER.findall(text)) == wanted[min(rank, len(wanted) - 1)]
        for rank, text in enumerate(strings(message))
    )


def test_lost_placeholder_is_noticed() -> None:
    assert keeps_placeholders(Message("{n} of %(all)s", "%(all)s: {n}"))
    assert not keeps_placeholders(Message("{n} of {m}", "{n} de {k}"))
    assert not keeps_placeholders(Message(("%(n)s page", "%(n)s pages"), ("una página", "%(n)s páginas")))


@CATALOGUES
def test_translation_begins_and_ends_as_the_english(language: str, domain: str) -> None:
    def shape(text: str) -> tuple[bool, bool]:
        return text != text.strip(), text.endswith((".", ":"))

    odd = [each.id for each in messages(language, domain) if shape(ids(each)[-1]) != shape(strings(each)[-1])]
    assert odd == []


@CATALOGUES
def test_compiled_catalogue_is_the_text_compiled(language: str, domain: str) -> None:
    compiled = translations.mo_path(language, domain).read_bytes()
    assert compiled == translations.as_mo(translations.read(language, domain)), (
        "python -m tests.translations compile"
    )


@CATALOGUES
def test_compiled_catalogue_can_be_read(language: str, domain: str) -> None:
    with translations.mo_path(language, domain).open("rb") as file:
        assert len(read_mo(file)) == len(messages(language, domain))


def test_key_of_the_menu_is_shown_in_every_language(db: None, one_page: Corpus) -> None:
    request = SimpleNamespace(path="/")
    for language in ("en", *LANGUAGES):
        with translation.override(language):
            for screen, letter in (("home", "h"), ("corpus", "c"), ("leaderboard", "l"), ("health", "t")):
                item = menu_item(Context({"request": request, "corpus": one_page}), screen, letter)
                assert re.search(rf"<(u|kbd)>{letter}</\1>", item.lower()), (language, screen)


# ---- the templates ----


def test_templates_say_nothing_outside_translation() -> None:
    said = {str(path): bare_words(path.read_text(encoding="utf-8")) for path in translations.template_files()}
    assert {path: words for path, words in said.items() if words} == {}


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ("<p>Go on</p>", ["Go", "on"]),
        ('<p>{% translate "Go on" %}</p>', []),
        ("{% blocktranslate count n=n %}{{ n }} page{% plural %}{{ n }} pages{% endblocktranslate %}", []),
        ('<a title="Back" class="btn quiet">{{ name }}</a>', ["Back"]),
        ('<a aria-label="{% translate "Back" %}"{% if on %} hidden{% endif %}>×</a>', []),
        ("{% if on %}Yes{% else %}{{ no }}{% endif %}", ["Yes"]),
        ("{# A note #}{% comment %}Another{% endcomment %}<kbd>Esc</kbd><script>let a = 1</script>", []),
        ("<b>Goldpan</b> F1 κ 30 s", []),
        ("{% block main_class %} wide{% endblock %}{% block main %}Wide{% endblock %}", ["Wide"]),
        ("<code>manage.py create_corpus NAME</code>", []),
        ('<input type="submit" value="Send">', ["Send"]),
    ],
)
def test_bare_words_are_found(source: str, bare: list[str]) -> None:
    assert bare_words(source) == bare


def bare_words(source: str) -> list[str]:
    """Words of a template that people read and that no translation can reach."""
    reader = Reader()
    reader.feed("".join(markup(Lexer(source).tokenize())))
    reader.close()
    said = [text for text in reader.shown if not text.startswith("https://")]
    return [word for text in said for word in WORD.findall(text) if word not in SAME]


def markup(tokens: list[Token]) -> Iterator[str]:
    """What is left of a template without its tags and variables, and without what they hold."""
    until = ""
    for token in tokens:
        tag = token.contents if token.token_type == TokenType.BLOCK else ""
        if until:
            until = "" if tag.startswith(until) else until
        elif HIDDEN.match(tag):
            until = f"end{tag.split()[0]}"
        elif token.token_type == TokenType.TEXT:
            yield token.contents
        else:
            yield " "


class Reader(HTMLParser):
    """Collects text and attributes that are shown; not those of keys, code and scripts."""

    UNREAD = ("kbd", "code", "script", "style")

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in self.UNREAD
        shown = SHOWN | {"value"} if ("type", "submit") in attrs and tag == "input" else SHOWN
        self.shown += [value for name, value in attrs if name in shown and value]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in self.UNREAD

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.shown.append(data)


# ---- the screens ----


def in_spanish(client: Client) -> Client:
    client.cookies["django_language"] = "es"
    return client


def left_in_english(html: str) -> list[str]:
    """Sentences that have a translation and stand in the page untranslated."""
    return [
        text
        for message in messages("es")
        for text, said in zip(ids(message), strings(message), strict=True)
        if text != said and " " in text and "%" not in text and text.replace("'", "&#x27;") in html
    ]


def test_sign_in_speaks_the_language_of_the_browser(db: None, client: Client) -> None:
    answer = client.get(reverse("sign-in"), headers={"accept-language": "es-MX,es;q=0.9,en;q=0.5"})
    html = answer.content.decode()
    assert '<html lang="es">' in html
    assert "<h1>Entrar</h1>" in html
    assert left_in_english(html) == []


def test_sign_in_speaks_english_by_default(db: None, client: Client) -> None:
    html = client.get(reverse("sign-in"), headers={"accept-language": "fr"}).content.decode()
    assert '<html lang="en">' in html
    assert "<h1>Sign in</h1>" in html


def test_chosen_language_beats_that_of_the_browser(db: None, client: Client) -> None:
    client.post(reverse("set_language"), {"language": "es", "next": "/"})
    answer = client.get(reverse("sign-in"), headers={"accept-language": "en"})
    assert '<html lang="es">' in answer.content.decode()


@pytest.fixture(scope="module")
def one_page(
    shared_corpus: Corpus, shared_cast: SimpleNamespace, make_shared_page: factories.MakePage
) -> Corpus:
    """A corpus with a page to annotate."""
    make_shared_page()
    return shared_corpus


@pytest.mark.parametrize(
    ("who", "screen"),
    [
        ("rhea", "corpus"),
        ("rhea", "agreement"),
        ("rhea", "leaderboard"),
        ("hanne", "people"),
        ("hanne", "exports"),
        ("hanne", "attention"),
    ],
)
def test_screens_of_a_corpus_come_in_spanish(
    db: None,
    one_page: Corpus,
    shared_cast: SimpleNamespace,
    signed_in: factories.SignedIn,
    who: str,
    screen: str,
) -> None:
    client = in_spanish(signed_in(getattr(shared_cast, who)))
    html = client.get(reverse(screen, args=[one_page.slug]), headers={"accept": "text/html"}).content.decode()
    assert '<html lang="es">' in html
    assert left_in_english(html) == []


@pytest.mark.parametrize("who", ["ada", "cleo", "rhea", "hanne", "dov"])
def test_home_comes_in_spanish(
    db: None, one_page: Corpus, shared_cast: SimpleNamespace, signed_in: factories.SignedIn, who: str
) -> None:
    html = (
        in_spanish(signed_in(getattr(shared_cast, who)))
        .get(reverse("home"), headers={"accept": "text/html"})
        .content.decode()
    )
    assert '<html lang="es">' in html
    assert left_in_english(html) == []


def test_spanish_agrees_with_what_stands_beside_it(
    db: None, one_page: Corpus, shared_cast: SimpleNamespace, signed_in: factories.SignedIn
) -> None:
    """Audits and pages are feminine, an attempt is masculine, a queue is no act, and pairs of people are not
    pairs of extractors.
    """
    client = in_spanish(signed_in(shared_cast.hanne))
    factories.annotate(one_page.pages.get(), shared_cast.ada)
    audits = client.get(reverse("audits", args=[one_page.slug])).content.decode()
    assert "<dt>Cambiadas</dt>" in audits
    checks = client.get(reverse("quality-checks", args=[one_page.slug])).content.decode()
    assert 'scope="colgroup">Entregadas</th>' in checks
    with translation.override("es"):
        assert [translation.gettext(word) for word in ("passed", "not passed")] == ["superado", "no superado"]
        assert TITLES[IMPORT] == "Importaciones"
        pairs = (translation.gettext("Pairs"), translation.pgettext("of annotators", "All pairs"))
        assert pairs == ("Parejas", "Todas las parejas")
    webhooks = client.get(reverse("webhooks", args=[one_page.slug])).content.decode()
    assert "Nada todavía." in webhooks, "of jobs and webhooks as of exports"


class Fields(forms.Form):
    """What the forms here are made of."""

    text = forms.CharField(max_length=3)
    whole = forms.IntegerField(min_value=2, max_value=5)
    number = forms.FloatField()
    day = forms.DateField()
    email = forms.EmailField()
    choice = forms.ChoiceField(choices=[("a", "A")])
    choices = forms.MultipleChoiceField(choices=[("a", "A")])


def test_texts_of_django_say_you_as_ours_do(db: None) -> None:
    """They are those of a friend: no usted."""
    formal = re.compile(r"\b(su|sus|usted|ha|asegúrese|\w+(zca|za|ja|ione|lva|iba))\b", re.IGNORECASE)
    entered = [
        dict.fromkeys(Fields.base_fields, value) | {"choices": [value]} for value in ("1 not valid", "1", "9")
    ]
    with translation.override("es"):
        said = [str(Fields(data).errors) for data in entered]
        said.append(str(SignUpForm({"username": "two words", "password1": "a", "password2": "b"}).errors))
        for password in (" ", "1234567", "password"):
            changed = {"old_password": "no", "new_password1": password, "new_password2": password}
            said.append(str(PasswordChangeForm(User(username=password), changed).errors))
        said += password_validation.password_validators_help_texts()
        said += [str(field.help_text) for field in PasswordChangeForm(User()).fields.values()]
    assert len(said) > 10
    assert [text for text in said if formal.search(re.sub("<[^>]*>", " ", text))] == []


def test_annotate_screen_comes_in_spanish(
    db: None, one_page: Corpus, shared_cast: SimpleNamespace, signed_in: factories.SignedIn
) -> None:
    client = in_spanish(signed_in(shared_cast.ada))
    claimed = client.post(reverse("next", args=[one_page.slug]), headers={"accept": "text/html"}, follow=True)
    html = claimed.content.decode()
    assert '<html lang="es">' in html
    assert str(display_names.LABELS["headline"]) in html or '"title": "Titular"' in html
    assert left_in_english(html) == []


def test_errors_of_actions_come_in_spanish(
    db: None, one_page: Corpus, shared_cast: SimpleNamespace, signed_in: factories.SignedIn
) -> None:
    answer = in_spanish(signed_in(shared_cast.ada)).get(reverse("people", args=[one_page.slug]))
    assert answer.status_code == 403
    assert answer.json()["error"] == "Tu rol en este corpus no lo permite."
