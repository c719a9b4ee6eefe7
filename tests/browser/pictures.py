"""A picture of every page and every state of a table: ``make screenshots``.

No test by its name, so that the suite does not take it: pytest only lends its site and browser.
The pictures go to var/screenshots/LANGUAGE/PAGE-WIDTH-SCHEME.png, and beside them as sheets.
``make screenshots ARGS="-k rw"`` makes those of one language; the environment narrows the rest:
``WIDTHS=360 SCHEMES=dark PAGES="table,lobby"`` (parts of the names).
"""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from urllib.parse import quote

from django.core import mail
from PIL import Image
from playwright.sync_api import Page, expect

from accounts import moderation, ties
from accounts.models import Measure, Report, User
from accounts.tasks import deliver_notices
from games import rules, services
from games.models import Game
from tests.browser.playing import (
    PASSWORD,
    enter_the_admin,
    follow,
    give_factors,
    join,
    log_in,
    name_places,
    open_table,
    resign,
    settle,
)
from tests.browser.test_accessible import public_code, public_table
from tests.browser.test_every_page import crowded
from tests.browser.test_special_states import MATATU, MAU_MAU, STATES, lay_out
from tests.conftest import OUTPUT
from tests.live import beside_the_browser

PICTURES = OUTPUT.parent / "screenshots"
HEIGHTS = {360: 740, 768: 1024, 1280: 800}
WIDTHS = [int(each) for each in os.environ.get("WIDTHS", "360 768 1280").split()]
SCHEMES = os.environ.get("SCHEMES", "light dark").split()
WANTED = os.environ.get("PAGES", "").split(",")  # parts of names of pictures
SHEET, COLUMN = (1458, 1500), 360  # pixels: a sheet, and the width of a picture on it

FOR_EVERYBODY = {
    "home": "",
    "sign up": "accounts/signup/",
    "log in": "accounts/login/",
    "forgotten password": "accounts/password/reset/",
    "coming back": "accounts/recover/",
    "open tables": "lobbies/",
    "languages": "languages/",
    "privacy": "about/privacy/",
    "terms": "about/terms/",
    "imprint": "about/imprint/",
    "rules": "rules/",
    "rules of matatu": "rules/matatu/",
    "rules of matatu uganda joker": "rules/matatu/uganda_joker/",
    "rules of mau-mau": "rules/mau-mau/",
    "rules of mau-mau mau": "rules/mau-mau/mau/",
    "first game matatu": "rules/matatu/first-game/",
    "first game mau-mau": "rules/mau-mau/first-game/",
    "wrong code": "join/?code=BCDFGH",
    "not found": "nothing/",
    "without a line": "offline/",
}
OF_A_PERSON = {
    "my games": "games/",
    "inbox": "accounts/inbox/",
    "notices": "accounts/notices/",
    "notices sent": "accounts/notices/sent/",
    "settings": "accounts/settings/",
    "addresses": "accounts/email/",
    "change password": "accounts/password/change/",
    "log out": "accounts/logout/",
    "delete": "accounts/delete/",
    "browsers": "accounts/sessions/",
    "recovery code": "accounts/recovery/",
    "ways to sign in": "accounts/2fa/",
    "accounts elsewhere": "accounts/3rdparty/",
    "new table": "lobbies/new/",
}


def _is_wanted(name: str) -> bool:
    return any(part in name for part in WANTED)


def test_pictures(new_page, language):
    """Take all pictures in this language."""
    camera = Camera(language)
    of_people = (of_everybody, of_a_guest, of_a_person, of_factors)
    of_others = (of_friends, of_moderation, of_lobbies, of_quick_games, of_a_series)
    for take in (*of_people, *of_others, of_tables, of_a_crowd, of_an_end, of_mails):
        _forget_everybody()
        take(camera, new_page)
    camera.make_sheets()
    assert camera.taken


