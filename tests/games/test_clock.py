"""The clock: bots that answer, people who fall silent, seats that come back, games that end."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import User
from games import clock, notices, rules, services
from games.models import ClockOffset, Game, MoveRecord
from tests.games.playing import first_move, person_in_turn

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _movable_clock(settings):
    settings.TEST_CLOCK = True


def put_forward(**time: int) -> None:
    """Let so much time pass."""
    row, _ = ClockOffset.objects.get_or_create(pk=1)
    row.offset += timedelta(**time)
    row.save()


def sweep(think=services.play_for_bot) -> int:
    """Serve all that is overdue, thinking on the spot; return how many there were."""
    return sum(1 for _ in iter(lambda: services.serve_one_overdue_game(think), False))


def table(alice, *others, variant="matatu", preset="rwanda", pace="1d", options=None) -> Game:
    """A running game of alice and the others, who never sleep and take no holidays (test_nights has
    people who do); a text among them is a bot's level."""
    for user in (alice, *others):
        if not isinstance(user, str):
            User.objects.filter(pk=user.pk).update(
                quiet_from=0, quiet_until=0, holidays_by_themselves=False
            )
    terms = services.Terms(variant, preset, 1 + len(others), options or {}, pace)
    game = services.create(alice, terms)
    for other in others:
        if isinstance(other, str):
            services.add_bot(alice, game.pk, other)
        else:
            services.join(other, game.pk)
    return Game.objects.get(pk=game.pk)


def now(game: Game) -> Game:
    return Game.objects.prefetch_related("seats").get(pk=game.pk)


def let_bots_play(game: Game) -> Game:
    """Until it is a person's turn or over."""
    for _ in range(300):
        game = now(game)
        seat = game.seat_in_turn()
        if seat is None or not seat.is_played_by_bot:
            return game
        put_forward(seconds=6)
        assert sweep()
    pytest.fail("the bots never come to an end")


def test_a_bot_waits_a_little_and_then_plays(alice):
    game = table(alice, "easy")
    for _ in range(20):
        if game.status != Game.Status.PLAYING or game.seat_in_turn().bot:
            break
        services.act(alice, game.pk, first_move(game), game.version)
        game = now(game)
    assert not sweep(), "at once is too soon"
    put_forward(seconds=6)
    assert sweep() == 1
    assert now(game).moves.filter(author=MoveRecord.Author.BOT).exists()


def test_a_game_of_a_person_and_bots_ends(alice):
    game = let_bots_play(table(alice, "easy", "random", "easy"))
    for _ in range(1000):
        if game.status == Game.Status.FINISHED:
            break
        services.act(alice, game.pk, first_move(game), game.version)
        game = let_bots_play(game)
    assert game.status == Game.Status.FINISHED
    places = sorted(game.seats.values_list("place", flat=True))
    assert len(places) == 4
    assert places[0] == 1


def test_a_thought_about_an_old_table_is_thrown_away(alice):
    game = table(alice, "easy")
    thoughts = []
    for _ in range(20):
        if game.seat_in_turn().bot:
            break
        services.act(alice, game.pk, first_move(game), game.version)
        game = now(game)
    put_forward(seconds=6)
    sweep(lambda *thought: thoughts.append(thought))
    assert thoughts == [(game.pk, game.turn_version)]
    assert not sweep(), "it is claimed while it thinks"
    services.play_for_bot(*thoughts[0])
    before = now(game).version
    services.play_for_bot(*thoughts[0])  # delivered a second time
    assert now(game).version == before


def test_a_lost_thought_is_thought_again(alice):
    game = table(alice, "easy")
    while not game.seat_in_turn().bot:
        services.act(alice, game.pk, first_move(game), game.version)
        game = now(game)
    put_forward(seconds=6)
    assert sweep(lambda *thought: None) == 1  # the worker dies
    put_forward(seconds=30)
    assert sweep() == 1
    assert now(game).version > game.version


def test_the_clock_acts_for_the_silent_and_never_plays_a_card(alice, bob):
    game = table(alice, bob)
    for turn in range(2):
        silent = game.turn
        put_forward(days=1, seconds=2)
        assert sweep() == 1, turn
        game = now(game)
        move = game.moves.latest("number")
        assert (move.author, move.seat, move.move) == ("clock", silent, {"do": "timeout"})
        assert game.turn != silent
        assert now(game).deadline > clock.now()


def test_a_move_in_time_resets_the_count(alice, bob):
    game = table(alice, bob)
    put_forward(days=1, seconds=2)
    sweep()
    game = now(game)
    mover = person_in_turn(game)
    put_forward(days=1, seconds=2)
    sweep()
    assert game.seats.get(user=mover).timeouts == 1
    other = person_in_turn(now(game))
    services.act(other, game.pk, first_move(now(game)), now(game).version)
    assert game.seats.get(user=other).timeouts == 0


