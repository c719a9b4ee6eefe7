"""What a socket says, packed: one stream for whoever knows what was said before, and small."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games import services
from games.frames import WINDOW, Deflater
from games.models import Game
from tests.games.playing import first_move, person_in_turn
from tests.games.test_sockets import consumer_of, sit_down, table_on

ONE_MOVE = 1_000 - 4  # bytes, beside the header of a frame
MOST_MOVES = 400


def unpacked(frames: list[bytes]) -> list[str]:
    """Read frames as static/live.js does: the text before, in a stored block, then the frame."""
    said = [b""]
    for frame in frames:
        before = said[-1][-WINDOW:]
        size = len(before).to_bytes(2, "little")
        header = b"\0" + size + bytes(byte ^ 255 for byte in size)
        reader = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        said.append(reader.decompress(header + before + frame)[len(before) :])
        assert reader.eof
    return [text.decode() for text in said[1:]]


@given(st.lists(st.text() | st.text(min_size=1).map(lambda text: text * 9999), max_size=6))
def test_what_is_packed_can_be_read(texts):
    deflater = Deflater()
    assert unpacked([deflater.pack(text) for text in texts]) == texts


def test_what_was_said_before_costs_next_to_nothing():
    deflater, page = Deflater(), "".join(f"<li>{number}</li>" for number in range(500))
    assert len(deflater.pack(page)) > 500
    assert len(deflater.pack(page.replace(">250<", ">news<"))) < 80


@pytest.mark.django_db(transaction=True)
async def test_a_socket_packs_if_it_is_asked_to(game, alice):
    plain = await sit_down(game, alice, "?language=de")
    packed = await sit_down(game, alice, "?language=de&frames=deflate")
    frame = await packed.receive_from(timeout=5)
    assert isinstance(frame, bytes)
    assert json.loads(unpacked([frame])[0]) == await table_on(plain)
    for socket in (plain, packed):
        await socket.disconnect()


@pytest.fixture
def six(db) -> Game:
    """A table of six of the game with most to tell."""
    people = [User.objects.create_user(f"Uwimana Nsengiyumva {number}") for number in range(6)]
    table = services.create(people[0], services.Terms("maumau", "mau", 6, {"deck": 52}))
    for person in people[1:]:
        services.join(person, table.pk)
    table.refresh_from_db()
    return table


def said_to(game: Game, user: User, language: str) -> str:
    consumer = consumer_of(game, user)
    consumer.language = language
    version, html = consumer.read_table()
    return json.dumps({"version": version, "html": html}, ensure_ascii=False)


@pytest.mark.django_db
@pytest.mark.parametrize("table", ["game", "six"])
def test_no_move_costs_more_than_its_budget(request, table, language):
    """A whole game, at the seat that looks on longest, and at one that does not: every message."""
    game = request.getfixturevalue(table)
    seats = list(game.seats.all())
    lines = [(seat.user, Deflater()) for seat in (seats[0], seats[-1])]
    sizes = []
    for _ in range(MOST_MOVES):
        sizes.append([len(line.pack(said_to(game, user, language))) for user, line in lines])
        if game.status == Game.Status.FINISHED:
            break
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
        game.refresh_from_db()
    assert len(sizes) > 5
    assert 0 < max(map(max, sizes[1:])) <= ONE_MOVE
