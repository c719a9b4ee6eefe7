"""Real threads on PostgreSQL: what several people, and the clock, do in the same instant."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.tasks import deliver_notices
from games import clock, rules, services
from games.models import Game
from tests.games.playing import assert_sound, fields_of, first_move, person_in_turn
from tests.games.test_clock import put_forward, sweep, table

pytestmark = pytest.mark.django_db(transaction=True)
REPEATS = 30
RESIGN = rules.Move("resign")
SHORT = {"variant": "maumau", "preset": "mau", "options": {"hand_size": 4}}


def at_once(*acts) -> list:
    """Do all `acts` in threads that start together; return their results or errors."""
    gate = Barrier(len(acts))

    def run(act):
        gate.wait()
        try:
            return act()
        except Exception as error:  # noqa: BLE001  the test looks at what came
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.fixture
def people(db, browser_of) -> list[User]:
    """Six people, each with a browser of their own."""
    names = ("Keza", "Ineza", "Mugisha", "Uwase", "Thandeka", "Sipho")
    everybody = [User.objects.create_user(name) for name in names]
    for person in everybody:
        person.browser = browser_of(person, raise_request_exception=False)
    return everybody


@pytest.fixture(autouse=True)
def _movable_clock(settings):
    settings.TEST_CLOCK = True


def tabs_of(person: User, number: int) -> list[Client]:
    """So many browsers in which this person is signed in."""
    tabs = [Client(raise_request_exception=False) for _ in range(number)]
    for tab in tabs:
        tab.force_login(person)
    return tabs


def post(browser: Client, path: str, fields: dict) -> Callable[[], int]:
    """Return the act of sending a form; it returns the status of the answer."""
    return lambda: browser.post(path, fields).status_code


def press(person: User, game: Game, what: str, **fields) -> Callable[[], int]:
    """Return the act of pressing a button of a table."""
    path = f"/en/join/{game.code}/" if what == "join" else f"/en/games/{game.pk}/{what}/"
    return post(person.browser, path, fields)


def lay(person: User, game: Game, move: rules.Move) -> Callable[[], int]:
    """Return the act of making a move upon the table as `game` has it."""
    return press(person, game, "moves", **fields_of(move, game.version))


def waiting(host: User, *others: User, seats: int) -> Game:
    """A table of the host's that waits, with these people."""
    game = services.create(host, services.Terms("matatu", "rwanda", seats))
    for other in others:
        services.join(other, game.pk)
    return game


def playing(*people: User, **more) -> Game:
    """A game of these people that has begun."""
    return table(people[0], *people[1:], **more)


def ended(*people: User) -> Game:
    """A game of these people that is over."""
    game = playing(*people)
    for person in people[1:]:
        services.act(person, game.pk, RESIGN, 0)
    return Game.objects.get(pk=game.pk)


# --- Before the first card ------------------------------------------------------------------------


def test_b12_three_people_take_the_last_seat(people):
    """One of three who join at once is seated, the others are told that it is too late."""
    seated, late = people[:3], people[3:]
    for _ in range(REPEATS):
        game = waiting(*seated, seats=4)
        statuses = at_once(*[press(person, game, "join") for person in late])
        assert sorted(statuses) == [302, 409, 409]
        game = assert_sound(game.pk)
        assert (game.status, game.version) == (Game.Status.PLAYING, 3)


