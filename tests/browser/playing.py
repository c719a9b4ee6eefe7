"""How tests play in a browser: by what a person sees and presses.

A press is followed by waiting for what it leads to, never by a look at once: on a slow machine the
answer takes seconds. Where the table has more than one page, :func:`by_turn` first waits until all
of them show the same.
"""

import functools
import re
import time
from datetime import timedelta

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from accounts.channels import HOOK, PUSH
from accounts.models import Endpoint, User
from games import rules
from games.models import ClockOffset, Game
from tests.live import beside_the_browser
from tests.operators import prove

PASSWORD = "a long pass phrase"
MY_TURN = re.compile(r"\bmine\b")
# Cards that may be laid, those that need a choice too; else what else there is to do.
MOVES = "#hand li.ok > :is(button, details), #hand .actions :is([value=draw], [value=pass])"
IS_AT = "least => document.getElementById('table')?.dataset.version >= least"


def fits(page: Page) -> bool:
    """Return whether nothing of the page lies beyond the right edge of the screen."""
    return page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


# --- People and tables ----------------------------------------------------------------------------


def sign_up(page: Page, name: str, language: str = "en") -> None:
    """Make an account by the form, and land on my games."""
    page.goto(f"/{language}/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    follow(page, "main form button[type=submit], main form button:not([type])")
    expect(page.locator("main [name=password1]")).to_have_count(0)


@functools.cache
def _hashed() -> str:
    return make_password(PASSWORD)


@beside_the_browser()
def _session_of_a_new(name: str, language: str) -> str:
    client = Client()
    client.force_login(User.objects.create(name=name, password=_hashed(), language=language))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def log_in(page: Page, name: str, language: str = "en", domain: str = "127.0.0.1") -> None:
    """Make an account past the form, in a third of the time, and log this browser in."""
    _let_in(page, _session_of_a_new(name, language), domain)


def enter_the_admin(page: Page, name: str, language: str = "en") -> None:
    """Sign a new moderator in, who has shown a second factor."""
    _let_in(page, _session_of_a_moderator(name, language), "127.0.0.1")


def _let_in(page: Page, session: str, domain: str) -> None:
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session}
    page.context.add_cookies([{**cookie, "domain": domain, "path": "/"}])


@beside_the_browser()
def _session_of_a_moderator(name: str, language: str) -> str:
    client = Client()
    prove(client, User.objects.create(name=name, is_staff=True, language=language))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@beside_the_browser()
def give_factors(name: str) -> None:
    """Give somebody a passkey, an authenticator app and spare codes."""
    person = User.objects.get(name=name)
    data = {"name": "Samsung Galaxy A05", "credential": {}}
    Authenticator.objects.create(user=person, type=Authenticator.Type.WEBAUTHN, data=data)
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(person)


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
    follow(page, f".presets a[href='?game={game}']")
    for name, value in choices.items():
        page.select_option(f"[name={name}]", value)
    follow(page, "main form button.go")
    link = page.locator("input[readonly]").input_value()
    for number in range(bots):
        follow(page, ".bots [value=easy]")
        expect(page.locator("#table")).to_be_attached()
        expect(page.locator(f"#seat-{number + 1}.empty")).to_have_count(0)
    return link if page.locator("#table.waiting").count() else ""


def join(page: Page, link: str) -> None:
    """Take a seat by the link, and see the table."""
    page.goto(link)
    follow(page, "main form button.go")
    expect(page.locator("#table")).to_be_attached()


def sit_down(host: Page, *guests: Page, seats: int = 0, game: str = "matatu/rwanda") -> None:
    """Bring new people to a table of the host's, which begins when it is full."""
    log_in(host, "Keza")
    link = open_table(host, game, seats=str(seats or max(2, len(guests) + 1)))
    expect(host.locator("#link")).to_have_attribute("data-state", "on")
    for guest, name in zip(guests, ("Ineza", "Mugisha", "Uwase"), strict=False):
        log_in(guest, name)
        join(guest, link)


