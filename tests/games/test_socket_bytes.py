"""What a seat is sent over its socket through a whole game: its own view, to the byte."""

import pytest
from channels.db import database_sync_to_async

from games.models import Game
from tests.games.test_sockets import play_one, sit_down
from tests.games.test_whole_game import shuffled_for

pytestmark = pytest.mark.django_db(transaction=True)
MOST_MOVES = 400


async def sent_to(game: Game, user) -> str:
    """Return what the socket sends on connecting: the same whole table as after a poke."""
    socket = await sit_down(game, user)
    text = await socket.receive_from(timeout=5)
    await socket.disconnect()
    return text


def put_back(game: Game, state: dict, events: dict) -> None:
    game.state = state
    game.save(update_fields=["state"])
    for move in game.moves.all():
        move.events = events[move.pk]
        move.save(update_fields=["events"])


@database_sync_to_async
def as_stored(game: Game) -> tuple[dict, dict]:
    game.refresh_from_db()
    return game.state, {move.pk: move.events for move in game.moves.all()}


async def test_no_byte_of_a_push_depends_on_what_the_seat_cannot_see(game, alice, bob):
    for _ in range(MOST_MOVES):
        state, events = await as_stored(game)
        if game.status == Game.Status.FINISHED:
            return
        for number, person in enumerate((alice, bob)):
            honest = await sent_to(game, person)
            assert state["seed"] not in honest
            await database_sync_to_async(shuffled_for)(game, number)
            assert await sent_to(game, person) == honest
            await database_sync_to_async(put_back)(game, state, events)
        await database_sync_to_async(play_one)(game)
    pytest.fail(f"still playing after {MOST_MOVES} moves")
