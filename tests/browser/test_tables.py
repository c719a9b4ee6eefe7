"""Tables of people and bots, from the list of open tables to the end of the game."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from config.local.processes import wait_until
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
    put_clock_forward,
    settle,
    version,
    wait_for_version,
)
from tests.live import beside_the_browser

BOT_WAITS = 6  # seconds, and a little more, after which a bot is to act whatever lies on the table
LAST_MOVE = 600


def has_turn_somewhere(page: Page, seat: str) -> bool:
    """Return whether the page says that it is the turn of the seat of this name."""
    return page.locator("[aria-current] .name", has_text=seat).count() == 1


def play_on(pages: list[Page]) -> bool:
    """Let whoever of these people has the turn move, else the bots; return whether it is over."""
    before = max(version(page) for page in pages)  # first: a bot may move while one looks around
    first = by_turn(*pages)[0]
    if is_over(first):
        return True
    if has_turn(first):
        make_a_move(first)
    else:
        put_clock_forward(BOT_WAITS)
    wait_for_version(first, before + 1)
    return False


def test_two_people_and_a_bot_play_mau_mau_in_two_languages(new_page):
    keza, thandeka = new_page(), new_page(viewport={"width": 360, "height": 740})
    log_in(keza, "Keza", "rw")
    log_in(thandeka, "Thandeka", "zu")
    link = open_table(keza, "maumau/mau", "rw", bots=1, seats="3")
    thandeka.goto(link.replace("/join/", "/zu/join/"))
    expect(thandeka.locator("main")).to_contain_text("Isikhathi sethuba ngalinye")
    follow(thandeka, "main form button.go")
    people = [keza, thandeka]
    for page, language in zip(people, ("rw", "zu"), strict=True):
        expect(page.locator("#table.playing")).to_be_attached()
        expect(page.locator("html")).to_have_attribute("lang", language)
    assert any(play_on(people) for _ in range(LAST_MOVE))
    for page in people:
        expect(page.locator("#table.finished")).to_be_attached()
        expect(page.locator(".places li")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    expect(keza.locator(".places")).to_contain_text("Robo 2")
    expect(thandeka.locator(".places")).to_contain_text("Bot 2")

    follow(keza, ".after button")
    expect(thandeka.locator(".after button")).to_have_text("Joyina umdlalo olandelayo")
    follow(thandeka, ".after button")
    for page in people:
        expect(page.locator("#table.playing")).to_be_attached()
    assert keza.url.split("/")[-2] == thandeka.url.split("/")[-2]


def test_one_of_two_people_vanishes_and_the_game_of_four_ends(new_page):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice, bots=2, seats="4", pace="30s"))
    expect(alice.locator("#table.playing")).to_be_attached()
    bob.context.close()
    was_replaced = False
    for _ in range(LAST_MOVE):
        if is_over(alice):
            break
        before = version(alice)
        awaited = has_turn_somewhere(alice, "Bob")
        replaced = alice.locator(".seat .status", has_text="a bot plays").count() == 1
        was_replaced = was_replaced or replaced
        if has_turn(alice):
            make_a_move(alice)
        elif awaited and not replaced:
            put_clock_forward(31)  # his time is up
        else:
            put_clock_forward(BOT_WAITS)
        wait_for_version(alice, before + 1)
    assert is_over(alice)
    assert was_replaced
    expect(alice.locator(".places li")).to_have_count(4)


def test_who_comes_back_takes_the_seat_back(new_page):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice, bots=0, pace="30s"))
    expect(alice.locator("#table.playing")).to_be_attached()
    for _ in range(LAST_MOVE):
        if alice.locator(".seat .status").count() or is_over(alice):
            break
        before = version(alice)
        if has_turn(alice):
            press(alice.locator("#hand .actions :is([value=draw], [value=pass])").first)
        else:
            put_clock_forward(31)
            wait_for_version(alice, before + 1)
    expect(alice.locator(".seat .status")).to_have_text("a bot plays")
    follow(bob, ".away button")
    expect(bob.locator(".away")).to_have_count(0)
    expect(alice.locator(".seat .status")).to_have_count(0)


def let_the_bot_move(shown: int, live_site) -> None:
    """Wait until the one game there is has moved on from this version, with the clock's help."""
    put_clock_forward(BOT_WAITS)
    with beside_the_browser():
        thinker = live_site.services["bots"].process
        assert wait_until(lambda: Game.objects.get().version > shown, thinker, seconds=30)


def test_a_whole_game_against_a_bot_without_a_script(new_page, live_site):
    alice = new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    log_in(alice, "Alice")
    assert open_table(alice, bots=1) == ""
    assert alice.locator("[role=timer]").count() == has_turn(alice)
    for _ in range(LAST_MOVE):
        if is_over(alice):
            break
        if has_turn(alice):
            make_a_move(alice)
        else:
            let_the_bot_move(version(alice), live_site)
            alice.reload()
    assert is_over(alice)
    follow(alice, ".after button")
    assert alice.locator("#table.playing").count() == 1


