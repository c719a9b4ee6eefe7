"""Faults that people reported of software like ours, tried on the site below its pages.

docs/scenarios.md lists what holds each, here and elsewhere.
"""

import asyncio
import re
from contextlib import suppress
from threading import Thread

import pytest
import redis
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings as site
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import F
from django.test import Client
from django.utils.html import escape

from accounts import delivery
from accounts.models import User
from accounts.tasks import deliver_notices
from games import clock, notices, rules, services
from games.broadcast import group_of
from games.consumers import TableConsumer
from games.models import Game, MoveRecord
from games.rules.cards import card_code
from games.rules.positions import state_of
from games.tasks import serve_overdue_games
from tests.games.playing import (
    assert_sound,
    first_move,
    person_in_turn,
    with_hidden_cards_turned,
)
from tests.games.test_clock import now, put_forward, sweep, table
from tests.games.test_sockets import (
    Layer,
    Socket,
    consumer_of,
    sit_down,
    table_on,
)
from tests.operators import prove

pytestmark = pytest.mark.django_db(transaction=True)
RESIGN = rules.Move("resign")


@pytest.fixture(autouse=True)
def _movable_clock(settings):
    settings.TEST_CLOCK = True


@pytest.fixture
def four(db) -> list[User]:
    """Four people."""
    return [User.objects.create_user(name) for name in ("Keza", "Ineza", "Mugisha", "Uwase")]


def lay_out(game: Game, state: rules.State) -> Game:
    """Put these cards on the table of a running game."""
    Game.objects.filter(pk=game.pk).update(state=state.to_json(), turn=state.turn)
    return now(game)


def give_the_turn_to(game: Game, seat: int) -> Game:
    """Make it the turn of this seat."""
    return lay_out(game, game.position()._replace(turn=seat))


# --- Seats and turns ------------------------------------------------------------------------------


def test_b02_nobody_leaves_and_comes_again_for_another_hand(alice, bob, charlie, browser_of):
    """Whatever link is used, it is one seat, one hand, one debt; who is out is out."""
    game = table(alice, bob, charlie, variant="maumau", preset="mau")
    hands = {"0": "9S 10S QS KS AS 8D 9D 10D QD", "1": "KD AD", "2": "8C 9C"}
    state = state_of(
        {
            "game": "maumau",
            "hands": {seat: hand.split() for seat, hand in hands.items()},
            "top": "7S",
            "under": ["7H"],
            "penalty": 4,
            "turn": 0,
            "stock": ["JH", "QH", "KH", "AH", "8H", "9H", "10H"],
        }
    )
    game = lay_out(game, state)
    services.act(charlie, game.pk, RESIGN, game.version)
    before, rows = now(game).state, set(game.seats.values_list("pk", "number", "user"))
    for person in (alice, charlie):
        browser = browser_of(person)
        left = browser.post(f"/en/games/{game.pk}/leave/")
        assert left.status_code == 409
        assert "The game has already begun." in left.text
        for address in (f"/en/join/{game.code}/", f"/join/{game.code}/"):
            for answer in (browser.get(address, follow=True), browser.post(address, follow=True)):
                assert answer.redirect_chain[-1][0] == f"/en/games/{game.pk}/"
    assert now(game).state == before
    assert set(game.seats.values_list("pk", "number", "user")) == rows
    shown = browser_of(alice).get(f"/en/games/{game.pk}/").context["game"]
    assert (shown["penalty"], len(shown["hand"])) == (4, 9)
    draw = browser_of(charlie).post(
        f"/en/games/{game.pk}/moves/", {"version": now(game).version, "do": "draw"}
    )
    assert draw.status_code == 422
    assert now(game).state == before


def test_b02_who_has_won_does_not_come_in_again(game, alice, bob, browser_of):
    """After the end the same link shows the same end, and each keeps the place."""
    services.act(bob, game.pk, RESIGN, game.version)
    places = set(game.seats.values_list("user", "place"))
    for person in (alice, bob):
        answer = browser_of(person).post(f"/en/join/{game.code}/", follow=True)
        assert answer.redirect_chain[-1][0] == f"/en/games/{game.pk}/"
        assert browser_of(person).post(f"/en/games/{game.pk}/leave/").status_code == 409
    assert_sound(game.pk)
    assert set(game.seats.values_list("user", "place")) == places