def make_absent(game: Game, absentee) -> Game:
    """Let every turn of one person run out until their seat is absent."""
    for _ in range(40):
        game = now(game)
        if game.seats.get(user=absentee).absent:
            return game
        mover = person_in_turn(game)
        if mover == absentee:
            put_forward(days=1, seconds=2)
            sweep()
        elif len(seen := rules.observe(game.position(), game.turn).moves) and (
            drawing := [m for m in seen if m.do in ("draw", "pass")]
        ):
            services.act(mover, game.pk, drawing[0], game.version)
    pytest.fail("never absent")


def test_an_absent_seat_is_played_by_a_bot_until_its_owner_comes_back(alice, bob):
    game = make_absent(table(alice, bob), bob)
    while person_in_turn(game) != bob:
        services.act(alice, game.pk, rules.Move("draw"), game.version)
        game = now(game)
        if game.turn == game.seats.get(user=alice).number:
            services.act(alice, game.pk, rules.Move("pass"), game.version)
            game = now(game)
    put_forward(seconds=6)
    sweep()
    assert now(game).moves.filter(author=MoveRecord.Author.BOT).exists()
    services.come_back(bob, game.pk)
    seat = game.seats.get(user=bob)
    assert (seat.absent, seat.timeouts) == (False, 0)
    before = now(game).version
    services.come_back(bob, game.pk)
    assert now(game).version == before


def test_where_absence_means_resigning_the_seat_resigns(alice, bob):
    game = table(alice, bob, options={"absent_seat": "resign", "max_timeouts": 1})
    silent = game.turn
    put_forward(days=1, seconds=2)
    sweep()
    game = now(game)
    assert (game.status, game.reason) == (Game.Status.FINISHED, "last_player")
    resigned = game.moves.latest("number")
    assert (resigned.seat, resigned.author, resigned.move) == (silent, "clock", {"do": "resign"})


def test_a_game_without_people_is_abandoned(alice, bob):
    game = table(alice, bob, "easy", options={"max_timeouts": 1})
    for _ in range(30):
        put_forward(days=1, seconds=2)
        sweep()
        game = now(game)
        if game.status == Game.Status.FINISHED:
            break
    assert (game.status, game.reason) == (Game.Status.FINISHED, "abandoned")
    assert set(game.seats.values_list("place", flat=True)) == {None}
    assert game.deadline is None


def test_when_the_last_person_resigns_the_bots_do_not_play_on(alice):
    game = table(alice, "easy", "easy")
    services.act(alice, game.pk, rules.Move("resign"), game.version)
    game = now(game)
    assert (game.status, game.reason) == (Game.Status.FINISHED, "abandoned")


def test_the_last_bot_left_has_won(alice):
    game = table(alice, "easy")
    services.act(alice, game.pk, rules.Move("resign"), game.version)
    game = now(game)
    assert (game.status, game.reason) == (Game.Status.FINISHED, "last_player")


def test_a_game_that_crashes_is_put_off_and_the_others_go_on(alice, bob, monkeypatch, caplog):
    broken, sound = table(alice, bob), table(alice, bob)
    put_forward(days=1, seconds=2)
    make = services.clock.make

    def fail_for_one(game, *rest):
        if game.pk == broken.pk:
            raise RuntimeError("broken")
        make(game, *rest)

    monkeypatch.setattr(services.clock, "make", fail_for_one)
    assert sweep() == 2
    assert now(sound).version > sound.version
    assert now(broken).version == broken.version
    assert now(broken).deadline > clock.now()
    assert "could not be served" in caplog.text


def crash_after(act):
    """A step of the sweep that crashes when somebody else has just been quicker."""

    def serve(game, think):
        act(game)
        raise RuntimeError("broken")

    return serve


def test_a_step_that_crashes_too_late_takes_no_time_from_the_next_player(alice, bob, monkeypatch):
    game = table(alice, bob)
    put_forward(days=1, seconds=2)
    mover, move = person_in_turn(game), first_move(game)
    play = crash_after(lambda seen: services.act(mover, seen.pk, move, seen.version))
    monkeypatch.setattr(services.clock, "_serve", play)
    assert sweep() == 1
    assert now(game).deadline - clock.now() > timedelta(hours=23)


def test_a_step_that_crashes_when_the_game_is_over_leaves_it_so(alice, bob, monkeypatch):
    game = table(alice, bob)
    put_forward(days=1, seconds=2)
    resign = crash_after(lambda seen: services.act(alice, seen.pk, rules.Move("resign"), 0))
    monkeypatch.setattr(services.clock, "_serve", resign)
    assert sweep() == 1
    assert (now(game).status, now(game).deadline) == (Game.Status.FINISHED, None)


