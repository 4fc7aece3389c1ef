"""What all screens outside the workbench share: keys, signing out, width, policy."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from annotator.corpora.actions import create_corpus, grant_role, invite
from annotator.corpora.models import Corpus, Invitation, User
from tests.browser.conftest import SignIn
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCREENS = ("corpus", "agreement", "leaderboard", "settings/people", "exports", "attention")
ADDRESSES = {"corpus": "/c/dailies/", **{name: f"/c/dailies/{name}/" for name in SCREENS[1:]}, "home": "/"}

# In how many lines the words of each label stand.
LINES = """(labels) => labels.map((label) => {
  const words = document.createRange();
  words.selectNodeContents(label.lastChild);
  return words.getClientRects().length;
})"""
# The theme when the first element of the body is there.
AT_FIRST = """new MutationObserver(() => {
  if (document.body) window.themeAtFirst ??= document.documentElement.dataset.theme ?? "none";
}).observe(document, {childList: true, subtree: true});"""


@pytest.fixture
def people(transactional_db: None) -> SimpleNamespace:
    corpus: Corpus = create_corpus(slug="dailies", name="Dailies")
    found = SimpleNamespace(corpus=corpus, **{name: make_user(name) for name in ("hanne", "ada")})
    grant_role(corpus=corpus, user=found.hanne, role="admin")
    grant_role(corpus=corpus, user=found.ada, role="annotator")
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_menu_is_reached_by_keys_and_keys_can_be_switched_off(
    people: SimpleNamespace, sign_in: SignIn
) -> None:
    page = sign_in(people.hanne)
    press(page, "g", "l")
    page.wait_for_url("**/leaderboard/")
    press(page, "?")
    expect(page.locator("#keys")).to_be_visible()
    page.check("#keys [data-keys-off]")
    press(page, "Escape", "g", "p")
    page.wait_for_timeout(300)
    assert page.url.endswith("/leaderboard/")


def test_corpora_and_the_account_are_reached_by_keys(people: SimpleNamespace, sign_in: SignIn) -> None:
    other = create_corpus(slug="weeklies", name="Weeklies")
    grant_role(corpus=other, user=people.hanne, role="researcher")
    create_corpus(slug="secret", name="Secret")
    page = sign_in(people.hanne)
    press(page, ".")
    listed = ["All corpora", "Dailies admin", "Weeklies researcher"]
    expect(page.locator("#corpora li")).to_have_text(listed, use_inner_text=True)
    focus_comes_to(page, "All corpora")
    press(page, "End", "Enter")
    page.wait_for_url("**/c/weeklies/")
    press(page, ".")
    focus_comes_to(page, "Weeklies researcher")  # the one that is shown
    press(page, "ArrowUp", "Escape")
    focus_comes_to(page, "Switch corpus, now: Weeklies.")
    press(page, "Tab", "Tab", "Enter")
    focus_comes_to(page, "Display name")
    press(page, "ArrowUp")
    focus_comes_to(page, "Sign out")
    press(page, "Tab")
    page.wait_for_selector("#user-menu", state="hidden")  # it closes behind the focus


def test_theme_is_remembered_and_shown_from_the_first_frame(people: SimpleNamespace, sign_in: SignIn) -> None:
    page = sign_in(people.ada)
    page.click("[popovertarget=user-menu]")
    page.check("[data-theme-choice][value=light]", force=True)
    press(page, "ArrowRight")
    page.add_init_script(AT_FIRST)
    page.reload()
    assert page.evaluate("window.themeAtFirst") == "dark"
    page.click("[popovertarget=user-menu]")
    assert page.is_checked("[data-theme-choice][value=dark]")
    page.check("[data-theme-choice][value='']", force=True)
    page.reload()
    assert page.get_attribute("html", "data-theme") is None


def test_narrow_window_has_a_menu(people: SimpleNamespace, sign_in: SignIn) -> None:
    page = sign_in(people.hanne, viewport={"width": 390, "height": 844})
    assert not page.locator("#main-menu").is_visible()
    page.click("[popovertarget=main-menu]")
    page.click("#main-menu a >> text=Agreement")
    page.wait_for_url("**/agreement/")


def focus_comes_to(page: Page, name: str) -> None:
    """Wait until the element with the focus has this label, or text."""
    page.wait_for_function(
        """name => {
            const {ariaLabel, textContent} = document.activeElement;
            return (ariaLabel ?? textContent).trim().replace(/\\s+/g, " ") === name;
        }""",
        arg=name,
    )


def test_keys_are_letters_while_one_types(people: SimpleNamespace, sign_in: SignIn) -> None:
    page = sign_in(people.hanne)
    press(page, "g", "c")
    page.wait_for_url("**/c/dailies/")
    press(page, "/")
    page.keyboard.type("gl")
    page.wait_for_url("**q=gl**")
    assert page.input_value("#q") == "gl"


@pytest.mark.parametrize("screen", ["agreement", "leaderboard"])
def test_filters_say_what_is_shown_after_going_back(
    people: SimpleNamespace, sign_in: SignIn, site: str, screen: str
) -> None:
    page = sign_in(people.hanne)
    page.goto(f"{site}{ADDRESSES[screen]}")
    labels = page.locator("select[name=labels]")
    before = labels.input_value()
    labels.select_option(index=3)
    page.wait_for_url("**labels=**")
    assert labels.input_value() != before
    page.go_back()
    page.wait_for_url(f"**{ADDRESSES[screen]}")
    assert labels.input_value() == before


def test_two_clicks_make_one_invitation(people: SimpleNamespace, sign_in: SignIn, site: str) -> None:
    page = sign_in(people.hanne)
    page.goto(f"{site}{ADDRESSES['settings/people']}")
    page.check("form[action$='invite/'] input[value=annotator]")
    box = page.locator("form[action$='invite/'] button").bounding_box()
    assert box
    for _click in range(2):
        page.mouse.click(box["x"] + 10, box["y"] + 10)
        page.wait_for_timeout(10)
    page.wait_for_selector("#link")
    assert Invitation.objects.count() == 1


def test_unsent_work_is_shown_before_signing_out_wipes_it(people: SimpleNamespace, sign_in: SignIn) -> None:
    page = sign_in(people.ada)
    key = people.ada.browser_key
    page.evaluate(
        """user => {
            const draft = {
                user, slot: "7", window: "closed", document: "d1", url: "/c/dailies/slots/7/",
                title: "Bridge opens", save: "/c/dailies/slots/7/save/", active_seconds: 1,
                flying: null, waiting: { spans: [] }, based_on: 0, changes: 1,
                flying_changes: 0, trouble: "", left: false, kept_at: "2026-11-20T12:00:00Z",
            };
            localStorage.setItem(`goldpan.${user}.7.closed`, JSON.stringify(draft));
            localStorage.setItem("goldpan.somebody-else.7", "{}");
        }""",
        key,
    )
    page.click("[popovertarget=user-menu]")
    page.click("form[data-sign-out] button")
    assert page.locator("#unsent a").inner_text() == "Bridge opens"
    assert page.url.endswith("/")
    page.click("[data-sign-out-anyway]")
    page.wait_for_url("**/sign-in/")
    assert page.evaluate("Object.keys(localStorage)") == ["goldpan.somebody-else.7"]


def test_long_words_of_people_move_nothing_out_of_the_window(
    people: SimpleNamespace, sign_in: SignIn, site: str
) -> None:
    User.objects.filter(pk=people.ada.pk).update(first_name="q" * 150)
    invite(corpus=people.corpus, made_by=people.hanne, roles=["annotator"], note="n" * 200)
    page = sign_in(people.hanne, viewport={"width": 800, "height": 900})
    for name in ("people", "study"):
        page.goto(f"{site}/c/dailies/settings/{name}/")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.goto(f"{site}{ADDRESSES['settings/people']}")
    expect(page.locator(".people-table [name=roles]").first).to_be_in_viewport()


def test_no_role_is_broken_in_a_narrow_window(people: SimpleNamespace, sign_in: SignIn, site: str) -> None:
    page = sign_in(people.hanne, viewport={"width": 320, "height": 900})
    page.goto(f"{site}{ADDRESSES['settings/people']}")
    assert page.locator(".people-table .choice").evaluate_all(LINES) == [1] * 8


@pytest.mark.parametrize("width", [1440, 800, 320])
def test_screens_fit_their_width_and_keep_the_policy(
    people: SimpleNamespace, sign_in: SignIn, site: str, width: int
) -> None:
    Corpus.objects.update(name="Donaudampfschifffahrtszeitungen")
    page = sign_in(people.hanne, viewport={"width": width, "height": 900})
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    for name, address in ADDRESSES.items():
        page.goto(site + address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    assert complaints == []