class Camera:
    """Takes what a page shows in each width and scheme."""

    def __init__(self, language: str) -> None:
        """Put the pictures of this language into a folder of their own."""
        self.language, self.folder, self.taken = language, PICTURES / language, 0
        self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str) -> None:
        """Take what this page shows now, by this name."""
        if not _is_wanted(name):
            return
        for width, scheme in product(WIDTHS, SCHEMES):
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            page.emulate_media(color_scheme=scheme)
            path = self.folder / f"{name.replace(' ', '_')}-{width}-{scheme}.png"
            page.screenshot(path=path, full_page=True)
            self.taken += 1

    def visit(self, page: Page, addresses: dict[str, str]) -> None:
        """Take these pages, each by its name."""
        for name, address in addresses.items():
            if _is_wanted(name):
                page.goto(f"/{self.language}/{address}")
                self.take(page, name)

    def make_sheets(self) -> None:
        """Lay the pictures of one width and scheme side by side."""
        for width, scheme in product(WIDTHS, SCHEMES):
            paths = sorted(self.folder.glob(f"*-{width}-{scheme}.png"))
            for number, sheet in enumerate(_sheets(paths), 1):
                sheet.save(PICTURES / f"sheet-{self.language}-{width}-{scheme}-{number}.png")


def _sheets(paths: list[Path]) -> Iterator[Image.Image]:
    """Sheets with columns of pictures; what is too high for one goes on in the next."""
    (width, height), gap = SHEET, 6
    sheet, x, y = Image.new("RGB", SHEET, "grey"), 0, 0
    for path in paths:
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((COLUMN, picture.height))
        for top in range(0, picture.height, height):
            part = picture.crop((0, top, picture.width, min(top + height, picture.height)))
            if y + part.height > height:
                x, y = x + part.width + gap, 0
            if x + part.width > width:
                yield sheet
                sheet, x, y = Image.new("RGB", SHEET, "grey"), 0, 0
            sheet.paste(part, (x, y))
            y += part.height + gap
    yield sheet


# --- What there is to see -------------------------------------------------------------------------

NewPage = Callable[..., Page]


def of_everybody(camera: Camera, new_page: NewPage) -> None:
    """What needs no account, and what is refused there."""
    page = new_page()
    camera.visit(page, FOR_EVERYBODY)
    page.goto(f"/{camera.language}/accounts/signup/")
    page.fill("[name=username]", "a")
    page.fill("[name=password1]", "123")
    page.evaluate("document.querySelector('main form').noValidate = true")
    follow(page, "main form button[type=submit], main form button:not([type])")
    camera.take(page, "sign up refused")
    page.goto(f"/{camera.language}/accounts/login/")
    page.fill("[name=login]", "Nobody")
    page.fill("[name=password]", "a wrong one")
    follow(page, "main form button[type=submit], main form button:not([type])")
    camera.take(page, "log in refused")


def of_a_person(camera: Camera, new_page: NewPage) -> None:
    """What somebody sees who is new, and the form with its house rules."""
    page = new_page()
    log_in(page, "Thandeka kaMkhize", camera.language)
    camera.visit(
        page, {f"{name} of one who is new": OF_A_PERSON[name] for name in ("my games", "inbox")}
    )
    camera.visit(page, {name: OF_A_PERSON[name] for name in OF_A_PERSON if name[0] not in "mi"})
    page.goto(f"/{camera.language}/lobbies/new/?game=maumau/mau")
    page.click(".options summary")
    camera.take(page, "new table with house rules")


def of_factors(camera: Camera, new_page: NewPage) -> None:
    """The ways to sign in beside a password, and what is asked on the way."""
    page = new_page()
    log_in(page, "Thandeka kaMkhize", camera.language)
    page.goto(f"/{camera.language}/accounts/2fa/totp/activate/")
    camera.take(page, "is it you")
    page.fill("[name=password]", PASSWORD)
    follow(page, "main form button.go")
    camera.take(page, "authenticator app")
    camera.visit(page, {"new passkey": "accounts/2fa/webauthn/add/"})
    give_factors("Thandeka kaMkhize")
    camera.visit(page, {"ways to sign in, all": "accounts/2fa/"})
    camera.visit(page, {"spare codes": "accounts/2fa/recovery-codes/"})
    page = new_page()
    camera.visit(page, {"sign up without a password": "accounts/signup/without-password/"})
    page.goto(f"/{camera.language}/accounts/login/code/")
    camera.take(page, "code by mail")
    page.fill("[name=email]", "thandeka@example.org")
    follow(page, "main form button.go")
    camera.take(page, "code by mail sent")


def of_a_guest(camera: Camera, new_page: NewPage) -> None:
    """What somebody sees who plays by a name alone."""
    page = new_page()
    camera.visit(page, {"play now as a guest": "play/"})
    public_table()
    camera.visit(page, {"invitation to a guest": f"join/{public_code()}/"})
    page.goto(f"/{camera.language}/play/")
    follow(page, "main form button[value=matatu]")
    pages = {"keeping games": "password/set", "signing out": "logout", "deleting": "delete"}
    camera.visit(page, {f"{name} as a guest": f"accounts/{path}/" for name, path in pages.items()})
    page.goto(f"/{camera.language}/accounts/recovery/")
    follow(page, "main form button.go")
    camera.take(page, "recovery code made")