def forgotten_mau(alice, bob, pace="1d") -> tuple[Game, int]:
    """A Mau-Mau table where alice is down to one card and has not called; a bot looks on."""
    game = table(alice, bob, "easy", variant="maumau", preset="mau", pace=pace)
    state = game.position()
    hand = sum(1 << card for card in (11, 24))  # queens of spades and hearts
    seats = {seat.user_id: seat.number for seat in game.seats.all()}
    hers = seats[alice.pk]
    hands = list(state.hands)
    everything = [*state.stock, *(c for h in hands for c in rules.cards.cards_in(h)), state.top]
    top = 12  # king of spades
    rest = [card for card in sorted(everything) if card not in (11, 24, top)]
    hands = [
        hand if number == hers else sum(1 << rest.pop() for _ in range(5)) for number in range(3)
    ]
    game.state = state._replace(
        hands=tuple(hands), top=top, stock=bytes(rest), under=b"", turn=hers
    ).to_json()
    game.turn = hers
    game.save()
    services.act(alice, game.pk, rules.Move("play", 11), game.version)
    return now(game), hers


def test_bots_catch_who_forgot_but_never_at_once(alice, bob, monkeypatch):
    monkeypatch.setitem(services.clock.bots.NOTICES_MAU, "easy", 1.0)
    game, hers = forgotten_mau(alice, bob)
    assert game.glance_at is not None
    assert not sweep()
    put_forward(seconds=3)
    assert sweep() >= 1
    assert rules.observe(now(game).position(), None).hand_sizes[hers] == 3


def test_who_calls_in_time_is_not_caught(alice, bob, monkeypatch):
    monkeypatch.setitem(services.clock.bots.NOTICES_MAU, "easy", 1.0)
    game, hers = forgotten_mau(alice, bob)
    services.act(alice, game.pk, rules.Move("mau"), game.version)
    put_forward(seconds=3)
    sweep()
    assert rules.observe(now(game).position(), None).hand_sizes[hers] == 1


def test_a_glance_that_falls_due_costs_nobody_the_turn(alice, bob, monkeypatch):
    """A sweep saw a turn run out, the move came first, and now bots are to look: that is all."""
    seen = []
    act = services.act

    def as_seen_before(user, game_id, *rest):
        seen.append(Game.objects.prefetch_related("seats").get(pk=game_id))
        act(user, game_id, *rest)

    monkeypatch.setattr(services, "act", as_seen_before)
    game, _ = forgotten_mau(alice, bob)
    put_forward(seconds=3)
    assert game.deadline < clock.now()
    monkeypatch.setattr(services.clock, "_overdue_game", seen.pop)
    assert services.serve_one_overdue_game(services.play_for_bot)
    assert now(game).version == game.version
    assert set(game.seats.values_list("timeouts", flat=True)) == {0}


def test_a_turn_at_a_slow_pace_is_noted_once_and_only_while_true(alice, bob):
    game = table(alice, bob)
    first = person_in_turn(game)
    notice = first.notices.get(kind="turn")
    assert {each.kind for each in first.notices.all()} == {"turn", "near50", "near90"}
    assert list(notices.open_notices(first.pk, "turn")) == [notice]
    services.act(first, game.pk, rules.Move("draw"), game.version)
    assert notice not in notices.open_notices(first.pk, "turn")


@pytest.mark.parametrize("pace", ["none", "30s", "2m"])
def test_at_live_paces_nobody_is_noted(alice, bob, pace):
    game = table(alice, bob, pace=pace)
    assert {each.kind for each in person_in_turn(game).notices.all()} == {"started"}


def test_a_move_costs_at_most_eight_queries(game, settings, django_assert_max_num_queries):
    settings.TEST_CLOCK = False
    mover, move = person_in_turn(game), first_move(game)
    with django_assert_max_num_queries(8, connection=connection):
        services.act(mover, game.pk, move, game.version)


def test_who_resigns_out_of_turn_gives_nobody_more_time(alice, bob, charlie):
    game = table(alice, bob, charlie, pace="1h")
    put_forward(minutes=30)
    other = game.seats.exclude(number=game.turn).first()
    services.act(other.user, game.pk, rules.Move("resign"), game.version)
    after = now(game)
    assert (after.turn, after.turn_began) == (game.turn, game.turn_began)
    assert after.deadline == game.deadline
    services.act(person_in_turn(after), game.pk, rules.Move("draw"), after.version)
    assert now(game).turn_began > game.turn_began
