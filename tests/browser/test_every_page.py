"""Every page fits its screen and speaks its reader's language."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import services
from games.models import Game
from games.rules.cards import card_from_code, card_set, cards_in, rank_of
from tests.browser.playing import by_turn, follow, is_over, log_in, open_table, resign
from tests.live import beside_the_browser

LONG = "NyiramahirweUwimanaKabag"  # 24 letters, and no place to break
WIDE = "MMMMMMMMMMMMMMMMMMMMMMMM"

SIZES = [(360, 740), (768, 1024), (1280, 800)]
TOO_SMALL_TO_TOUCH = """() => [...document.querySelectorAll(
        'main button, main .button, main summary, main input:not([type=checkbox], [type=radio])')]
    .filter(node => node.checkVisibility() && node.type !== 'hidden')
    .filter(node => {
        const {width, height} = node.getBoundingClientRect();
        return height > 0 && (height < 43.5 || width < 43.5);
    })
    .map(node => node.outerHTML.slice(0, 80))"""
CUT_OFF = """() => [...document.querySelectorAll('main *')]
    .filter(node => node.checkVisibility() && node.clientWidth > 1)
    .filter(node => !node.closest('.vh, .card, svg, input, select, .link'))
    .filter(node => getComputedStyle(node).overflow !== 'visible')
    .filter(node => node.scrollWidth > node.clientWidth + 1
                 || node.scrollHeight > node.clientHeight + 1)
    .map(node => node.outerHTML.slice(0, 80))"""
OVER_THE_BORDER = """() => {
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, line = document.createRange();
        const box = text.parentElement.closest(
            'main :is(button, .button, .badge, .seat, .mine .headline, .cloth),' +
            '.log li, .places li');
        if (!box?.checkVisibility() || text.parentElement.closest('.vh, .card')) continue;
        line.selectNodeContents(text);
        const {left, right} = box.getBoundingClientRect();
        if ([...line.getClientRects()].some(
                one => one.width && (one.left < left + 2 || one.right > right - 2)))
            found.push(text.data);
    }
    return found;
}"""
COVERED = """() => [...document.querySelectorAll('.playing .seats .name, .playing .seats .chip')]
    .filter(node => {
        const box = node.getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        if (y < 0 || y > innerHeight) return false;
        return !document.elementFromPoint(x, y)?.closest('.seat');
    })
    .map(node => node.outerHTML.slice(0, 80))"""
FAULTS = (TOO_SMALL_TO_TOUCH, CUT_OFF, OVER_THE_BORDER, COVERED)


def look_at(page, language: str, sizes, scheme: str) -> None:
    """Check the page that is open at each size.

    Sideways scroll, small targets, and text that is cut, covered or on a border are faults.
    """
    assert page.locator("html").get_attribute("lang") == language
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        where = f"{page.url} at {width}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert [found for fault in FAULTS for found in page.evaluate(fault)] == [], where


@pytest.fixture
def sizes(full, language):
    """All sizes, or one by the language, so that a rotation meets all of them."""
    return SIZES if full else [SIZES[["en", "rw", "de", "zu"].index(language) % 3]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_fits_its_screen(new_page, language, sizes, scheme):
    alice = new_page()
    paths = [
        "",
        "play/",
        "quick/",
        "accounts/signup/",
        "accounts/login/",
        "accounts/password/reset/",
    ]
    for path in (*paths, "lobbies/", "about/privacy/", "about/terms/", "about/imprint/"):
        alice.goto(f"/{language}/{path}")
        look_at(alice, language, sizes, scheme)
    assert alice.goto(f"/{language}/nothing/").status == 404
    look_at(alice, language, sizes, scheme)
    log_in(alice, LONG, language)
    paths = ["games/", "accounts/password/change/", "accounts/email/", "accounts/inbox/"]
    paths += ["accounts/settings/", "accounts/notices/", "accounts/notices/sent/"]
    paths += ["accounts/delete/", "accounts/recovery/", "accounts/recover/", "friends/"]
    paths += ["accounts/sessions/", "accounts/2fa/", "accounts/measures/", "accounts/3rdparty/"]
    for path in paths:
        alice.goto(f"/{language}/{path}")
        look_at(alice, language, sizes, scheme)
    alice.goto(f"/{language}/quick/")
    look_at(alice, language, sizes, scheme)
    follow(alice, "main .stack button.quiet")
    look_at(alice, language, sizes, scheme)
    for game in ("matatu/uganda_joker", "maumau/mau"):
        alice.goto(f"/{language}/lobbies/new/?game={game}")
        alice.click(".options summary")
        look_at(alice, language, sizes, scheme)
    alice.select_option("[name=seats]", "4")
    alice.check("[name=public][value='1']")
    alice.check("[name=jack_on_jack][value=false]")
    follow(alice, "main form button.go")
    follow(alice, ".bots [value=random]")
    look_at(alice, language, sizes, scheme)
    alice.goto(f"/{language}/lobbies/")
    alice.click("#lobbies details summary")
    look_at(alice, language, sizes, scheme)


@pytest.mark.parametrize("game", ["matatu/rwanda", "maumau/mau", "matatu/first_steps"])
def test_every_state_of_a_table_fits_the_screen(new_page, language, sizes, game):
    alice, bob = new_page(), new_page()
    log_in(alice, LONG, language)
    link = open_table(alice, game, language)
    look_at(alice, language, sizes, "light")
    log_in(bob, "Thandeka kaMkhize", language)
    bob.goto(link.replace("/join/", f"/{language}/join/"))
    look_at(bob, language, sizes, "dark")
    follow(bob, "main form button.go")
    _, waiting = by_turn(alice, bob)
    for page in (alice, bob):
        look_at(page, language, sizes, "light")
    waiting.locator("#hand li > button, #hand li > details > summary").first.click()
    expect(waiting.locator("#refusal")).to_be_visible()
    look_at(waiting, language, sizes, "dark")
    resign(waiting)
    for page in (alice, bob):
        page.wait_for_selector("#table.finished")
        assert is_over(page)
        look_at(page, language, sizes, "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("beginner", [False, True])
def test_six_people_and_twenty_cards_fit_the_screen(page, language, sizes, scheme, beginner):
    log_in(page, LONG, language)
    preset = "first_steps" if beginner else "rwanda"
    page.goto(f"/{language}/games/{crowded('matatu', preset, 20)}/")
    expect(page.locator("#hand li")).to_have_count(20)
    look_at(page, language, sizes, scheme)


def test_the_suits_fit_their_buttons(page, language, sizes):
    """One word each, so a line each."""
    log_in(page, LONG, language)
    page.goto(f"/{language}/games/{crowded('maumau', 'mau', 9, 2)}/")
    page.click("#hand .choice summary")
    look_at(page, language, sizes, "light")
    for button in page.locator(".choice[open] .suits button").all():
        assert button.bounding_box()["height"] < 60


@beside_the_browser()
def crowded(variant: str, preset: str, cards: int, seats: int = 6) -> str:
    """Return the id of a game with many seats, where the one person there is holds many cards.

    It is her turn upon a nine, she has the Jacks, and the next ones have one, two and one left.
    """
    me = User.objects.get()
    game = services.create(me, services.Terms(variant, preset, seats))
    for name in ("Thandeka kaMkhize", WIDE, "Ineza", "Uwase Marie Claire", "Q")[: seats - 1]:
        services.join(User.objects.create_user(name), game.pk)
    game.refresh_from_db()
    state = game.position()
    seat = game.seats.get(user=me).number
    others = [number for number in range(seats) if number != seat]
    dealt = [card for hand in state.hands for card in cards_in(hand)]
    top = card_from_code("9H")
    deck = [card for card in (*state.stock, *dealt, state.top) if card != top]
    deck.sort(key=lambda card: rank_of(card) != "J")
    hands = list(state.hands)
    for number, size in zip([seat, *others], [cards, 1, 2, 1, 4, 4], strict=False):
        hands[number], deck = card_set(deck[:size]), deck[size:]
    after = state._replace(hands=tuple(hands), stock=bytes(deck), top=top, turn=seat)
    Game.objects.update(state=after.to_json(), turn=seat)
    return game.pk
