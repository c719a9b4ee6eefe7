"""Every address, asked by everybody: who is answered what.

`ADDRESSES` is the table: a line an address, the statuses of GET and then of POST, each for
strangers, guests, people who play elsewhere, moderators, operators, players of the table and its
host. What a moderator or an operator may see of a table is what anybody without a seat may. Each
address is asked anew of the same tables, those without a seat first, and they change nothing.
"""

import re
import zlib
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import mailing, moderation
from accounts.models import Endpoint, Report, User
from games import rules, services
from games.models import Game, MoveRecord, Seat
from tests.games.every_address import ADDRESSES
from tests.games.playing import first_move
from tests.operators import prove
from tests.passkeys import Passkey

ROLES = ("stranger", "guest", "elsewhere", "moderator", "operator", "player", "host")
WITHOUT_A_SEAT = ROLES[:5]
OF_THE_ADMIN = ("moderator", "operator")  # by a second factor
PHASES = ("waiting", "playing", "over")
PASSWORD = "a long pass phrase"
BY_THE_CODE = "join waiting"  # who knows it may sit down: that is what it is for


def _patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLPattern):
            if each.name:
                yield each.name, path
        elif each.app_name != "admin":
            yield from _patterns(each, path)


def _addresses() -> dict[str, str]:
    """Each address by its name, those of a table once a phase of a table."""
    found = {"admin": "admin/", "admin_of_a_game": "admin/games/game/<slug:game_id>/change/"}
    found |= {"admin_of_a_person": "admin/accounts/user/<int:person>/change/"}
    found |= {"admin_of_a_report": "admin/accounts/report/<int:report>/change/"}
    found |= {"admin_of_measures": "admin/accounts/measure/add/"}
    for name, path in _patterns(get_resolver()):
        at_a_table = "game_id" in path or ("<slug:code>" in path and "." not in path)
        for phase in PHASES if at_a_table else [""]:
            found[f"{name} {phase}".strip()] = path.replace("^", "").rstrip("$")
    return found


