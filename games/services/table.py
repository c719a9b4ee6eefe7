"""At the table: moves, whoever makes them, and the end."""

from datetime import timedelta
from functools import partial

from django.db import transaction

from games import rules
from games.models import Game, Holiday, MoveRecord, Seat, new_key
from games.services.change import (
    BOT_WAIT,
    Refused,
    StaleVersion,
    Unchanged,
    begin_turn,
    change,
    stand_still,
)
from games.services.holidays import let_clocks_run

# A call or a catch in between does not spoil a move (CONTRACTS section 3).
TURN_ACTS = {"play", "draw", "pass", "timeout", "resign"}
JUDGED_BY_VERSION = {"play", "draw", "pass"}
_WHY_NOT_PLAYING = {"waiting": "not_started", "finished": "over", "closed": "closed"}


def act(user, game_id: str, move: rules.Move, version: int, page: str = "") -> None:
    """Make `move` for `user`, who was looking at `version` of the table on `page` (its mark).

    An exact repeat of the move that this seat has just made at that version changes nothing.
    Whoever acts is not absent. Raises Refused("not_seated", "not_started", "over" or "closed"),
    StaleVersion,
    rules.IllegalMove.
    """
    with change(game_id) as game:
        seat = game.seat_of(user)
        if seat is None:
            raise Refused("not_seated")
        if _is_repeat(game, seat, move, version):
            raise Unchanged
        if game.status != Game.Status.PLAYING:
            raise Refused(_WHY_NOT_PLAYING[game.status])
        if move.do in JUDGED_BY_VERSION and not game.turn_version <= version <= game.version:
            raise StaleVersion
        _is_back(game, seat)
        _is_home(game, user)
        game.page = page
        make(game, seat.number, move, MoveRecord.Author.PLAYER, version)


def come_back(user, game_id: str) -> None:
    """Take the seat back from the bot that plays it. Raises Refused("not_seated")."""
    with change(game_id) as game:
        seat = game.seat_of(user)
        if seat is None:
            raise Refused("not_seated")
        if not seat.absent or game.status != Game.Status.PLAYING:
            raise Unchanged
        _is_back(game, seat)
        begin_turn(game)  # one that was the bot's is a whole turn again


def pause_for_line(user, game_id: str) -> None:
    """Stop the clock of `user` for one more turn's time: the line or the power has failed.

    Once a game and person; pressing twice is pressing once. Raises Refused("not_seated",
    "not_your_turn", "no_clock" or "line_pause_taken").
    """
    with change(game_id) as game:
        seat, seconds = game.seat_of(user), Game.Pace(game.pace).seconds
        if seat is None:
            raise Refused("not_seated")
        if game.status != Game.Status.PLAYING or seat.number != game.turn or seat.absent:
            raise Refused("not_your_turn")
        if seconds is None:
            raise Refused("no_clock")
        if any(pause.why == "line" for pause in game.turn_pauses()):
            raise Unchanged
        if seat.line_failed:
            raise Refused("line_pause_taken")
        seat.line_failed = True
        seat.save(update_fields=["line_failed"])
        stand_still(game, game.at, game.at + timedelta(seconds=seconds), "line")


def share(user, game_id: str) -> str:
    """Return the key by which anybody may see the replay of a finished game, made at the first ask.

    It changes nothing at the table, so it makes no version. Raises Refused("not_seated" or
    "not_over"), Game.DoesNotExist.
    """
    game = Game.objects.prefetch_related("seats").get(pk=game_id)
    if game.seat_of(user) is None:
        raise Refused("not_seated")
    if game.status != Game.Status.FINISHED:
        raise Refused("not_over")
    unshared = Game.objects.filter(pk=game_id, share_key="")  # two who ask at once get one key
    unshared.update(share_key=new_key())
    return Game.objects.values_list("share_key", flat=True).get(pk=game_id)


def withdraw(user, game_id: str) -> None:
    """Make the link to the replay of a finished game lead nowhere; the next one is another.

    Withdrawing twice is withdrawing once. Raises Refused("not_seated"), Game.DoesNotExist.
    """
    game = Game.objects.prefetch_related("seats").get(pk=game_id)
    if game.seat_of(user) is None:
        raise Refused("not_seated")
    Game.objects.filter(pk=game_id).update(share_key="")


