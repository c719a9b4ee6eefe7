"""The picture beside a link to a table: the game, its cards of note, the seats, the code; no name.

So one picture serves every language, and what a messenger keeps of a link names nobody.
"""

from games.drawing import EDGE, OCHRE, PAPER, SIZE, STRIPE, Picture
from games.models import Game
from games.presenters.cards import face_of
from games.rules.cards import card_from_code

DESIGN = 1  # counts on with every change of what is drawn here: the address changes with it
TITLES = {"matatu": "Matatu", "maumau": "Mau-Mau"}
CARDS = {  # what each game is remembered by
    "matatu": ("2H", "8S", "JK1", "AD", "7C"),
    "maumau": ("7H", "8S", "JC", "AD", "9C"),
}
WIDTH, GAP, SEAT = 150, 26, 44


def draw(game: Game) -> bytes:
    """Return the picture of the invitation to `game` as PNG."""
    picture = Picture()
    cards = CARDS[game.variant]
    for number, card in enumerate(cards):
        left = _in_a_row(number, len(cards), WIDTH + GAP) - WIDTH / 2
        picture.card(face_of(card_from_code(card)), (left, STRIPE + 40), WIDTH)
    picture.write(TITLES[game.variant], (SIZE[0] / 2, 372), 100, PAPER)
    for number in range(game.seat_count):
        middle = (_in_a_row(number, game.seat_count, SEAT + GAP), 470)
        picture.disc(middle, SEAT, OCHRE)
        picture.write(str(number + 1), middle, SEAT * 0.6, EDGE)
    picture.write(" ".join(game.code), (SIZE[0] / 2, 562), 64, OCHRE)
    return picture.png()


def _in_a_row(number: int, of: int, step: float) -> float:
    """Where the middle of one of so many things is, which stand in the middle of the picture."""
    return SIZE[0] / 2 + step * (number - (of - 1) / 2)