class Site:
    """Private tables in each phase, and somebody in each role."""

    def __init__(self) -> None:
        names = {"elsewhere": "Ineza", "player": "Bob", "host": "Keza"}
        create = User.objects.create_user
        self.people = {role: create(name, password=PASSWORD) for role, name in names.items()}
        self.people["guest"] = create("Imbuto")
        self.people["moderator"] = create("Moderator", password=PASSWORD, is_staff=True)
        self.people["operator"] = User.objects.create_superuser("Operator", password=PASSWORD)
        self.games = {phase: self._table() for phase in PHASES}
        services.create(self.people["elsewhere"], services.Terms("maumau", "mau", 2))
        for phase in PHASES[1:]:
            services.start(self.people["host"], self.games[phase].pk)
        self._end(self.games["over"])
        for game in self.games.values():
            game.refresh_from_db()
        place = {"channel": "webhook", "address": "https://keza.example/hook", "secret": "x"}
        self.place = Endpoint.objects.create(user=self.people["host"], **place)

        host, player = self.people["host"], self.people["player"]
        moderation.report(player, host, Report.Kind.NAME)
        self.report = Report.objects.get()
        made = Passkey().create({"publicKey": {"user": {"id": ""}, "challenge": ""}})
        data = {"name": "Phone", "credential": made}
        self.passkey = Authenticator.objects.create(user=host, type="webauthn", data=data)

    def _table(self) -> Game:
        terms = services.Terms("matatu", "rwanda", 3, {"cut": "off"}, pace="1d")
        game = services.create(self.people["host"], terms)
        services.join(self.people["player"], game.pk)
        return game

    def _end(self, game: Game) -> None:
        game.refresh_from_db()
        services.act(self.people["player"], game.pk, rules.Move("resign"), game.version)

    def path(self, address: str, pattern: str) -> str:
        """Fill an address in."""
        game = self.games.get(address.partition(" ")[2]) or self.games["over"]
        meant = {
            "game_id": game.pk,
            "code": game.code,
            "name": "Keza",
            "token": mailing.off_token(self.people["host"]),
            "pk": self.place.pk if "places" in pattern else self.passkey.pk,
            "person": self.people["host"].pk,
            "report": self.report.pk,
            "design": 1,
            "fingerprint": "0" * 16,
            "key": "0" * 22,
            "slug": "matatu",
            "preset": "rwanda",
            "page": "imprint",
            "uidb36": "1",
            "provider_id": "elsewhere",
        }
        named = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", pattern)
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(meant[found[1]]), named)

    def form(self, address: str) -> dict[str, object]:
        """Return what a form there would send."""
        name, _, phase = address.partition(" ")
        game = self.games.get(phase)
        sent: dict[str, dict[str, object]] = {
            "moves": self._move(game) if game else {},
            "add_bot": {"level": "easy"},
            "invite": {"name": "Ineza"},
            "remove": {"seat": self.seat_of_the_player(game)},
            "vote": {"vote": "wait"},
            "friends": {"do": "ask", "name": "Keza"},
            "quick": {"do": "stop"},
            "play_now": {"game": "matatu"},
            "set_language": {"language": "de", "next": "/"},
            "report_text": {"page": "/en/"},
            "lobby_new": {"game": "matatu/rwanda", "seats": "2"},
        }
        return sent.get(name, {})

    def seat_of_the_player(self, game: Game | None) -> int:
        return (
            next(iter(game.seats.filter(user=self.people["player"])), Seat(pk=0)).pk if game else 0
        )

    @staticmethod
    def _move(game: Game) -> dict[str, object]:
        if game.status != Game.Status.PLAYING:
            return {"version": game.version, "do": "draw"}
        return first_move(game).to_json() | {"version": game.version}

    def browser_of(self, role: str) -> Client:
        """Return a browser in which somebody of this role is signed in."""
        client = Client(raise_request_exception=False)
        if role in OF_THE_ADMIN:
            prove(client, self.people[role])
        elif role in self.people:
            client.force_login(self.people[role])
        return client

    def of_the_tables(self) -> list:
        """All that is stored of the tables, to see whether it stays."""
        games = Game.objects.filter(pk__in=[game.pk for game in self.games.values()])
        seats = Seat.objects.filter(game__in=games).order_by("pk")
        moves = MoveRecord.objects.filter(game__in=games)
        kept = [list(games.order_by("pk").values()), list(seats.values()), moves.count()]
        kept += [list(Endpoint.objects.values()), User.objects.filter(name="Keza").count()]
        return kept


@pytest.fixture
def site(db) -> Site:
    return Site()


def asked(site: Site, address: str, pattern: str) -> str:
    """Ask as everybody; return the line of the table."""
    statuses: dict[str, list[int]] = {"get": [], "post": []}
    before = site.of_the_tables()
    for role in ROLES:
        for method, found in statuses.items():
            client, path = site.browser_of(role), site.path(address, pattern)
            form = site.form(address) if method == "post" else {}
            answer = getattr(client, method)(path, form)
            found.append(answer.status_code)
            if role in WITHOUT_A_SEAT and address != BY_THE_CODE:
                assert site.of_the_tables() == before, f"{method} by {role} has changed something"
    gets, posts = (" ".join(map(str, found)) for found in statuses.values())
    return f"{gets} | {posts}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each address; those of a table in one phase of it, with --full in all three."""
    if "address" in metafunc.fixturenames:
        everything = metafunc.config.getoption("full")
        chosen = [each for each in _addresses() if everything or _is_its_turn(each)]
        metafunc.parametrize("address", chosen)


def _is_its_turn(address: str) -> bool:
    name, _, phase = address.partition(" ")
    return phase in ("", PHASES[zlib.crc32(name.encode()) % len(PHASES)])


def test_everybody_is_answered_as_the_table_says(site, address):
    assert asked(site, address, _addresses()[address]) == ADDRESSES.get(address)


def test_the_table_names_no_address_that_there_is_not():
    assert set(ADDRESSES) == set(_addresses())