def test_a_game_over_a_line_that_breaks_again_and_again(new_page):
    luck = random.Random(11)
    alice, bob = new_page(), new_page()

    def cut_now_and_then(socket):
        server = socket.connect_to_server()
        server.on_message(
            lambda message: socket.close() if luck.random() < 0.4 else socket.send(message)
        )

    for page in (alice, bob):
        page.route_web_socket("**/ws/games/**", cut_now_and_then)
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice))
    for _ in range(LAST_MOVE):
        mover = by_turn(alice, bob)[0]
        if is_over(mover):
            break
        before = version(mover)
        make_a_move(mover)
        assert version(mover) == before + 1
    for page in (alice, bob):
        expect(page.locator("#table.finished")).to_be_attached()


def two_people_at_mau_mau(new_page) -> tuple[Page, Page]:
    """Return the pages of Alice and Bob, who have just been dealt their cards."""
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice, "maumau/mau", pace="2m"))
    expect(alice.locator("#table.playing")).to_be_attached()
    return alice, bob


CALLS = {
    "double tap": lambda page: page.locator(".plate[data-call]").dblclick(),
    "key": lambda page: page.keyboard.press("m"),
    "button": lambda page: page.click("#hand [value=mau]"),
}


@pytest.mark.parametrize("way", CALLS)
def test_mau_is_called_in_three_ways(new_page, way):
    alice, bob = two_people_at_mau_mau(new_page)
    for _ in range(LAST_MOVE):
        mover, other = by_turn(alice, bob)
        if mover.locator(".plate[data-call]").count() or is_over(mover):
            break
        make_a_move(mover)
    settle(mover)
    before = version(mover)
    CALLS[way](mover)
    expect(mover.locator(".plate .badge.mau")).to_be_visible()
    wait_for_version(other, before + 1)
    expect(other.locator(".seats .badge.mau")).to_be_visible()


def test_who_did_not_forget_mau_cannot_be_caught_by_double_tap_or_key(new_page):
    alice, bob = two_people_at_mau_mau(new_page)
    alice.locator(".seat[data-catch]").dblclick()
    expect(alice.locator("#refusal")).to_contain_text("Bob cannot be caught now.")
    bob.keyboard.press("c")
    expect(bob.locator("#refusal")).to_contain_text("Alice cannot be caught now.")


def test_the_mau_switch_is_remembered_from_table_to_table(new_page):
    alice, bob = two_people_at_mau_mau(new_page)
    for _ in range(LAST_MOVE):
        mover = by_turn(alice, bob)[0]
        switches = mover.locator(".actions [data-mau]")
        if switches.count() or is_over(mover):
            break
        make_a_move(mover)
    switches.check()
    mover.reload()
    expect(switches).to_be_checked()
    switches.uncheck()
    mover.reload()
    expect(switches).not_to_be_checked()


def test_the_clock_runs_down_and_the_counts_stay_right(new_page):
    alice, bob = new_page(), new_page()
    log_in(alice, "Alice")
    log_in(bob, "Bob")
    join(bob, open_table(alice, pace="2m"))
    mover, other = by_turn(alice, bob)
    for page in (mover, other):
        timer = page.locator("[role=timer]")
        expect(timer).to_have_text(re.compile(r"^Time left: [01]:\d\d$"))
        told = timer.inner_text()
        expect(timer).not_to_have_text(told)
        assert timer.inner_text() < told
    expect(mover).to_have_title("(1) It is your turn! · Matatu · Ikarita")
    expect(mover.locator("#turns span").first).to_have_text("1")
    expect(other.locator("#turns")).to_be_hidden()
    press(mover.locator("#hand .actions [value=draw]"))
    if mover.locator("#hand .actions [value=pass]").count():
        press(mover.locator("#hand .actions [value=pass]"))
    while has_turn(mover):
        make_a_move(mover)
    expect(other).to_have_title("(1) It is your turn! · Matatu · Ikarita")
    expect(mover.locator("#turns")).to_be_hidden()


def test_the_list_of_open_tables_changes_by_itself(new_page):
    alice, bob = new_page(), new_page(locale="de")
    log_in(alice, "Alice")
    bob.goto("/de/lobbies/")
    expect(bob.locator("#lobbies")).to_have_text("Im Moment ist kein Tisch offen.")
    alice.goto("/en/lobbies/new/")
    alice.check("[name=public][value='1']")
    follow(alice, "main form button.go")
    expect(bob.locator("#lobbies li.sheet")).to_have_count(1)
    expect(bob.locator("#lobbies")).to_contain_text("Besetzte Plätze: 1 von 2")
    alice.click("form[action$='/leave/'] button")
    expect(bob.locator("#lobbies li.sheet")).to_have_count(0)
