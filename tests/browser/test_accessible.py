"""Whoever sees badly, hears the page, or cannot aim can use every page: WCAG 2.2 AA, measured.

Each page and each state of a table is looked at once, in languages, schemes and sizes by rotation;
with --full in all of them.
"""

from collections.abc import Callable
from itertools import product

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from playwright.sync_api import Page, expect

from accounts.models import User
from games import services
from games.models import Game
from tests.browser.contrast import weak_texts
from tests.browser.playing import (
    follow,
    give_factors,
    join,
    log_in,
    name_places,
    open_table,
    resign,
    settle,
)
from tests.browser.test_every_page import SIZES, crowded, look_at
from tests.browser.test_special_states import MATATU, MAU_MAU, STATES, lay_out, table_of_three
from tests.conftest import OUTPUT
from tests.live import beside_the_browser

AXE = """async () => {
    const found = await axe.run(document, {
        resultTypes: ['violations'], rules: {'target-size': {enabled: true}},
    });
    return found.violations.flatMap(each => each.nodes.map(
        node => `${each.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
}"""
# Whatever is pressed, but a link in the middle of a sentence.
SMALL = """() => [...document.querySelectorAll(
        'a[href], button, summary, select, textarea, label, input:not([type=hidden])')]
    .filter(node => node.checkVisibility({checkVisibilityCSS: true}) && !node.closest('.skip'))
    .filter(node => getComputedStyle(node).display !== 'inline')
    .filter(node => !['radio', 'checkbox'].includes(node.type) || !node.closest('label'))
    .filter(node => node.localName !== 'label' || node.querySelector('input:not([type=hidden])'))
    .filter(node => {
        const {width, height} = node.getBoundingClientRect();
        return height < 43.5 || width < 43.5;
    })
    .map(node => node.outerHTML.slice(0, 120))"""
LANGUAGES = [code for code, _ in settings.LANGUAGES]
SCHEMES = ["light", "dark"]
ALL_WAYS = list(product(LANGUAGES, SCHEMES, SIZES))

