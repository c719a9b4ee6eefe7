"""How tests play in a browser: by what a person sees and presses."""

import re
import time
from datetime import timedelta

from playwright.sync_api import Locator, Page, expect

from games import rules
from games.models import ClockOffset, Game
from tests.live import beside_the_browser

PASSWORD = "a long pass phrase"
TURN = re.compile("mine")


def sign_up(page: Page, name: str, language: str = "en", then: str = "") -> None:
    """Make an account by the form, and land on the page `then` or on my games."""
    page.goto(f"/{language}/accounts/signup/" + (f"?next={then}" if then else ""))
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.click("main form button[type=submit], main form button:not([type])")
    expect(page.locator("main [name=password1]")).to_have_count(0)


def open_table(
    page: Page,
    game: str = "matatu/rwanda",
    language: str = "en",
    *,
    bots: int = 0,
    **choices: str,
) -> str:
    """Open a table by the form, with these choices; return the link to share, as the page shows it.

    With the last bot a table may be full: then the game has begun, and the link is "".
    """
    page.goto(f"/{language}/lobbies/new/")
    page.click(f".presets a[href='?game={game}']")
    for name, value in choices.items():
        page.select_option(f"[name={name}]", value)
    page.click("main form button.go")
    link = page.locator("input[readonly]").input_value()
    for number in range(bots):
        page.click(".bots [value=easy]")
        expect(page.locator(f"#seat-{number + 1}.empty")).to_have_count(0)
    return link if page.locator("#table.waiting").count() else ""


def put_clock_forward(seconds: float) -> None:
    """Put the clock of the live site forward, for every one of its processes."""
    with beside_the_browser():
        row, _ = ClockOffset.objects.get_or_create()
        ClockOffset.objects.update(offset=row.offset + timedelta(seconds=seconds))


def join(page: Page, link: str) -> None:
    """Take a seat by the link, and see the table."""
    page.goto(link)
    page.click("main form button")
    expect(page.locator("#table")).to_be_attached()


def sit_down(host: Page, *guests: Page, seats: int = 0, game: str = "matatu/rwanda") -> None:
    """Sign all up and bring them to a table of the host's, which begins when it is full."""
    sign_up(host, "Keza")
    link = open_table(host, game, seats=str(seats or max(2, len(guests) + 1)))
    expect(host.locator("#link")).to_have_attribute("data-state", "on")
    for guest, name in zip(guests, ("Ineza", "Mugisha", "Uwase"), strict=False):
        sign_up(guest, name)
        join(guest, link)


def in_turn(*pages: Page) -> Page:
    """Return the page of the person whose turn it is, once the game has begun."""
    expect(pages[0].locator("#table.playing")).to_be_attached()
    return next(page for page in pages if has_turn(page))


@beside_the_browser()
def let_the_next_card_fit() -> None:
    """Cut the stock of the one game there is, so that who draws now may lay or keep the card."""
    game = Game.objects.get()
    state = game.position()
    for at in range(len(state.stock)):
        turned = state._replace(stock=state.stock[at:] + state.stock[:at])
        if rules.apply(turned, state.turn, rules.Move("draw"))[0].phase == "drawn":
            Game.objects.update(state=turned.to_json())
            return
    raise AssertionError("no card fits")


def version(page: Page) -> int:
    """Return the version of the table that the page shows."""
    return int(page.locator("#table").get_attribute("data-version"))


def is_over(page: Page) -> bool:
    """Return whether the page shows the end of the game."""
    return page.locator("#table.finished").count() == 1


def has_turn(page: Page) -> bool:
    """Return whether the page says that it is this person's turn."""
    return page.locator("#table.mine").count() == 1


def make_a_move(page: Page) -> None:
    """Lay the first card that may be laid, else draw, else pass; wait until the answer shows."""
    plain = page.locator("#hand li.ok > button")
    choices = page.locator("#hand li.ok > details")
    settle(page)
    if plain.count():
        press(plain.first)
    elif choices.count():
        choices.first.locator("summary").click()
        press(choices.first.locator("form button").first)
    elif page.locator("#hand .actions [value=draw]").count():
        press(page.locator("#hand .actions [value=draw]"))
    else:
        press(page.locator("#hand .actions [value=pass]"))


def press(button: Locator) -> None:
    """Press a button of a table; wait until its answer shows and the page takes the next press.

    Without the script the answer is another page.
    """
    page = button.page
    if page.locator("html.js").count():
        settle(page)
        button.click()
        settle(page)
    else:
        with page.expect_navigation():
            button.click()


def settle(page: Page) -> None:
    """Wait until nothing is on its way and the page takes a press again."""
    expect(page.locator("[data-busy]")).to_have_count(0)


def seconds_until(page: Page, wanted: int, patience: float = 10) -> float:
    """Wait for a version on a page; return how long that took."""
    begun = time.monotonic()
    expect(page.locator(f"#table[data-version='{wanted}']")).to_be_attached(timeout=patience * 1000)
    return time.monotonic() - begun


def resign(page: Page) -> None:
    """Resign, with the confirmation."""
    page.click("#resign > summary")
    page.click("#resign button")