DROPS = {
    "resigns": lambda game, person: services.act(person, game.pk, RESIGN, game.version),
    "is timed out": lambda game, person: put_forward(days=1, seconds=2) or sweep(),
}


@pytest.mark.parametrize("way", DROPS)
@pytest.mark.parametrize(("leaver", "follower"), [(2, 3), (3, 0), (0, 1)])
def test_b05_the_turn_passes_to_the_next_seat(four, way, leaver, follower):
    """Who drops out on the own turn leaves it to the next seat, at the table and in the list."""
    options = {"absent_seat": "resign", "max_timeouts": 1}
    game = give_the_turn_to(table(*four, options=options), leaver)
    DROPS[way](game, four[leaver])
    game = now(game)
    assert (game.turn, game.position().turn) == (follower, follower)
    assert list(Game.objects.awaiting(four[follower])) == [game]
    told = [notices.open_notices(four[seat].pk, "turn") for seat in (follower, leaver)]
    assert [[notice.about for notice in rows] for rows in told] == [[game.pk], []]


def test_b05_a_seat_that_drops_out_of_turn_changes_no_turn(four):
    """With B gone while C is to act, C still is, and the order is C, D, A."""
    game = give_the_turn_to(table(*four), 2)
    services.act(four[1], game.pk, RESIGN, game.version)
    order = []
    for _ in range(4):
        order.append(now(game).turn)
        put_forward(days=1, seconds=2)
        sweep()
    assert order == [2, 3, 0, 2]


def test_b36_the_host_is_a_person_who_stays_and_bots_do_not_wait_alone(alice, bob):
    """A leaves, B is the host; B leaves, and the table with the bots is closed."""
    game = services.create(alice, services.Terms("matatu", "rwanda", 5))
    for level in ("easy", "random"):
        services.add_bot(alice, game.pk, level)
    services.join(bob, game.pk)
    services.leave(alice, game.pk)
    assert now(game).host == bob
    services.leave(bob, game.pk)
    assert (now(game).status, now(game).deadline) == (Game.Status.CLOSED, None)
    put_forward(days=30)
    assert sweep() == 0


def test_b36_a_game_that_people_have_left_ends_and_asks_no_bot(alice, bob, monkeypatch):
    """Both resign at a table with two bots: it is over, and nothing is asked of the worker."""
    game = table(alice, bob, "easy", "random")
    nudges = []
    monkeypatch.setattr("games.broadcast.current_app.send_task", lambda *a, **k: nudges.append(a))
    services.act(alice, game.pk, RESIGN, 0)
    assert now(game).status == Game.Status.PLAYING
    nudges.clear()
    services.act(bob, game.pk, RESIGN, 0)
    game = assert_sound(game.pk)
    assert (game.status, game.reason) == (Game.Status.FINISHED, "abandoned")
    put_forward(days=30)
    assert (nudges, sweep()) == ([], 0)


# --- After the commit -----------------------------------------------------------------------------