# What is pressed at once at a table for four of Keza (host), Ineza and Mugisha; Uwase comes in.
CROWDS: dict[str, Callable] = {
    "start against leave": lambda k, i, m, u: [(k, "start", {}), (i, "leave", {})],
    "start against the last one to come": lambda k, i, m, u: [(k, "start", {}), (u, "join", {})],
    "start in two tabs": lambda k, i, m, u: [(k, "start", {}), (k, "start", {})],
    "two tabs seat a bot": lambda k, i, m, u: [(k, "bots", {"level": "easy"})] * 2,
    "a bot against the last one to come": lambda k, i, m, u: [
        (k, "bots", {"level": "easy"}),
        (u, "join", {}),
    ],
    "removing against joining": lambda k, i, m, u: [
        (k, "remove", {"seat": 1}),
        (i, "join", {}),
        (u, "join", {}),
    ],
    "removing who starts to leave": lambda k, i, m, u: [
        (k, "remove", {"seat": 1}),
        (i, "leave", {}),
        (k, "start", {}),
    ],
    "the host removes the own seat": lambda k, i, m, u: [
        (k, "remove", {"seat": 0}),
        (k, "leave", {}),
        (i, "leave", {}),
    ],
    "all leave while one comes": lambda k, i, m, u: [
        (k, "leave", {}),
        (i, "leave", {}),
        (m, "leave", {}),
        (u, "join", {}),
    ],
}


def assert_is_a_good_table(game: Game) -> None:
    """Check that it waits with a host who sits there, plays with two or more, or is closed."""
    game = assert_sound(game.pk)
    seats = list(game.seats.all())
    if game.status == Game.Status.WAITING:
        assert any(seat.user_id == game.host_id and seat.joined for seat in seats)
        assert not any(seat.joined for seat in seats) or len(seats) < game.seat_count
    elif game.status == Game.Status.PLAYING:
        assert len(seats) >= 2
    else:
        assert not [seat for seat in seats if seat.user_id]


def _with_key(fields: dict, keys: dict[int, int]) -> dict:
    """A form removes by the key of the seat that its page showed at that number."""
    return {name: keys[value] if name == "seat" else value for name, value in fields.items()}


@pytest.mark.parametrize("crowd", CROWDS)
def test_what_is_pressed_at_once_at_a_waiting_table(people, crowd):
    """No half-done game, no 5xx, whatever crosses: joins, leaves, bots, removals and starts."""
    for _ in range(6):
        game = waiting(*people[:3], seats=4)
        pressed = CROWDS[crowd](*people[:4])
        keys = dict(game.seats.values_list("number", "pk"))
        statuses = at_once(
            *[press(who, game, what, **_with_key(fields, keys)) for who, what, fields in pressed]
        )
        assert set(statuses) <= {302, 404, 409}, statuses
        assert_is_a_good_table(game)
        game.refresh_from_db()
        assert (game.status, game.seats.count()) in POSSIBLE[crowd]
        Game.objects.filter(status="waiting").update(status="closed", deadline=None)


# What may come of it: the status of the table, and how many sit there.
POSSIBLE = {
    "start against leave": {("playing", 3), ("playing", 2), ("waiting", 2)},
    "start against the last one to come": {("playing", 3), ("playing", 4)},
    "start in two tabs": {("playing", 3)},
    "two tabs seat a bot": {("playing", 4)},
    "a bot against the last one to come": {("playing", 4)},
    "removing against joining": {("waiting", 3), ("playing", 4)},
    "removing who starts to leave": {("playing", 2), ("playing", 3)},
    "the host removes the own seat": {("waiting", 1)},
    "all leave while one comes": {("waiting", 1), ("closed", 0), ("playing", 4)},
}


def test_two_tables_opened_at_once_are_counted_one_after_the_other(people):
    """Five presses in five tabs open no more tables than one person may host."""
    host = people[0]
    for _ in range(3):
        waiting(host, seats=2)
    fields = {"game": "matatu/rwanda", "seats": "2"}
    opened = at_once(*[post(tab, "/en/lobbies/new/", fields) for tab in tabs_of(host, 5)])
    assert sorted(opened) == [302, 302, 400, 400, 400]
    assert host.hosted_games.filter(status="waiting").count() == 5