def of_moderation(camera: Camera, new_page: NewPage) -> None:
    """What is said against somebody, what a moderator sees and decides, and what is told of it."""
    page = new_page()
    log_in(page, "Mutesi", camera.language)
    log_in(new_page(), "Ndi umwami", camera.language)
    camera.visit(page, {"report": f"report/{quote('Ndi umwami')}/"})
    with beside_the_browser():
        mutesi, king = (User.objects.get(name=name) for name in ("Mutesi", "Ndi umwami"))
        moderation.report(mutesi, king, Report.Kind.NAME, note="It is not one's name.")
        moderation.report(king, mutesi, Report.Kind.TROUBLE)
        mute = moderation.Deed(Measure.Kind.MUTE, "Many people were asked.", timedelta(7))
    moderator = new_page()
    enter_the_admin(moderator, "Mo", camera.language)
    for name, path in {"queue": "report/", "decision": "measure/add/"}.items():
        moderator.goto(f"/admin/accounts/{path}")
        camera.take(moderator, f"admin {name}")
    with beside_the_browser():
        moderation.act(User.objects.get(name="Mo"), mutesi, mute)
    camera.visit(page, {"inbox with a decision": "accounts/inbox/"})
    camera.visit(page, {"decided about me": "accounts/measures/"})


def of_friends(camera: Camera, new_page: NewPage) -> None:
    """The page about friends, with somebody in each part of it."""
    page = new_page()
    log_in(page, "Mutesi", camera.language)
    camera.visit(page, {"friends of nobody": "friends/"})
    with beside_the_browser():
        names = ("Nyiramahirwe wa Musanze", "Themba", "Lindiwe", "Karl-Heinz", "Sipho")
        mutesi = User.objects.get(name="Mutesi")
        friend, asking, asked, blocked, lately = map(User.objects.create_user, names)
        ties.ask(friend, mutesi)
        ties.ask(mutesi, friend)
        ties.ask(asking, mutesi)
        ties.ask(mutesi, asked)
        ties.block(mutesi, blocked)
        game = services.create(mutesi, services.Terms("matatu", "rwanda", 2))
        services.join(lately, game.pk)
    camera.visit(page, {"friends": "friends/", "my games with a question": "games/"})
    open_table(page, "maumau/mau", camera.language)
    camera.take(page, "lobby with friends")


def of_lobbies(camera: Camera, new_page: NewPage) -> None:
    """Tables that wait, for their host, for who is invited, and in the list."""
    alice, bob = new_page(), new_page()
    log_in(alice, "Nyiramahirwe Uwimana", camera.language)
    log_in(bob, "Bob", camera.language)
    link = open_table(alice, "maumau/mau", camera.language, bots=1, seats="4", pace="1d")
    camera.take(alice, "lobby of the host")
    alice.click("#qr summary")
    camera.take(alice, "lobby with its code for phones")
    bob.goto(link)
    camera.take(bob, "invitation")
    follow(bob, "main form button.go")
    camera.take(bob, "lobby of a guest")
    public_table()
    camera.visit(alice, {"open tables with one": "lobbies/"})
    camera.visit(alice, {"invitation to a public table": f"join/{public_code()}/"})


def of_quick_games(camera: Camera, new_page: NewPage) -> None:
    """Looking for players, by oneself and while another waits."""
    page, other = new_page(), new_page()
    camera.visit(page, {"quick game of nobody": "quick/"})
    log_in(page, "Nyiramahirwe Uwimana", camera.language)
    log_in(other, "Bob", camera.language)
    page.goto(f"/{camera.language}/quick/")
    page.select_option("select[name=seats]", "3")
    follow(page, "main .stack button.go")
    camera.take(page, "quick game awaited")
    other.goto(f"/{camera.language}/quick/")
    camera.take(other, "quick game with another")
    other.select_option("select[name=seats]", "4")
    follow(other, "main .stack button.quiet")
    camera.take(other, "quick game awaited without bots")


