"""The line between table and site: forms after a live update, moves and answers that get lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.playing import (
    freeze,
    in_turn,
    join,
    let_the_next_card_fit,
    log_in,
    press,
    settle,
    sit_down,
    version,
    wait_for_version,
)

MY_GAMES = re.compile("/en/games/$")
SETTLE = 400  # ms, as in live.js


# --- Forms that what the socket pushed brings along -----------------------------------------------


def test_the_host_starts_after_somebody_came_in(new_page):
    host, guest = new_page(), new_page()
    sit_down(host, guest, seats=3)
    host.click("text=Start the game")
    expect(host.locator("#hand")).to_be_visible()
    expect(guest.locator("#hand")).to_be_visible()


@pytest.mark.parametrize("press", ["click", "dblclick"])
def test_the_host_leaves_after_somebody_came_in(new_page, press):
    host, guest = new_page(), new_page()
    sit_down(host, guest, seats=3)
    expect(host.locator("text=Start the game")).to_be_visible()
    getattr(host.locator("text=Leave the table"), press)()
    expect(host).to_have_url(MY_GAMES)
    expect(guest.locator("text=Host")).to_be_visible()


def test_the_last_one_leaves_and_comes_to_her_games(page):
    sit_down(page)
    page.click("text=Leave the table")
    expect(page).to_have_url(MY_GAMES)


def test_nothing_is_quicker_than_the_answer_to_a_form(page):
    """The socket closes and a reading would be a 404 while the answer is still on its way."""
    sit_down(page, seats=3)
    asked, held = [], []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.route("**/leave/", lambda route: held.append((route, route.fetch(max_redirects=0))))
    page.evaluate(
        "addEventListener('submit', () => setInterval(() => dispatchEvent(new Event('focus')), 99))"
    )
    page.locator("text=Leave the table").click(no_wait_after=True)
    while not held:
        page.wait_for_timeout(100)  # lets the handler of the route work
    page.wait_for_timeout(1000)  # something else would be asked now
    assert len(asked) == len(held) == 1
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(page).to_have_url(MY_GAMES)


def test_a_table_that_was_left_elsewhere_leads_to_my_games(page):
    sit_down(page, seats=3)
    elsewhere = page.context.new_page()
    elsewhere.goto(page.url)
    elsewhere.click("text=Leave the table")
    expect(elsewhere).to_have_url(MY_GAMES)
    expect(page).to_have_url(MY_GAMES)


# --- Moves ----------------------------------------------------------------------------------------


def test_a_move_whose_request_is_lost_is_sent_again_while_the_socket_lives(new_page):
    host, guest = new_page(), new_page()
    sit_down(host, guest)
    mine = in_turn(host, guest)
    lost = []

    def lose_two(route):
        lost.append(route)
        route.abort() if len(lost) <= 2 else route.continue_()

    mine.route("**/moves/", lose_two)
    before = version(mine)
    mine.locator(".actions [value=draw]").click()
    expect(mine.locator("#link")).to_have_text("Your move has not been sent yet.")
    wait_for_version(mine, before + 1)
    expect(mine.locator("#link")).to_have_text("Connected")
    assert len(lost) == 3


def test_a_move_whose_answer_is_lost_is_made_once_and_the_notice_goes(new_page):
    host, guest = new_page(), new_page()
    sit_down(host, guest)
    mine = in_turn(host, guest)
    lost = []

    def lose_the_first_answer(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    mine.route("**/moves/", lose_the_first_answer)
    before = version(mine)
    mine.locator(".actions [value=draw]").click()
    expect(mine.locator(f"#table[data-version='{before + 1}']")).to_be_attached()
    expect(mine.locator("#link")).to_have_text("Connected")
    expect(mine.locator(".refusal")).to_have_count(0)
    mine.reload()
    assert version(mine) == before + 1


def test_a_second_tap_does_not_hit_what_has_come_under_the_finger(new_page):
    """After drawing, "Keep the card" stands where "Draw a card" was."""
    host, guest = new_page(), new_page()
    for page in (host, guest):
        page.clock.install()  # the second tap comes in good time, however slow the machine
    sit_down(host, guest)
    mine = in_turn(host, guest)
    let_the_next_card_fit()
    before = version(mine)
    freeze(mine)
    tap(mine.locator(".actions [value=draw]"))
    wait_for_version(mine, before + 1)
    keep = mine.locator(".actions [value=pass]")
    mine.clock.run_for(SETTLE - 1)
    tap(keep)
    mine.clock.run_for(1)
    settle(mine)
    assert version(mine) == before + 1
    keep.click()
    wait_for_version(mine, before + 2)


def tap(button):
    """Touch the place where it stands, whatever is there."""
    box = button.bounding_box()
    button.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# --- What is said ---------------------------------------------------------------------------------


def test_the_title_of_the_page_follows_the_game(new_page):
    host, guest = new_page(), new_page()
    sit_down(host)
    expect(host).to_have_title("Waiting for players … · Matatu · Ikarita")
    link = host.locator("input[readonly]").input_value()
    log_in(guest, "Ineza")
    join(guest, link)
    mine = in_turn(host, guest)
    expect(mine).to_have_title("(1) It is your turn! · Matatu · Ikarita")
    let_the_next_card_fit()
    press(mine.locator(".actions [value=draw]"))
    press(mine.locator(".actions [value=pass]"))
    other = guest if mine is host else host
    expect(other).to_have_title("(1) It is your turn! · Matatu · Ikarita")
    expect(mine).to_have_title(re.compile("(Keza|Ineza) to play · Matatu · Ikarita"))


def test_each_thing_that_is_read_out_is_a_line_of_its_own(new_page):
    host, guest = new_page(), new_page()
    sit_down(host, guest)
    mine = in_turn(host, guest)
    mine.locator(".actions [value=draw]").click()
    headline = re.compile("to play|your turn")
    said = mine.locator("#live p")
    expect(said.first).to_have_text(re.compile("^You draw[^!]*$"))
    expect(said.nth(1)).to_have_text(headline)


@pytest.mark.parametrize("what", ["sending", "slow"])
def test_the_page_says_that_an_answer_takes_its_time(new_page, what):
    host, guest = new_page(), new_page()
    sit_down(host, guest)
    mover = in_turn(host, guest)
    held = []

    def hold(route):
        held.append(route)

    mover.route("**/moves/" if what == "sending" else "**/games/*/", hold)
    link = mover.locator("#link")
    if what == "sending":
        mover.locator(".actions [value=draw]").click()
    else:
        mover.evaluate("dispatchEvent(new Event('focus'))")
    expect(link).to_have_attribute("data-state", what)
    expect(link).to_have_text(link.get_attribute(f"data-{what}"))
    for route in held:
        route.continue_()
    expect(link).to_have_attribute("data-state", "on")


# --- Pages that are long in coming ----------------------------------------------------------------

WAITS = re.compile(r"\bwaits\b")


NOTE = """const root = document.documentElement;
    new MutationObserver(() => sessionStorage.seen += ` ${root.className}`)
        .observe(root, {attributeFilter: ["class"]});"""


RULES = ".bottom a[href$='/rules/']"


def test_a_page_that_is_long_in_coming_shows_where_it_will_stand(new_page):
    page = new_page(service_workers="block")  # it would ask beside the page's own line
    page.goto("/en/")
    page.evaluate(NOTE)
    slow = {"offline": False, "latency": 1_000, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.click(RULES)
    expect(page).to_have_url(re.compile("/en/rules/$"))
    assert WAITS.search(page.evaluate("sessionStorage.seen ?? ''"))
    expect(page.locator("html")).not_to_have_class(WAITS)
    expect(page.locator("h1")).to_be_visible()


def test_a_page_that_never_comes_gives_the_old_one_back(page):
    page.clock.install()
    page.goto("/en/")
    page.evaluate("addEventListener('click', event => event.preventDefault())")
    freeze(page)
    page.click(RULES)
    page.clock.run_for(300)
    expect(page.locator("html")).not_to_have_class(WAITS)
    page.clock.run_for(300)
    expect(page.locator("html")).to_have_class(WAITS)
    expect(page.locator(".hero h1")).to_be_hidden()
    page.clock.run_for(10_000)
    expect(page.locator("html")).not_to_have_class(WAITS)
    expect(page.locator(".hero h1")).to_be_visible()