# --- The next game --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 4])
def test_b13_a_rematch_by_all_at_once_is_one_game(people, number):
    """All ask in the same instant, then one asks twice more: one game, with all of them."""
    players = people[:number]
    old = ended(*players)
    for _ in range(REPEATS if number == 2 else 5):
        answers = at_once(
            *[lambda p=p, o=old: p.browser.post(f"/en/games/{o.pk}/rematch/") for p in players]
        )
        assert {answer.status_code for answer in answers} == {302}
        following = Game.objects.get(rematch_of=old)
        for asked_again in range(2):
            again = players[0].browser.post(f"/en/games/{old.pk}/rematch/")
            assert again["Location"] == f"/en/games/{following.pk}/", asked_again
        assert {answer["Location"] for answer in answers} == {f"/en/games/{following.pk}/"}
        game = assert_sound(following.pk)
        assert game.status == Game.Status.PLAYING
        assert {seat.user_id for seat in game.seats.all()} == {player.pk for player in players}
        assert Game.objects.filter(rematch_of=old).count() == 1
        for player in players[1:]:
            services.act(player, game.pk, RESIGN, 0)
        old = Game.objects.get(pk=game.pk)
    assert old.round == (REPEATS if number == 2 else 5) + 1


def test_one_asks_for_the_next_game_and_goes_while_the_other_comes(people):
    """The next game is open, or closed; who comes is seated or told so, and may ask again."""
    keza, ineza = people[:2]
    for _ in range(6):
        old = ended(keza, ineza)
        services.rematch(keza, old.pk)
        following = Game.objects.get(rematch_of=old)
        statuses = at_once(
            press(keza, following, "leave"),
            press(ineza, old, "rematch"),
            press(ineza, following, "leave"),
        )
        assert set(statuses) <= {302, 404, 409}
        game = assert_sound(following.pk)
        if game.status == Game.Status.WAITING:
            assert [seat.user_id for seat in game.seats.all()] == [game.host_id]
        again = services.rematch(ineza, old.pk)
        assert ineza.seats.filter(game=again, joined=True).exists()
        assert_sound(again)
        for each in Game.objects.filter(status="waiting"):
            for person in (keza, ineza):
                services.leave(person, each.pk)


# --- Moves ----------------------------------------------------------------------------------------


def test_the_same_move_twice_is_made_once(people):
    """Whoever presses again and again is told the same each time."""
    tabs = {person: tabs_of(person, 4) for person in people[:2]}
    for _ in range(8):
        game = playing(*people[:2])
        fields, path = fields_of(first_move(game), game.version), f"/en/games/{game.pk}/moves/"
        mine = tabs[person_in_turn(game)]
        assert at_once(*[post(tab, path, fields) for tab in mine]) == [303] * 4
        game = assert_sound(game.pk)
        assert (game.version, game.move_count) == (2, 1)


def test_two_different_moves_and_only_one_is_made(people):
    """The other tab was looking at a table that has moved on."""

    def can_do_both(game: Game) -> bool:  # who has drawn may lay the card, but not draw again
        moves = rules.legal_moves(game.position(), game.turn)
        return {"play", "draw"} <= {move.do for move in moves}

    tabs = {person: tabs_of(person, 2) for person in people[:2]}
    for _ in range(8):
        game = found(*people[:2], is_there=can_do_both)
        path = f"/en/games/{game.pk}/moves/"
        one, other = tabs[person_in_turn(game)]
        moves = [fields_of(move, game.version) for move in (first_move(game), rules.Move("draw"))]
        statuses = at_once(post(one, path, moves[0]), post(other, path, moves[1]))
        assert sorted(statuses) == [303, 409]
        assert assert_sound(game.pk).move_count == game.move_count + 1


def test_all_resign_at_once(people):
    """Each resigns in the same instant: one is left, and every seat has one place."""
    for number in (2, 4):
        game = playing(*people[:number])
        statuses = at_once(*[lay(person, game, RESIGN) for person in people[:number]])
        assert sorted(statuses) == [303] * (number - 1) + [422]
        game = assert_sound(game.pk)
        assert game.status == Game.Status.FINISHED
        places = sorted(game.seats.values_list("place", flat=True))
        assert places == list(range(1, number + 1))