@pytest.fixture
def _slow_commit(db):
    """Each commit that makes a move takes a while."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION wait_a_little() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN PERFORM pg_sleep(0.03); RETURN NULL; END'"
        )
        cursor.execute(
            "CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON games_moverecord "
            "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_a_little()"
        )
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER slow_commit ON games_moverecord")
        cursor.execute("DROP FUNCTION wait_a_little()")


class QuickWorker:
    """A worker that is at once where it is sent, in a thread and on a line of its own."""

    def __init__(self) -> None:
        self.asked = 0

    def send_task(self, *_: object, **__: object) -> None:
        self.asked += 1
        thread = Thread(target=self.serve)
        thread.start()
        thread.join()

    def serve(self) -> None:
        try:
            sweep(self.think)
        finally:
            connection.close()

    def think(self, game_id: str, turn_version: int) -> None:
        services.play_for_bot(game_id, turn_version)


@pytest.mark.usefixtures("_slow_commit")
def test_b18_the_worker_finds_what_it_is_sent_for(alice, monkeypatch, caplog):
    """However slow the commit and quick the worker, the bot answers every move at once."""
    monkeypatch.setattr("games.services.change.BOT_WAIT", clock.timedelta(0))
    worker = QuickWorker()
    monkeypatch.setattr("games.broadcast.current_app.send_task", worker.send_task)
    moves = 0
    while moves < 20:
        game = table(alice, "random")
        while game.status == Game.Status.PLAYING:
            assert person_in_turn(game) == alice, "a bot has been left with its turn"
            services.act(alice, game.pk, first_move(game), game.version)
            moves += 1
            game = now(game)
        assert_sound(game.pk)
    assert worker.asked
    assert "could not be served" not in caplog.text
    assert "does not exist" not in caplog.text


def test_b18_what_is_rolled_back_is_told_to_nobody(alice, bob, monkeypatch, mailoutbox):
    """A change that fails at its end sends no poke, no nudge, no mail, and leaves no notice."""
    User.objects.update(email="somebody@example.com")
    game = table(alice, bob, "easy")
    layer, nudges = Layer(), []
    monkeypatch.setattr("games.broadcast.get_channel_layer", lambda: layer)
    monkeypatch.setattr("games.broadcast.current_app.send_task", lambda *a, **k: nudges.append(a))
    told = set(delivery.Notice.objects.values_list("pk"))
    announce = services.change.announce

    def fail(*args: object, **kwargs: object) -> None:
        announce(*args, **kwargs)
        raise RuntimeError("at the very end")

    monkeypatch.setattr("games.services.change.announce", fail)
    for _ in range(20):
        game = give_the_turn_to(now(game), (now(game).turn + 1) % 3)
        seat = game.seat_in_turn()
        with suppress(RuntimeError):
            if seat.bot:
                services.act(alice, game.pk, RESIGN, 0)
            else:
                services.act(seat.user, game.pk, first_move(game), game.version)
        assert now(game).version == game.version
    assert (layer.sent, nudges) == ([], [])
    assert set(delivery.Notice.objects.values_list("pk")) == told
    assert not MoveRecord.objects.exists()


# --- Lines that break -----------------------------------------------------------------------------


async def shown_until(socket: Socket, version: int) -> list[int]:
    """Read what comes until that version is shown; return the versions."""
    versions = []
    while not versions or versions[-1] < version:
        versions.append((await table_on(socket))["version"])
    return versions


async def test_b20_a_burst_of_pokes_ends_with_the_last_version(game, alice):
    """Of 150 changes within a second a reader misses as many as may be, but never the last."""
    socket = await sit_down(game, alice)
    await table_on(socket)
    step = database_sync_to_async(Game.objects.filter(pk=game.pk).update)
    for version in range(2, 152):
        await step(version=F("version") + 1)
        poke = {"type": "game.changed", "game": game.pk, "version": version}
        await get_channel_layer().group_send(group_of(game.pk), poke)
    versions = await shown_until(socket, 151)
    assert versions == sorted(set(versions)), "forwards, and each but once"
    assert await socket.receive_nothing(timeout=0.3)
    await step(version=F("version") + 1)  # and its poke is lost
    await socket.send_to(text_data="ping")
    assert await socket.receive_from() == "pong"
    assert await shown_until(socket, 152) == [152]
    await socket.disconnect()


async def break_off(socket: Socket) -> None:
    """End a socket as a killed process does: nothing of it runs any more, no disconnect either."""
    socket.future.cancel()
    with suppress(asyncio.CancelledError):
        await socket.future


async def crash(socket: Socket) -> None:
    """Let the handler of a socket raise."""
    await socket.send_to(text_data="ping")
    await asyncio.wait([socket.future], timeout=30)
    assert isinstance(socket.future.exception(), TypeError)


@pytest.mark.parametrize("end", [break_off, crash])
async def test_b22_a_socket_that_ends_without_a_word_holds_no_mail_for_ever(
    alice, bob, monkeypatch, mailoutbox, end
):
    """That somebody looks is a stamp which runs out, not a flag which waits to be taken away."""
    game = await database_sync_to_async(table)(alice, bob)
    mine = await database_sync_to_async(person_in_turn)(game)
    people = User.objects.filter(pk=mine.pk)
    await database_sync_to_async(people.update)(email="me@example.com")
    send = database_sync_to_async(deliver_notices)
    socket = await sit_down(game, mine)
    await table_on(socket)
    if end is crash:
        monkeypatch.setattr(TableConsumer, "game_changed", None)
    await end(socket)
    await send()
    assert mailoutbox == []
    with redis.Redis.from_url(site.REDIS_URL) as store:
        (stamp,) = store.scan_iter(match="*looking:*")
        assert 0 < store.ttl(stamp) <= 120
        store.delete(stamp)  # so much time later
    await send()
    assert [mail.to for mail in mailoutbox] == [["me@example.com"]]


async def test_b25_a_seat_outlasts_its_socket(alice, bob):
    """After 20 seconds, 70 seconds and ten minutes of sleep it is the same seat and hand."""
    game = await database_sync_to_async(table)(alice, bob, pace="1h")
    seats = game.seats.order_by("number").values_list("pk", "number", "user")
    before = await database_sync_to_async(list)(seats)
    shown = set()
    for sleep in (20, 70, 600):
        socket = await sit_down(game, alice)
        sent = await table_on(socket)
        shown.add((sent["version"], *re.findall(r'id="hand-[^"]+"', sent["html"])))
        await break_off(socket)
        await database_sync_to_async(put_forward)(seconds=sleep)
        assert await database_sync_to_async(sweep)() == 0
    assert len(shown) == 1
    assert len(shown.pop()) == 1 + 7
    assert await database_sync_to_async(list)(seats) == before


async def test_b25_a_seat_at_a_waiting_table_outlasts_its_socket(lobby, alice):
    """Nobody is put out of a lobby because the phone fell asleep."""
    for sleep in (20, 70, 600):
        socket = await sit_down(lobby, alice)
        assert "Alice" in (await table_on(socket))["html"]
        await socket.disconnect()
        await database_sync_to_async(put_forward)(seconds=sleep)
        assert await database_sync_to_async(sweep)() == 0
    assert await database_sync_to_async(lobby.seats.count)() == 1


# --- The clock ------------------------------------------------------------------------------------


def test_b35_a_turn_that_has_run_out_is_settled_with_nobody_there(
    alice, bob, charlie, browser_of, mailoutbox
):
    """Three idle days cost one turn each, one after the other; lists and notices follow."""
    ticks = site.CELERY_BEAT_SCHEDULE["games.tasks.serve_overdue_games"]
    assert (ticks["task"], ticks["schedule"] <= 120) == (serve_overdue_games.name, True)
    User.objects.update(email=F("name"))
    game = table(alice, bob, charlie)
    order = [person_in_turn(game)]
    put_forward(days=3)
    for day in range(1, 4):
        assert serve_overdue_games() == 1, "one seat, not all at once"
        assert serve_overdue_games() == 0
        game = assert_sound(game.pk)
        assert list(game.moves.values_list("author", flat=True)) == ["clock"] * day
        order.append(person_in_turn(game))
        late, awaited = order[-2], order[-1]
        for person in (alice, bob, charlie):
            page = browser_of(person).get("/en/games/").text
            assert page.count("It is your turn!") == (person == awaited)
            shown = browser_of(person).get(f"/en/games/{game.pk}/").text
            assert f'data-turns="{int(person == awaited)}"' in shown
        assert delivery.open_notices(late) == []
        assert [notice.about for notice in delivery.open_notices(awaited)] == [game.pk]
        put_forward(days=1, seconds=2)
    assert len(set(order[:3])) == 3
    deliver_notices()
    assert [mail.to for mail in mailoutbox] == [[order[-1].name]], "the other turns are over"


def test_no_mail_comes_about_a_game_that_is_over(alice, bob, mailoutbox):
    """The turn was noted, and then the game ended: nobody is told to play there."""
    User.objects.update(email="somebody@example.com")
    game = table(alice, bob)
    services.act(person_in_turn(game), game.pk, RESIGN, 0)
    deliver_notices()
    assert {mail.subject for mail in mailoutbox} == {"Your game of Matatu is over."}


# --- What leaves the server -----------------------------------------------------------------------


# What differs from one moment to the next: a form's token, and the time left.
FLEETING = re.compile(r'csrfmiddlewaretoken" value="[^"]*|data-left="[^>]*>[^<]*')


def everything_for(viewer, browser, game: Game) -> str:
    """Return all that leaves the server about a game for a viewer: pages, answers, pushes."""
    path = f"/en/games/{game.pk}/"
    move = {"version": game.version, "do": "play", "card": "AS", "suit": "H"}
    answers = [
        browser.get(path),
        browser.get(path, headers={"X-Fragment": "1"}),
        browser.get(f"/en/join/{game.code}/"),
        browser.get("/en/games/"),
        browser.get("/en/lobbies/"),
        browser.get(f"/games/{game.pk}/record.json"),
    ]
    if viewer.pk is None or game.seat_of(viewer) is None:
        answers += [
            browser.post(f"{path}{what}/", move, headers={"X-Fragment": "1"})
            for what in ("moves", "leave", "start", "back", "rematch")
        ]
    heads = [{**answer.headers, "Expires": "", "Set-Cookie": ""} for answer in answers]
    texts = [
        f"{answer.status_code} {answer.text} {head}"
        for answer, head in zip(answers, heads, strict=True)
    ]
    pushed = consumer_of(game, viewer).read_table()
    return FLEETING.sub("", "\n".join([*texts, str(pushed)]))


def test_b59_no_way_out_leads_to_a_hidden_card(alice, bob, charlie, browser_of, client, mailoutbox):
    """For a seat, a watcher and a visitor: exchanging the cards they cannot see changes no byte."""
    User.objects.update(email="somebody@example.com")
    terms = services.Terms("matatu", "rwanda", 2, pace="1d", public=True)
    game = services.create(alice, terms)
    services.join(bob, game.pk)
    viewers = [(alice, browser_of(alice)), (charlie, browser_of(charlie))]
    viewers.append((AnonymousUser(), client))
    for turn in range(30):
        game = now(game)
        if game.status != Game.Status.PLAYING:
            break
        deliver_notices()
        state = game.position()
        for viewer, browser in viewers if turn % 4 == 0 else ():
            seat = game.seat_of(viewer)
            honest = everything_for(viewer, browser, game)
            assert state.seed.hex() not in honest
            hidden = with_hidden_cards_turned(state, seat.number if seat else -1)
            lay_out(game, hidden._replace(seed=bytes(32)))
            assert everything_for(viewer, browser, game) == honest
            lay_out(game, state)
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    for mail in mailoutbox:
        assert state.seed.hex() not in str(mail.message())
        assert not re.search(r"\b(hand|stock|drew|card)\b", mail.body.split("--")[0])
    assert mailoutbox


def test_b59_a_refusal_says_nothing_of_what_others_hold(alice, bob, browser_of):
    """Whatever card somebody says to lay, the answer is the same wherever the unseen cards are."""
    game = table(alice, bob, pace="none")
    mover = person_in_turn(game)
    browser, path = browser_of(mover), f"/en/games/{game.pk}/moves/"
    state, seat = game.position(), game.seat_of(mover).number
    mine = set(rules.observe(state, seat).hands[seat])

    def answers() -> list[tuple[int, str]]:
        texts = []
        for card in sorted(set(range(54)) - mine)[::3]:
            sent = {"version": game.version, "do": "play", "card": card_code(card), "suit": "H"}
            answer = browser.post(path, sent, headers={"X-Fragment": "1"})
            texts.append((answer.status_code, FLEETING.sub("", answer.text)))
        return texts

    honest = answers()
    lay_out(game, with_hidden_cards_turned(state, seat))
    assert answers() == honest
    assert {status for status, _ in honest} == {422}


def test_b59_a_game_that_is_over_is_open_to_those_who_may_see_it(
    game, alice, charlie, browser_of, client
):
    """The record of a private game is for its people; before the end there is none at all."""
    record = f"/games/{game.pk}/record.json"
    assert browser_of(alice).get(record).status_code == 404
    services.act(alice, game.pk, RESIGN, 0)
    assert browser_of(alice).get(record).status_code == 200
    for browser in (browser_of(charlie), client):
        assert browser.get(record).status_code == 404


# --- Markup ---------------------------------------------------------------------------------------

EVIL = [
    "<b>x</b>",
    '"><script>alert(1)//',
    "<img src=x onerror=a(1)>",
    "{{7*7}}{% now 'Y' %}",
    "%(player)s %s {0}",
]


@pytest.mark.parametrize("lang", ["en", "rw", "de", "zu"])
def test_b64_a_name_is_text_wherever_it_shows(lang, browser_of, mailoutbox):
    """Lists, seats, log, refusal, result, push, inbox, mail and admin, in each language."""
    good = User.objects.create_user("Keza", "good@example.com", language=lang)
    evil = [User.objects.create_user(name, "evil@example.com", language=lang) for name in EVIL]
    admin = Client()
    prove(admin, User.objects.create_superuser("Boss"))
    reader = browser_of(good)
    terms = services.Terms("matatu", "rwanda", 6, pace="1d", public=True)
    game = services.create(evil[0], terms)
    for person in evil[1:]:
        services.join(person, game.pk)
    addresses = ["lobbies/", f"join/{game.code}/", f"games/{game.pk}/"]
    named = [reader.get(f"/{lang}/{address}").text for address in addresses]
    services.join(good, game.pk)
    pages = []
    for number in range(6):
        game = give_the_turn_to(now(game), number)
        pages += [reader.get(f"/{lang}/{page}").text for page in ("games/", "accounts/inbox/")]
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    game = give_the_turn_to(now(game), 0)
    consumer = consumer_of(game, good)
    consumer.language = lang
    named += [reader.get(f"/{lang}/games/{game.pk}/").text, consumer.read_table()[1]]
    accused = {"version": game.version, "do": "accuse", "target": 0}
    path = f"/{lang}/games/{game.pk}/moves/"
    named.append(reader.post(path, accused, headers={"X-Fragment": "1"}).text)
    for person in evil:
        services.act(person, game.pk, RESIGN, 0)
    named.append(reader.get(f"/{lang}/games/{game.pk}/").text)
    in_language = {"Accept-Language": lang}
    named.append(admin.get("/admin/accounts/user/", headers=in_language).text)
    pages += [
        admin.get(f"/admin/accounts/user/{person.pk}/change/", headers=in_language).text
        for person in evil
    ]
    for name in EVIL:
        assert [page for page in named if escape(name) not in page] == []
        assert [page for page in named + pages if escape(name) != name and name in page] == []
    deliver_notices()
    assert all(set(mail.extra_headers) == UNSUBSCRIBE for mail in mailoutbox)


UNSUBSCRIBE = {"List-Unsubscribe", "List-Unsubscribe-Post"}


@pytest.mark.parametrize("name", [*EVIL, "W" * 10_000, "Keza\nBcc: all@example.com"])
def test_b64_nobody_signs_up_by_such_a_name(name, client, db):
    """The first wall: names have no markup, no lines, and an end."""
    sent = {"username": name, "password1": "a long pass phrase"}
    answer = client.post("/en/accounts/signup/", sent)
    assert (answer.status_code, User.objects.count()) == (200, 0)
    assert escape(name) == name or name not in answer.text
