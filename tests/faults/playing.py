"""People at the site with no browser: a session, forms that are posted, a socket."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from django.db import connection
from websockets.sync.client import ClientConnection, connect

from games import rules
from games.models import Game
from tests.games.playing import fields_of, first_move
from tests.rules.play import all_cards, pack_of

PASSWORD = "a long pass phrase"
PATIENCE = 60  # seconds; how long a slow machine may take to answer


class Answer(NamedTuple):
    """What came back; `location` is where a redirect leads."""

    status: int
    text: str
    location: str


class _StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow nothing: the answer itself is looked at."""


class Player:
    """Keeps its cookies, as a browser does."""

    def __init__(self, url: str, name: str, email: str = "") -> None:
        """Make an account by the form; without a name look on as nobody."""
        self.url, self.name = url, name
        self.page = secrets.token_hex(8)  # the mark of its page, as the table's script makes one
        self.jar = CookieJar()
        cookies = urllib.request.HTTPCookieProcessor(self.jar)
        self._opener = urllib.request.build_opener(cookies, _StayHere())
        if name:
            sent = {"username": name, "password1": PASSWORD, "email": email}
            assert self.post("/en/accounts/signup/", **sent).status == 302

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._ask(path, None)

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form, with the token that the site's forms have."""
        if not self.cookie("csrftoken"):
            self.get("/en/accounts/login/")
        fields["csrfmiddlewaretoken"] = self.cookie("csrftoken")
        return self._ask(path, urlencode(fields).encode())

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, "" if there is none."""
        return next((each.value or "" for each in self.jar if each.name == name), "")

    def open_table(self, pace: str, game: str = "matatu/rwanda", **terms: object) -> str:
        """Open a table by the form; return its id."""
        sent = {"game": game, "seats": 2, "public": "0", "pace": pace} | terms
        return self.post("/en/lobbies/new/", **sent).location.split("/")[-2]

    def seat_a_bot(self, game: str) -> None:
        """Seat one; with the last the game begins."""
        assert self.post(f"/en/games/{game}/bots/", level="easy").status == 302

    def join(self, code: str) -> None:
        """Take a seat by an invitation code."""
        assert self.post(f"/en/join/{code}/").status == 302

    def move(self, game: str, fields: dict[str, object]) -> Answer:
        """Send a move as the table's plain form does."""
        return self.post(f"/en/games/{game}/moves/", **fields)

    def move_by_script(self, game: str, fields: dict[str, object]) -> Answer:
        """Send a move as the table's script does, which asks for the table as it is then."""
        sent = fields | {"csrfmiddlewaretoken": self.cookie("csrftoken")}
        body = urlencode(sent).encode()
        return self._ask(f"/en/games/{game}/moves/", body, {"X-Fragment": "1", "X-Page": self.page})

    def version_seen(self, game: str) -> int:
        """Return the version of the table on the page that the site shows now."""
        page = self.get(f"/en/games/{game}/")
        assert page.status == 200
        return int(page.text.split('data-version="')[1].split('"')[0])

    def sit(self, game: str, frames: str = "") -> ClientConnection:
        """Open the socket of a table; `frames` as its address says them."""
        return connect(
            f"ws://{urlsplit(self.url).netloc}/ws/games/{game}/"
            f"?language=en&frames={frames}&page={self.page}",
            origin=self.url,
            additional_headers={"Cookie": f"sessionid={self.cookie('sessionid')}"},
            open_timeout=PATIENCE,
        )

    def _ask(
        self, path: str, body: bytes | None, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Answer:
        request = urllib.request.Request(self.url + path, body, dict(headers))  # noqa: S310
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return _read(answer)
        except urllib.error.HTTPError as answer:
            with answer:
                return _read(answer)


def _read(answer: Any) -> Answer:
    location = answer.headers.get("Location", "")
    return Answer(answer.status, answer.read().decode(errors="replace"), location)


def version_on(socket: ClientConnection) -> int:
    """Wait for the next table on a socket; return its version."""
    return int(json.loads(socket.recv(timeout=PATIENCE))["version"])


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    """Let Django in this process work on another database."""
    own, parts = dict(connection.settings_dict), urlsplit(url)
    connection.close()
    connection.settings_dict |= {
        "NAME": parts.path.removeprefix("/"),
        "HOST": parts.hostname,
        "PORT": parts.port,
        "USER": parts.username,
        "PASSWORD": parts.password,
    }
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict |= own


def until(happened: Callable[[], object], limit: float = PATIENCE, what: str = "") -> float:
    """Wait until it has happened; return after how many seconds. Fails after `limit`."""
    begun = time.monotonic()
    while not happened():
        assert time.monotonic() - begun < limit, what or happened
        time.sleep(0.05)  # between two looks: another process tells nobody when it has done it
    return time.monotonic() - begun


def now(pk: str) -> Game:
    return Game.objects.prefetch_related("seats__user").get(pk=pk)


def in_turn(game: Game, *players: Player) -> Player:
    """Return whose turn it is."""
    seat = game.seat_in_turn()
    assert seat is not None
    assert seat.user is not None
    return next(each for each in players if each.name == seat.user.name)


def is_bots_turn(game: Game) -> bool:
    seat = game.seat_in_turn()
    return bool(seat and seat.is_played_by_bot)


def play(pk: str, *players: Player) -> None:
    """Let whoever has the turn make a move."""
    game = now(pk)
    sent = fields_of(first_move(game), game.version)
    assert in_turn(game, *players).move(pk, sent).status == 303


def bring_to_the_bot(pk: str, alice: Player) -> Game:
    """Play until it is the bot's turn; return the game as it is then."""
    until(lambda: _plays_to_the_bot(pk, alice))
    return now(pk)


def _plays_to_the_bot(pk: str, alice: Player) -> bool:
    if is_bots_turn(now(pk)):
        return True
    play(pk, alice)
    return False


def bot_has_moved(pk: str, before: Game) -> bool:
    return now(pk).version > before.version


def check(pk: str, *players: Player) -> None:
    """What must hold of every game at every time, whatever has been killed."""
    game = now(pk)
    state = game.position()
    assert all_cards(state) == pack_of(state)
    numbers = list(game.moves.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, game.move_count + 1))
    assert _replayed(game) == state  # no move lost, none made twice
    if game.status == Game.Status.PLAYING:
        assert game.turn == state.turn
        assert rules.legal_moves(state, state.turn)
        assert state.outcome is None
    else:
        assert game.turn is None
        assert state.outcome is not None
        assert all(seat.place for seat in game.seats.all())
    for player in players:
        until(lambda player=player: player.version_seen(pk) == now(pk).version)


def _replayed(game: Game) -> rules.State:
    end = game.position()
    state = rules.start(game.variant, end.seats, end.seed, end.options)
    for each in game.moves.order_by("number"):
        state, _ = rules.apply(state, each.seat, rules.Move.from_json(each.move))
    return state