def mute(user, game_id: str, *, muted: bool) -> None:
    """Let the notices about a game stay in this person's inbox, or be sent on again.

    It changes nothing at the table, so it makes no version. Raises Refused("not_seated").
    """
    if not Seat.objects.filter(game=game_id, user=user).update(muted=muted):
        raise Refused("not_seated")


def make(game: Game, seat: int, move: rules.Move, author: str, upon: int) -> None:
    """Apply a move, record it, and end the game if it is over. For use inside `change`."""
    after, events = rules.apply(game.position(), seat, move)
    in_turn = game.turn
    _put(game, after)
    if move.do in TURN_ACTS:
        game.turn_version = game.version + 1
        game.glance_at = None
        if in_turn == seat or game.turn != in_turn:  # who resigns gives nobody more time
            begin_turn(game)
    game.move_count += 1
    MoveRecord.objects.create(
        game=game,
        number=game.move_count,
        seat=seat,
        author=author,
        upon=upon,
        move=move.to_json(),
        events=[event.to_json() for event in events],
        at=game.at,
    )
    game.news += [("caught", event.target or 0) for event in events if event.kind == "caught"]
    if after.outcome:
        _finish(game, after.outcome)
    elif move.do == "resign":
        forget_votes(game)
        if not has_people(game):
            abandon(game)
    elif move.do == "play":
        game.glance_at = _when_bots_look(game, seat, after)


def abandon(game: Game) -> None:
    """End a game that nobody plays any more (part G). For use inside `change`."""
    after, _ = rules.abandon(game.position())
    _put(game, after)
    if after.outcome:
        _finish(game, after.outcome)


def has_people(game: Game) -> bool:
    """Whether a person still plays here: seated, not absent, not resigned."""
    playing = rules.observe(game.position(), None).in_game
    return any(
        seat.user_id and not seat.absent and playing[seat.number] for seat in game.seats.all()
    )


def _put(game: Game, state: rules.State) -> None:
    game.state = state.to_json()
    game.turn = None if state.outcome else state.turn


def _is_repeat(game: Game, seat: Seat, move: rules.Move, version: int) -> bool:
    if version >= game.version:  # upon the table as it is now nobody has moved yet
        return False
    last = game.moves.filter(seat=seat.number).order_by("-number").first()
    return last is not None and last.upon == version and last.move == move.to_json()


def forget_votes(game: Game) -> None:
    """Let nobody have voted: others are there now, or what was asked is settled."""
    for seat in game.seats.all():
        seat.vote = ""
    game.seats.exclude(vote="").update(vote="")


def _is_back(game: Game, seat: Seat) -> None:
    if seat.absent:
        forget_votes(game)
    if seat.absent or seat.timeouts:
        seat.absent, seat.timeouts = False, 0
        seat.save(update_fields=["absent", "timeouts"])


def _is_home(game: Game, user) -> None:
    """Who plays needs no holiday that was taken for want of a move."""
    if Game.Pace(game.pace).is_of_days:
        taken = Holiday.objects.filter(user=user, automatic=True, ends_at__gt=game.at)
        if taken.update(ends_at=game.at):
            # At other tables the clock runs on; each is a change of its own.
            transaction.on_commit(partial(let_clocks_run, user.pk), robust=True)


def _when_bots_look(game: Game, seat: int, state: rules.State):
    """After a card that leaves one and no call that all could hear, bots look up (part G)."""
    seen = rules.observe(state, None)
    bots = [each for each in game.seats.all() if each.is_played_by_bot and each.number != seat]
    if not bots or seen.hand_sizes[seat] != 1 or seen.said_mau[seat]:
        return None
    return game.at + BOT_WAIT if rules.observe(state, bots[0].number).accusable else None


def _finish(game: Game, outcome: rules.Outcome) -> None:
    game.status = Game.Status.FINISHED
    game.reason = outcome.reason
    game.finished_at = game.at
    game.glance_at = None
    place_of: dict[int, int] = {}
    for place in outcome.places:
        place_of.update(dict.fromkeys(place, len(place_of) + 1))
    for seat in game.seats.all():
        seat.place = place_of.get(seat.number)
        seat.points = outcome.points[seat.number] if outcome.points else None
        seat.save(update_fields=["place", "points"])