def of_a_series(camera: Camera, new_page: NewPage) -> None:
    """A series when its first game is over, amid its second, and when it is won."""
    alice = new_page()
    log_in(alice, "Uwase Marie Claire", camera.language)
    with beside_the_browser():
        winner, loser = User.objects.get(), User.objects.create_user("Themba")
        terms = services.Terms("matatu", "rwanda", 2, pace="1d", series="wins", length=3)
        game_id = services.create(winner, terms).pk
        services.join(loser, game_id)
    for name in ("first", "second"):
        with beside_the_browser():
            services.act(loser, game_id, rules.Move("resign"), 1)
        camera.visit(alice, {f"series after the {name} game": f"games/{game_id}/"})
        with beside_the_browser():
            services.rematch(loser, game_id)
            game_id = services.rematch(winner, game_id)
        camera.visit(alice, {f"series, game after the {name}": f"games/{game_id}/"})


def of_tables(camera: Camera, new_page: NewPage) -> None:
    """The table in each state, its rules, and who plays at it elsewhere."""
    tables = {}
    alice, bob = new_page(), new_page()
    log_in(alice, "Uwase Marie Claire", camera.language)
    log_in(bob, "Themba", camera.language)
    for preset in ("matatu/rwanda", "maumau/mau"):
        join(bob, open_table(alice, preset, camera.language, bots=1, seats="3", pace="2m"))
        expect(bob.locator("#table.playing")).to_be_attached()
        tables[preset.split("/")[0]] = _id_on(bob)
    refused = {
        "refused": (MATATU, "#hand li:not(.ok) button", "#refusal"),
        "resigning": (MAU_MAU, "#resign summary", "#resign button"),
    }
    for name, (position, press, sign) in (STATES | refused).items():
        lay_out(tables[position["game"]], position)
        alice.goto(f"/{camera.language}/games/{tables[position['game']]}/")
        if press:
            alice.click(press)
        expect(alice.locator(sign).first).to_be_visible()
        settle(alice)
        camera.take(alice, f"table {name}")
    camera.visit(
        alice, {f"table's rules {game}": f"games/{pk}/rules/" for game, pk in tables.items()}
    )
    _deliver()
    name_places("Uwase Marie Claire")
    names = ("my games", "inbox", "notices", "notices sent")
    camera.visit(alice, {name: OF_A_PERSON[name] for name in names})


def of_a_crowd(camera: Camera, new_page: NewPage) -> None:
    """Six seats and twenty cards."""
    page = new_page()
    log_in(page, "Carol", camera.language)
    camera.visit(page, {"table crowded": f"games/{crowded('matatu', 'first_steps', 20)}/"})


@beside_the_browser()
def _forget_everybody() -> None:
    Game.objects.all().delete()
    User.objects.all().delete()


def of_an_end(camera: Camera, new_page: NewPage) -> None:
    """A game that is over, step by step too."""
    alice, bob = new_page(), new_page()
    log_in(alice, "Keza", camera.language)
    log_in(bob, "Ineza", camera.language)
    join(bob, open_table(alice, "matatu/rwanda", camera.language))
    resign(alice)
    alice.wait_for_selector("#table.finished")
    camera.take(alice, "table resigned")
    camera.visit(alice, {"replay": f"games/{_id_on(alice)}/replay/", "player": "players/Keza/"})


def _id_on(page: Page) -> str:
    return page.url.rstrip("/").split("/")[-1]


def of_mails(camera: Camera, new_page: NewPage) -> None:
    """The mail about a turn, as it is read: as text and as a page."""
    page, (text, html) = new_page(), _mail(camera.language)
    page.set_content(f"<pre style='white-space: pre-wrap'>{text}</pre>")
    camera.take(page, "mail")
    page.set_content(html)
    camera.take(page, "mail as a page")


@beside_the_browser()
def _deliver() -> None:
    deliver_notices()


@beside_the_browser()
def _mail(language: str) -> tuple[str, str]:
    """Subject and text of the mail that tells somebody of a turn, and its HTML."""
    people = [
        User.objects.create(
            name=name,
            email=f"{name}@example.org",
            language=language,
            quiet_from=0,
            quiet_until=0,
        )
        for name in ("Mugisha", "Gasore")
    ]
    game = services.create(people[0], services.Terms("matatu", "rwanda", 2, pace="1d"))
    services.join(people[1], game.pk)
    mail.outbox = []
    deliver_notices()
    (sent, *_) = [each for each in mail.outbox if isinstance(each, mail.EmailMultiAlternatives)]
    return f"{sent.subject}\n\n{sent.body}", str(sent.alternatives[0][0])