def until(game: Game, is_there: Callable[[Game], bool]) -> Game | None:
    """Play on until the game is as wanted; None if it is over before."""
    while True:
        game = Game.objects.with_people().get(pk=game.pk)
        if game.status != Game.Status.PLAYING:
            return None
        if is_there(game):
            return game
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)


def found(*people: User, is_there: Callable[[Game], bool], **more) -> Game:
    """A game of these people that has been played until it is as wanted."""
    for _ in range(50):
        game = until(playing(*people, **more), is_there)
        if game:
            return game
    pytest.fail("no game has come to that")


def of(people: list[User], game: Game, number: int) -> User:
    """The person on a seat, with the browser."""
    owner = game.seats.get(number=number).user
    return next(person for person in people if person == owner)


def test_resigning_against_the_winning_card(people):
    """The winner lays the last card while the other resigns: one result either way."""

    def wins(game: Game) -> bool:
        after, _ = rules.apply(game.position(), game.turn, first_move(game))
        return after.outcome is not None

    for _ in range(5):
        game = found(*people[:2], is_there=wins, **SHORT)
        winner, loser = of(people, game, game.turn), of(people, game, 1 - game.turn)
        statuses = at_once(lay(winner, game, first_move(game)), lay(loser, game, RESIGN))
        assert set(statuses) <= {303, 422}
        game = assert_sound(game.pk)
        assert game.status == Game.Status.FINISHED
        assert game.seats.get(place=1).user == winner


def test_an_accusation_against_the_move_of_the_next_player(people):
    """Who forgot Mau is caught, or the next card is quicker; the next card is laid in any case."""

    def forgotten(game: Game) -> bool:
        return game.position().mau_open not in (-1, game.turn)

    outcomes = Counter()
    for _ in range(6):
        game = found(*people[:3], is_there=forgotten, **SHORT)
        target = game.position().mau_open
        catcher = next(n for n in range(3) if n not in (game.turn, target))
        accusation = rules.Move("accuse", target=target)
        caught, moved = at_once(
            lay(of(people, game, catcher), game, accusation),
            lay(of(people, game, game.turn), game, first_move(game)),
        )
        assert (caught in (303, 422), moved) == (True, 303)
        game = assert_sound(game.pk)
        assert game.move_count == game.version - 2  # joined twice
        outcomes[caught] += 1
    assert set(outcomes) <= {303, 422}


# --- The clock ------------------------------------------------------------------------------------


def test_a_player_against_the_clock(people):
    """In the instant in which a turn ends the player moves, or the clock does, never both."""
    outcomes = Counter()
    for _ in range(10):
        game = playing(*people[:2])
        put_forward(days=1, seconds=2)
        mover = of(people, game, game.turn)
        moved, *served = at_once(lay(mover, game, first_move(game)), sweep, sweep)
        assert moved in (303, 409)
        assert all(isinstance(each, int) for each in served), served
        game = assert_sound(game.pk)
        (record,) = game.moves.all()
        assert record.author == ("player" if moved == 303 else "clock")
        assert game.deadline > clock.now()
        outcomes[moved] += 1
        services.act(mover, game.pk, RESIGN, 0)
    assert set(outcomes) <= {303, 409}


def test_a_resignation_that_ends_the_game_while_the_clock_fires(people):
    """The clock finds the game over, or times the seat out first; the result is the same."""
    for _ in range(6):
        game = playing(*people[:2], options={"absent_seat": "resign", "max_timeouts": 1})
        put_forward(days=1, seconds=2)
        other = of(people, game, 1 - game.turn)
        resigned, *served = at_once(lay(other, game, RESIGN), sweep, sweep)
        assert resigned in (303, 422)
        assert all(isinstance(each, int) for each in served), served
        game = assert_sound(game.pk)
        assert (game.status, game.reason) == (Game.Status.FINISHED, "last_player")