@beside_the_browser()
def name_places(name: str) -> None:
    """Let somebody have two devices, one of which does not answer any more, and a webhook."""
    places = User.objects.get(name=name).endpoints
    for number, refused in enumerate((0, Endpoint.PATIENCE)):
        address = f"https://fcm.googleapis.com/{name}/{number}"
        places.create(channel=PUSH, address=address, refused=refused)
    places.create(channel=HOOK, address="https://example.org/hook", secret="whsec_" + "x" * 32)


# --- The clock and the cards ----------------------------------------------------------------------


def put_clock_forward(seconds: float) -> None:
    """Put the clock of the live site forward, for every one of its processes."""
    with beside_the_browser():
        row, _ = ClockOffset.objects.get_or_create()
        ClockOffset.objects.update(offset=row.offset + timedelta(seconds=seconds))


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


# --- What a page shows ----------------------------------------------------------------------------


def version(page: Page) -> int:
    """Return the version of the table that the page shows."""
    return int(page.locator("#table").get_attribute("data-version"))


def is_over(page: Page) -> bool:
    """Return whether the page shows the end of the game."""
    return page.locator("#table.finished").count() == 1


def has_turn(page: Page) -> bool:
    """Return whether the page says that it is this person's turn."""
    return page.locator("#table.mine").count() == 1


def wait_for_version(page: Page, least: int) -> None:
    """Wait until a page, by its script, shows this version or a newer one."""
    page.wait_for_function(IS_AT, arg=least)


def seconds_until(page: Page, least: int) -> float:
    """Wait for a version on a page; return how long that took."""
    begun = time.monotonic()
    wait_for_version(page, least)
    return time.monotonic() - begun


def by_turn(*pages: Page) -> list[Page]:
    """Return the pages of a game, whose turn it is first, once all of them show the same."""
    for page in pages:
        expect(page.locator("#table:is(.playing, .finished)")).to_be_attached()
    newest = max(version(page) for page in pages)
    for page in pages:
        wait_for_version(page, newest)
    return sorted(pages, key=has_turn, reverse=True)


def in_turn(*pages: Page) -> Page:
    """Return the page of the person whose turn it is, once the game has begun."""
    first = by_turn(*pages)[0]
    expect(first.locator("#table")).to_have_class(MY_TURN)
    return first


# --- What a person does ---------------------------------------------------------------------------


def follow(page: Page, selector: str) -> None:
    """Press what leads to another page, and wait for that page."""
    with page.expect_navigation():
        page.click(selector)


def settle(page: Page) -> None:
    """Wait until no answer is on its way and the page takes a press again."""
    expect(page.locator("[data-busy]")).to_have_count(0)


def press(button: Locator) -> None:
    """Press a button that moves the table on, and wait until that shows.

    Without the script the answer is another page.
    """
    page = button.page
    if page.locator("html.js").count():
        settle(page)
        before = version(page)
        button.click()
        wait_for_version(page, before + 1)
    else:
        with page.expect_navigation():
            button.click()


def make_a_move(page: Page) -> None:
    """Lay the first card that may be laid, else draw, else pass, and wait until that shows.

    What is first is looked up when it is pressed, so a table that changes meanwhile (a bot catches
    somebody, a late answer) does no harm. Who has lost the turn meanwhile does nothing.
    """
    settle(page)
    if not has_turn(page):
        return
    first = page.locator(MOVES).first
    if first.evaluate("node => node.localName") == "details":
        first.locator("summary").click()
        first = page.locator(".choice[open] form button").first
    press(first)


def resign(page: Page) -> None:
    """Resign, with the confirmation."""
    page.click("#resign > summary")
    page.click("#resign button")


def freeze(page: Page) -> None:
    """Stop the clock of a page: it learns only what it is told or asks for at once.

    Without its looks at regular times, however slow the machine. The clock jumps a little, and by
    less than a quiet line may be silent.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
