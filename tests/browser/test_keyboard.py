"""Everything can be done with a keyboard, and nobody's focus is lost when the table changes."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Game
from tests.browser.playing import (
    by_turn,
    follow,
    has_turn,
    is_over,
    join,
    log_in,
    make_a_move,
    open_table,
    press,
    settle,
    version,
    wait_for_version,
)
from tests.browser.test_special_states import MATATU, MAU_MAU, lay_out
from tests.live import beside_the_browser

FARTHEST = 120  # presses of Tab after which nobody goes on looking
LAST_MOVE = 300
HAS_FOCUS = "node => document.activeElement === node"
# What has the focus: is it drawn, and does its ring show?
RING = """() => {
    const node = document.activeElement, style = getComputedStyle(node);
    return node === document.body || (node.checkVisibility({checkVisibilityCSS: true})
        && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2);
}"""


# --- Fingers --------------------------------------------------------------------------------------


def tab_to(target: Locator) -> None:
    """Press Tab until the target has the focus; whatever has it on the way shows that."""
    page = target.page
    for _ in range(FARTHEST):
        if target.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
        assert page.evaluate(RING), page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    raise AssertionError(f"Tab does not lead to {target}")


def strike(target: Locator, key: str = "Enter") -> None:
    """Go there by Tab and press a key that moves the table on."""
    page = target.page
    settle(page)
    before = version(page)
    tab_to(target)
    page.keyboard.press(key)
    wait_for_version(page, before + 1)


def move_by_keys(page: Page) -> None:
    """Lay the first card that may be laid, else draw, else pass."""
    card = page.locator("#hand li.ok > button, #hand li.ok > details > summary").first
    if not card.count():
        strike(page.locator("#hand .actions :is([value=draw], [value=pass])").first)
        return
    if card.evaluate("node => node.localName") == "button":
        strike(card, "Space")
        return
    settle(page)
    tab_to(card)
    page.keyboard.press("Enter")
    strike(page.locator(".choice[open] .panel button").first)


def table_of_two(new_page, game: str, pace: str = "2m", language: str = "en") -> tuple[Page, str]:
    """Return the page of Keza, who sits first at a table with Ineza, and the id of the game."""
    keza, ineza = new_page(), new_page()
    log_in(keza, "Keza", language)
    log_in(ineza, "Ineza")
    join(ineza, open_table(keza, game, language, pace=pace))
    expect(keza.locator("#table.playing")).to_be_attached()
    return keza, keza.url.rstrip("/").split("/")[-1]


def laid(page: Page, game_id: str, position: dict, **changed) -> None:
    """Put a position of two people on the table, and show it."""
    hands = [*position["hands"][:1], ["KD", "QS", "9C"]]
    lay_out(game_id, whole({**position, "hands": hands, **changed}))
    page.reload()


def whole(position: dict) -> dict:
    """The position without those cards of its stock and discards that somebody holds."""
    held = {position["top"], *(card for hand in position["hands"] for card in hand)}
    piles = ("stock", "under")
    return position | {pile: [c for c in position[pile] if c not in held] for pile in piles}


# --- B67: cards cannot be reached without a mouse -------------------------------------------------


@pytest.mark.parametrize("game", ["matatu/rwanda", "maumau/mau"])
def test_b67_a_whole_game_by_keyboard_alone(new_page, game):
    """From the list of games to the rematch; the other person plays as people do."""
    keza, ineza = new_page(), new_page()
    log_in(keza, "Keza")
    log_in(ineza, "Ineza")
    keza.goto("/en/games/")
    with keza.expect_navigation():
        tab_to(keza.locator("main .go"))
        keza.keyboard.press("Enter")
    if not game.startswith("matatu"):
        with keza.expect_navigation():
            tab_to(keza.locator(f".presets a[href='?game={game}']"))
            keza.keyboard.press("Enter")
    with keza.expect_navigation():
        tab_to(keza.locator("main form button.go"))
        keza.keyboard.press("Space")
    join(ineza, keza.locator("input[readonly]").input_value())
    expect(keza.locator("#table.playing")).to_be_attached()
    for _ in range(LAST_MOVE):
        mover = by_turn(keza, ineza)[0]
        if is_over(mover):
            break
        move_by_keys(mover) if mover is keza else make_a_move(mover)
    expect(keza.locator("#table.finished")).to_be_attached()
    with keza.expect_navigation():
        tab_to(keza.locator(".after button"))
        keza.keyboard.press("Enter")
    expect(keza.locator("#table.waiting")).to_be_attached()


@pytest.mark.parametrize("spoken", ["en", "rw"])
def test_b67_a_jack_its_suit_and_a_refusal_are_reached_and_read_out(new_page, spoken):
    keza, game_id = table_of_two(new_page, "maumau/mau", language=spoken)
    laid(keza, game_id, MAU_MAU, hands=[["JC", "9D", "8S", "QS", "KC"], ["KD", "10S"]])
    state = {"en": "can be played", "rw": "ishobora gukinwa"}[spoken]
    jack = keza.locator("#choice-JC > summary")
    expect(jack).to_contain_text(state)
    settle(keza)
    tab_to(keza.locator("#hand-KC > button"))
    keza.keyboard.press("Enter")
    expect(keza.locator("#refusal")).to_be_visible()
    expect(keza.locator("#live")).to_contain_text(keza.locator("#refusal").inner_text()[:20])
    assert keza.locator("#hand-KC > button").evaluate(HAS_FOCUS)
    settle(keza)
    tab_to_before(keza, jack)
    keza.keyboard.press("Enter")
    tab_to(keza.locator(".choice[open] [value=C]"))
    keza.keyboard.press("Escape")
    assert jack.evaluate(HAS_FOCUS)
    expect(keza.locator(".choice[open]")).to_have_count(0)
    keza.keyboard.press("Space")
    strike(keza.locator(".choice[open] [value=C]"))
    expect(keza.locator(".asked")).to_be_visible()
    said = keza.locator("#live p")
    expect(said.first).to_be_attached()
    assert said.count() == len(set(said.all_inner_texts()))


def tab_to_before(page: Page, target: Locator) -> None:
    """Go back to the target by Shift and Tab."""
    for _ in range(FARTHEST):
        if target.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(RING)
    raise AssertionError(f"Shift and Tab do not lead to {target}")


def test_b67_the_game_is_cut_by_keyboard(new_page):
    keza, game_id = table_of_two(new_page, "matatu/rwanda")
    laid(keza, game_id, MATATU)
    settle(keza)
    tab_to(keza.locator("#choice-7H > summary"))
    keza.keyboard.press("Enter")
    strike(keza.locator("#choice-7H [name=cut]"))
    expect(keza.locator("#table.finished")).to_be_attached()
    assert keza.locator("#result").evaluate(HAS_FOCUS)
    expect(keza.locator("#live")).to_contain_text(keza.locator(".over .headline").inner_text())


def test_b67_mau_is_called_by_a_letter_which_can_be_switched_off(new_page):
    keza, game_id = table_of_two(new_page, "maumau/mau")
    two_left = {"hands": [["QH", "JC"], ["KD", "9C"]]}
    laid(keza, game_id, MAU_MAU, **two_left)
    settle(keza)
    keza.keyboard.press("m")
    expect(keza.locator(".plate .badge.mau")).to_be_visible()
    keza.goto("/en/accounts/settings/")
    tab_to(keza.locator("[name=letter_keys]"))
    keza.keyboard.press("Space")
    with keza.expect_navigation():
        tab_to(keza.locator("main form button.go"))
        keza.keyboard.press("Enter")
    laid(keza, game_id, MAU_MAU, **two_left)
    keza.goto(f"/en/games/{game_id}/")
    expect(keza.locator("#hand [value=mau]")).not_to_have_attribute("aria-keyshortcuts", "M")
    before = version(keza)
    settle(keza)
    keza.keyboard.press("m")
    strike(keza.locator("#hand [value=mau]"))
    assert version(keza) == before + 1


def test_b67_at_slow_tables_a_card_asks_again_with_and_without_a_script(new_page):
    keza, game_id = table_of_two(new_page, "matatu/rwanda", pace="1h")
    plain = new_page(java_script_enabled=False)
    plain.context.add_cookies(keza.context.cookies())
    for page in (keza, plain):
        hand = ["10H", "3C", "4D", "KS"]
        laid(keza, game_id, MATATU, hands=[hand, ["KD", "QS"]])
        page.goto(f"/en/games/{game_id}/")
        card = page.locator("#choice-10H")
        card.locator("summary").click()
        expect(page.locator("#hand li")).to_have_count(len(hand))
        expect(card.locator("button.go")).to_have_text("Play: Ten of hearts")
        press(card.locator("button.go"))
        expect(page.locator("#hand li")).to_have_count(len(hand) - 1)
    keza.goto("/en/accounts/settings/")
    keza.check("[name=slip_guard][value=never]")
    follow(keza, "main form button.go")
    laid(keza, game_id, MATATU, hands=[hand, ["KD", "QS"]])
    keza.goto(f"/en/games/{game_id}/")
    expect(keza.locator("#hand-10H > button")).to_be_visible()


# --- B70: a live update throws the focus away -----------------------------------------------------


@beside_the_browser()
def moves_made() -> int:
    return Game.objects.get().move_count


def test_b70_focus_and_what_is_open_outlast_every_update(new_page):
    keza, ineza = new_page(), new_page()
    for page in (keza, ineza):
        log_in(page, {keza: "Keza", ineza: "Ineza"}[page])
    join(ineza, open_table(keza, "maumau/mau", pace="2m"))
    expect(keza.locator("#table.playing")).to_be_attached()
    game_id = keza.url.rstrip("/").split("/")[-1]
    hands = [["AH", "JC", "8S", "7D", "QH"], ["KH", "KD", "QS", "10S"]]
    lay_out(game_id, whole(MAU_MAU | {"hands": hands, "turn": 1}))
    for page in (keza, ineza):
        page.reload()
    fourth = keza.locator("#hand li").nth(3).locator("button, summary")
    settle(keza)
    tab_to(fourth)
    keza.evaluate("scrollTo(0, 40)")
    scrolled = keza.evaluate("scrollY")
    press(ineza.locator("#hand-KH > button"))  # Keza's turn: cards become playable, or a choice
    wait_for_version(keza, version(ineza))
    expect(keza.locator("#table.mine")).to_be_attached()
    focused = "document.activeElement.closest('.hand > li:nth-child(4)') !== null"
    assert keza.evaluate(focused)
    assert keza.evaluate("scrollY") == scrolled
    keza.evaluate("dispatchEvent(new Event('online'))")  # reads the table again
    keza.wait_for_function(focused)

    jack = keza.locator("#choice-JC")
    tab_to_before(keza, jack.locator("summary"))
    keza.keyboard.press("Enter")
    tab_to(jack.locator("[value=D]"))
    before = version(keza)
    poke(game_id)
    keza.evaluate("dispatchEvent(new Event('online'))")  # reads the table again
    wait_for_version(keza, before + 1)
    expect(jack).to_have_attribute("open", "")
    assert jack.locator("[value=D]").evaluate(HAS_FOCUS)


@beside_the_browser()
def poke(game_id: str) -> None:
    """Let the table be at its next version, as if something had changed that nobody sees."""
    game = Game.objects.get(pk=game_id)
    Game.objects.filter(pk=game_id).update(version=game.version + 1)


def test_b70_whoever_plays_a_card_is_at_its_neighbour(new_page):
    keza, game_id = table_of_two(new_page, "matatu/rwanda")
    hand = ["9S", "9H", "9D", "KC"]
    laid(keza, game_id, MATATU, top="9C", under=["6H"], hands=[hand, ["KD", "QS"]])
    neighbour = keza.locator("#hand li").nth(2)
    expected = neighbour.get_attribute("id")
    strike(keza.locator("#hand li").nth(1).locator("button"))
    expect(keza.locator("#hand li")).to_have_count(len(hand) - 1)
    place = "document.activeElement.closest('.hand > li')?.id"
    assert keza.evaluate(place) == expected


def test_b70_a_double_tap_on_a_slow_line_plays_once(new_page):
    keza, game_id = table_of_two(new_page, "matatu/rwanda")
    laid(keza, game_id, MATATU, top="9C", under=["6H"], hands=[["9S", "9H", "9D"], ["KD", "QS"]])
    held = []
    keza.route("**/moves/", lambda route: held.append(route) or None)
    settle(keza)
    before = moves_made()
    tab_to(keza.locator("#hand li").first.locator("button"))
    for _ in range(2):
        keza.keyboard.press("Enter")
    expect(keza.locator("[data-busy]")).to_be_attached()
    shown = version(keza)
    for route in held:
        route.continue_()
    wait_for_version(keza, shown + 1)
    settle(keza)
    assert len(held) == 1
    assert moves_made() == before + 1


# --- What is read out -----------------------------------------------------------------------------

OTHER_DRAWS = re.compile("^Ineza draws")


@pytest.mark.parametrize("voice", ["all", "mine", "turn"])
def test_as_much_is_read_out_as_wanted(new_page, voice):
    keza, ineza = new_page(), new_page()
    log_in(keza, "Keza")
    log_in(ineza, "Ineza")
    join(ineza, open_table(keza, "matatu/rwanda", pace="2m"))
    expect(keza.locator("#table.playing")).to_be_attached()
    game_id = keza.url.rstrip("/").split("/")[-1]
    keza.goto("/en/accounts/settings/")
    keza.check(f"[name=voice][value={voice}]")
    follow(keza, "main form button.go")
    hands = [["KC", "QD"], ["2H", "5C", "8C"]]
    lay_out(game_id, whole(MATATU | {"hands": hands, "turn": 1}))
    keza.goto(f"/en/games/{game_id}/")
    ineza.reload()
    press(ineza.locator("#hand-2H > button"))
    wait_for_version(keza, version(ineza))
    told = keza.locator("#live p")
    expect(told.last).to_have_text("Penalty: 2 cards")
    first = {"all": ["Ineza plays: Two of hearts"], "mine": [], "turn": []}[voice]
    top = [] if voice == "all" else ["Top card: Two of hearts"]
    assert told.all_inner_texts() == [*first, "It is your turn!", *top, "Penalty: 2 cards"]
    press(keza.locator("#hand .actions [value=draw]"))
    expect(keza.locator("#table.mine")).to_have_count(0)
    after = {"all": ["You draw 2 cards.", "Ineza to play"], "mine": ["You draw 2 cards."]}
    if voice in after:
        expect(told).to_have_text(after[voice])
    assert not has_turn(keza)