def test_coming_back_against_the_bot_that_plays_the_seat(people):
    """The bot's move is made or thrown away; then the owner has the seat, and a whole turn."""
    for _ in range(5):
        game = playing(*people[:2], options={"max_timeouts": 1})
        absent = of(people, game, game.turn)
        put_forward(days=1, seconds=2)
        sweep()
        game.refresh_from_db()
        while game.turn != absent.seats.get(game=game).number:
            services.act(person_in_turn(game), game.pk, first_move(game), game.version)
            game.refresh_from_db()
        put_forward(seconds=6)
        back, *served = at_once(press(absent, game, "back"), sweep, sweep)
        assert back == 302
        assert all(isinstance(each, int) for each in served), served
        game = assert_sound(game.pk)
        seat = absent.seats.get(game=game)
        assert (seat.absent, seat.timeouts) == (False, 0)
        for person in people[:2]:
            if game.status == Game.Status.PLAYING:
                services.act(person, game.pk, RESIGN, 0)
                game.refresh_from_db()


def play_everywhere(person: User, games: list[Game]) -> list[int]:
    """Move wherever it is this person's turn, or come back; return the statuses."""
    statuses = []
    for seen in games:
        game = Game.objects.with_people().get(pk=seen.pk)
        seat = game.seat_of(person)
        if seat.absent:
            statuses.append(press(person, game, "back")())
        if game.turn == seat.number:
            statuses.append(lay(person, game, first_move(game))())
    return statuses


def test_four_sweepers_against_four_players(people):
    """Turns run out while people move, bots think and people come back, in several games."""
    four = people[:4]
    games = [playing(*four, options={"max_timeouts": 1 + number % 2}) for number in range(3)]
    games += [table(four[0], *four[1:], "easy", variant="maumau", preset="mau") for _ in range(2)]
    for instant in range(10):
        put_forward(**({"days": 1} if instant % 2 else {"seconds": 6}))
        acts = [lambda p=person: play_everywhere(p, games) for person in four]
        results = at_once(*acts, sweep, sweep, sweep, sweep)
        assert not [each for each in results if isinstance(each, Exception)], results
        statuses = [status for each in results[:4] for status in each]
        assert set(statuses) <= {302, 303, 409, 422}, statuses
        for game in games:
            assert_sound(game.pk)


# --- Several games --------------------------------------------------------------------------------


def test_people_at_two_tables_in_opposite_order_never_lock_each_other_out(people):
    """Moves, notices, mails, rematches, new tables and choices of language cross in two games."""
    keza, ineza = people[:2]
    old = [ended(keza, ineza), ended(keza, ineza)]

    def busy(person: User, games: list[Game], luck: Random) -> list[int]:
        statuses = []
        for _ in range(6):
            for game in games:
                asked = person.browser.post(f"/en/games/{game.pk}/rematch/")
                statuses.append(asked.status_code)
                following = Game.objects.with_people().get(rematch_of=game)
                if following.turn is not None:
                    statuses.append(lay(person, following, first_move(following))())
            language = luck.choice(["en", "rw", "de", "zu"])
            answer = person.browser.post("/language/", {"language": language})
            statuses.append(answer.status_code)
            opened = person.browser.post("/en/lobbies/new/", {"game": "matatu/rwanda", "seats": 2})
            statuses.append(opened.status_code)
            if opened.status_code == 302:
                statuses.append(person.browser.post(f"{opened['Location']}leave/").status_code)
        return statuses

    results = at_once(
        lambda: busy(keza, old, Random(1)),
        lambda: busy(ineza, old[::-1], Random(2)),
        sweep,
        deliver_notices,
    )
    assert not [each for each in results if isinstance(each, Exception)], results
    assert set(results[0] + results[1]) <= {302, 303, 409, 422}
    for game in Game.objects.exclude(pk__in=[each.pk for each in old]):
        assert_sound(game.pk)
    assert Game.objects.filter(rematch_of__in=old).count() == 2