State = Callable[[str], None]


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page as it is shown now."""
    page.evaluate(AXE_SCRIPT)
    return [*page.evaluate(AXE), *page.evaluate(SMALL), *weak_texts(page)]


def ways(number: int, *, full: bool) -> list[tuple]:
    """In which language, scheme and size to look at the state of this number."""
    if full:
        return ALL_WAYS
    return [(LANGUAGES[number % 4], SCHEMES[number // 4 % 2], SIZES[number % 3])]


def look_at_all(page: Page, states: dict[str, State], *, full: bool) -> None:
    """Bring each state about on this page and look at it; tell all that was found at once."""
    found = {}
    for number, (name, reach) in enumerate(states.items()):
        for language, scheme, (width, height) in ways(number, full=full):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            reach(language)
            if wrong := faults(page):
                found[f"{name} {language} {scheme} {width}"] = wrong
    assert found == {}


def at(page: Page, path: str, *presses: str) -> State:
    """The state of a page after these presses, each of which stays on it or leads on."""

    def reach(language: str) -> None:
        page.goto(f"/{language}/{path}")
        for selector in presses:
            page.locator(selector).locator("visible=true").first.click()
            page.wait_for_load_state()

    return reach


# --- The pages ------------------------------------------------------------------------------------


def test_axe_finds_nothing_on_pages_for_everybody(page, full):
    paths = ["", "lobbies/", "languages/", "accounts/login/", "accounts/password/reset/", "rules/"]
    paths += ["accounts/recover/", "accounts/login/code/"]
    paths += ["accounts/signup/without-password/"]
    paths += ["accounts/3rdparty/login/cancelled/", "accounts/3rdparty/login/error/"]
    paths += ["about/privacy/", "about/terms/", "about/imprint/"]
    paths += ["nothing/", "rules/mau-mau/first-game/", "join/?code=BCDFGH", "offline/"]
    paths += ["rules/matatu/uganda_joker/", "rules/mau-mau/mau/"] if full else []
    states = {path or "home": at(page, path) for path in paths}
    answers = ".example .hand a, .example .row a"
    states["menu"] = at(page, "", ".menu summary")
    states["answered"] = at(page, "rules/mau-mau/", answers)
    states["choices"] = at(page, "rules/matatu/", "#choices > summary")
    states["second move"] = at(page, "rules/matatu/first-game/", ".ok a, .actions a")
    states["a text is wrong"] = at(page, "rules/", ".wrong button")
    states["sign up"] = at(page, "accounts/signup/")
    states["sign up refused"] = refused_sign_up(page)
    public_table()
    for path in ("play/", "quick/", f"join/{public_code()}/"):
        states[path] = at(page, path)
    look_at_all(page, states, full=full)


def test_axe_finds_nothing_on_pages_of_a_guest(page, full):
    page.goto("/en/play/")
    follow(page, "main form button[value=matatu]")
    paths = ["accounts/password/set/", "accounts/logout/", "accounts/delete/", "play/"]
    paths += ["accounts/recovery/", "accounts/recover/"]
    look_at_all(page, {path: at(page, path) for path in paths}, full=full)


def refused_sign_up(page: Page) -> State:
    def reach(language: str) -> None:
        page.goto(f"/{language}/accounts/signup/")
        page.fill("[name=username]", "a/b")
        page.fill("[name=password1]", "12345678")
        follow(page, "main form button.go")
        expect(page.locator(".errorlist").first).to_be_visible()

    return reach


def test_axe_finds_nothing_on_pages_of_a_person(new_page, full):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    paths = ["games/", "lobbies/", "accounts/inbox/"]
    states = {f"{path} empty": at(alice, path) for path in paths}
    look_at_all(alice, states, full=full)
    join(bob, open_table(alice, "maumau/mau", pace="1d"))
    public_table()
    paths += ["accounts/email/", "accounts/password/change/", "accounts/settings/"]
    paths += ["accounts/notices/", "accounts/notices/sent/"]
    paths += [
        "accounts/logout/",
        "accounts/delete/",
        "accounts/recovery/",
        "friends/",
        "accounts/sessions/",
        "accounts/2fa/",
        "accounts/2fa/webauthn/add/",
        "accounts/3rdparty/",
        "accounts/measures/",
        "report/Bob/",
        "nothing/",
        "players/Alice/",
    ]
    states = {path: at(alice, path) for path in paths}
    states["house rules"] = at(alice, "lobbies/new/?game=maumau/mau", ".options summary")
    states["an open table"] = at(alice, "lobbies/", "#lobbies details summary")
    states["its invitation"] = at(alice, f"join/{public_code()}/")
    states["looking for players"] = looking(bob)
    states["others look"] = at(alice, "quick/")
    name_places("Alice")
    give_factors("Bob")
    states["all ways to sign in"] = at(bob, "accounts/2fa/")
    states["my places"] = at(alice, "accounts/notices/")
    states["menu"] = at(alice, "games/", ".menu summary")
    look_at_all(alice, states, full=full)


def looking(page: Page) -> State:
    """Somebody looks for players, and goes on to."""

    def reach(language: str) -> None:
        page.goto(f"/{language}/quick/")
        if page.locator("main .stack").count():
            follow(page, "main .stack button.quiet")
        expect(page.locator("[data-every]")).to_be_attached()

    return reach


@beside_the_browser()
def public_table() -> None:
    """Let Bob open a table for everybody, with a house rule and a bot."""
    terms = services.Terms("maumau", "mau", 4, {"jack_on_jack": False}, "1d", True)
    bob, _ = User.objects.get_or_create(name="Bob")
    services.add_bot(bob, services.create(bob, terms).pk, "easy")


@beside_the_browser()
def public_code() -> str:
    return Game.objects.get(public=True).code


def test_the_measures_find_what_is_wrong(page):
    page.goto("/en/")
    assert faults(page) == []
    page.evaluate(
        """document.querySelector('.hero .tag').style.color = '#2f6b50';
        document.querySelector('.hero .button').style.cssText = 'min-height: 0; padding: 0';
        document.querySelector('.hero h1').remove();"""
    )
    found = " ".join(faults(page))
    for sign in ("Mau with friends", "/play/", "page-has-heading-one"):
        assert sign in found


# --- The table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["matatu", "maumau"])
def test_axe_finds_nothing_in_any_state_of_a_table(new_page, full, game):
    preset = {"matatu": "matatu/rwanda", "maumau": "maumau/mau"}[game]
    alice = table_of_three(new_page, preset, "en")
    game_id = alice.url.rstrip("/").split("/")[-1]
    plain = {"matatu": MATATU, "maumau": MAU_MAU}[game]
    chosen = {name: state for name, state in STATES.items() if state[0]["game"] == game}
    chosen["refused"] = (plain, "#hand li:not(.ok) button", "#refusal")
    chosen["resigning"] = (plain, "#resign summary", "#resign button")
    chosen["another's turn"] = (plain | {"turn": 1}, "", "#table:not(.mine)")
    states = {name: laid_out(alice, game_id, *state) for name, state in chosen.items()}
    ended = states.pop("ended", None)
    look_at_all(alice, states | ({"ended": ended} if ended else {}), full=full)


def laid_out(page: Page, game_id: str, position: dict, press: str, sign: str) -> State:
    """The table with this position, what the person there presses, and what shows then."""

    def reach(language: str) -> None:
        lay_out(game_id, position)
        page.goto(f"/{language}/games/{game_id}/")
        if press:
            page.locator(press).first.click()
        expect(page.locator(sign).first).to_be_visible()
        settle(page)  # what takes no press for a moment may be pale

    return reach


@pytest.mark.parametrize("beginner", [False, True])
def test_axe_finds_nothing_where_six_people_and_twenty_cards_are(page, full, beginner):
    log_in(page, "Alice")
    path = f"games/{crowded('matatu', 'first_steps' if beginner else 'rwanda', 20)}/"
    states = {"many": at(page, path), "asked again": at(page, path, "#hand li.ok summary")}
    look_at_all(page, states, full=full)


def test_axe_finds_nothing_at_a_table_that_waits(new_page, full):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    open_table(alice, "matatu/first_steps", seats="4", bots=1)
    path = alice.url.split("/en/")[1]
    look_at_all(alice, {"host": at(alice, path)}, full=full)
    public_table()
    look_at_all(alice, {"watched": at(alice, f"games/{public_id()}/")}, full=full)


def test_axe_finds_nothing_in_light_mode_and_after_a_game(new_page, full):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice, "matatu/rwanda"))
    expect(alice.locator("#table.playing")).to_be_attached()
    path = alice.url.split("/en/")[1]
    alice.locator("form.lean button").click()
    expect(alice.locator("html.light")).to_be_attached()
    look_at_all(alice, {"light home": at(alice, ""), "light": at(alice, path)}, full=full)
    resign(alice)
    states = {"light result": at(alice, path), "light replay": at(alice, f"{path}replay/")}
    look_at_all(alice, states, full=full)
    after = {"replay": at(bob, f"{path}replay/"), "player": at(bob, "players/Bob/")}
    look_at_all(bob, after, full=full)


@beside_the_browser()
def public_id() -> str:
    return Game.objects.get(public=True).pk


# --- Zoom, colours, motion ------------------------------------------------------------------------

ZOOMED = [(640, 400), (320, 256)]  # what is left of 1280 x 800 and 1280 x 1024 at 200 % and 400 %


def test_a_page_at_200_and_400_percent_scrolls_one_way_and_loses_nothing(new_page, language):
    alice, bob = new_page(), new_page()
    log_in(alice, "Nyiramahirwe Uwimana", language)
    for path in ("", "lobbies/new/", "games/", "accounts/settings/", "rules/matatu/"):
        alice.goto(f"/{language}/{path}")
        look_at(alice, language, ZOOMED, "light")
    log_in(bob, "Thandeka kaMkhize")
    join(bob, open_table(alice, "maumau/mau", language, pace="2m"))
    expect(alice.locator("#table.playing")).to_be_attached()
    game_id = alice.url.rstrip("/").split("/")[-1]
    for press in ("", "#choice-JC summary"):
        lay_out(game_id, MAU_MAU | {"hands": [MAU_MAU["hands"][0], ["KD", "QS"]]})
        alice.goto(f"/{language}/games/{game_id}/")
        if press:
            alice.click(press)
        look_at(alice, language, ZOOMED, "dark")
        assert alice.evaluate(SMALL) == []


def test_twenty_cards_lie_on_a_small_screen_without_scrolling(page):
    log_in(page, "Alice")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/en/games/{crowded('matatu', 'rwanda', 20, 4)}/")
    expect(page.locator("#hand li")).to_have_count(20)
    page.locator(".hand").scroll_into_view_if_needed()
    hand = page.locator(".hand")
    assert hand.evaluate("node => node.scrollWidth <= node.clientWidth")
    boxes = [
        card.bounding_box()
        for card in page.locator("#hand li > * > .card, #hand summary > .card").all()
    ]
    top, bottom = min(box["y"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
    assert bottom - top < 740 * 0.6
    assert min(box["width"] for box in boxes) >= 44


def test_nothing_moves_where_motion_is_not_wanted(new_page):
    alice = new_page(reduced_motion="reduce")
    log_in(alice, "Alice")
    alice.goto(f"/en/games/{crowded('matatu', 'rwanda', 9)}/")
    expect(alice.locator(".badge.last").first).to_be_visible()
    assert alice.evaluate("document.getAnimations().length") == 0
    alice.emulate_media(reduced_motion="no-preference")
    assert alice.evaluate("document.getAnimations().length") > 0


def test_what_may_be_played_shows_in_forced_colours(new_page):
    alice = new_page(forced_colors="active")
    log_in(alice, "Alice")
    alice.goto(f"/en/games/{crowded('matatu', 'rwanda', 9)}/")
    width = "node => parseFloat(getComputedStyle(node).outlineWidth)"
    style = "node => getComputedStyle(node).outlineStyle"
    assert alice.locator("#hand .ok .card").first.evaluate(style) == "solid"
    assert alice.locator("#hand .ok .card").first.evaluate(width) >= 3
    for card in alice.locator("#hand li:not(.ok) .card").all():
        assert card.evaluate(style) == "none"


# What tells two states apart for whoever sees no colours: words, letters, shapes.
SHAPES = """card => [card.querySelector('b').textContent,
    ...[...card.querySelectorAll('use')].map(use => use.getAttribute('href'))].join(' ')"""


@pytest.mark.parametrize("deficiency", ["achromatopsia", "deuteranopia"])
def test_b69_nothing_is_said_by_colour_alone(new_page, deficiency):
    alice = table_of_three(new_page, "matatu/rwanda", "en")
    seen = alice.context.new_cdp_session(alice)
    seen.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
    game_id = alice.url.rstrip("/").split("/")[-1]
    hand = ["9H", "9D", "9C", "9S"]
    position = MATATU | {"hands": [hand, ["KD", "QS"], ["5C"]], "top": "AD", "requested_suit": "C"}
    lay_out(game_id, position | {"under": ["6H", "5H"]})
    alice.set_viewport_size({"width": 320, "height": 640})
    alice.emulate_media(color_scheme="dark")
    alice.reload()
    shapes = [card.evaluate(SHAPES) for card in alice.locator("#hand li .card").all()]
    assert len(set(shapes)) == len(hand)
    sign = "node => getComputedStyle(node.firstElementChild, '::after').content"
    playable = alice.locator("#hand li.ok")
    expect(playable).to_have_count(1)
    assert playable.evaluate(sign) != "none"
    assert "can be played" in playable.inner_text()
    for card in alice.locator("#hand li:not(.ok)").all():
        assert card.evaluate(sign) == "none"
    expect(alice.locator(".headline")).to_have_text("It is your turn!")
    expect(alice.locator(".asked")).to_contain_text("Clubs")
    assert weak_texts(alice) == []
    assert alice.evaluate("document.documentElement.scrollWidth") <= 320
    alice.screenshot(path=OUTPUT / "states" / f"{deficiency}.png", full_page=True)
