"""The final table as a picture for shared links: cards and places, no name and no word.

So one picture serves every language, and what a messenger keeps of a link names nobody.
"""

import hashlib
import json

from games.drawing import EDGE, OCHRE, PAPER, SIZE, SOOT, STRIPE, Picture
from games.presenters.document import Document

DESIGN = 1  # counts on with every change of what is drawn here: the address changes with it


def fingerprint(shown: Document) -> str:
    """Return what stands in the address of the picture of `presenters.final_table`."""
    drawn = json.dumps([DESIGN, _codes(shown)])
    return hashlib.sha256(drawn.encode()).hexdigest()[:16]


def draw(shown: Document) -> bytes:
    """Return the picture of `presenters.final_table` as PNG."""
    picture = Picture()
    picture.card(shown["top"], (70, 190), 210)
    rows = shown["rows"]
    height = (SIZE[1] - STRIPE - 40) / len(rows)
    for number, row in enumerate(rows):
        _row(picture, row, STRIPE + 20 + height * number, height)
    return picture.png()


def _codes(shown: Document) -> list:
    rows = [[row["place"], [card["code"] for card in row["hand"]]] for row in shown["rows"]]
    return [shown["top"]["code"], rows]


def _row(picture: Picture, row: Document, top: float, height: float) -> None:
    """A place in a disc, then the hand that was left: none for who got rid of it."""
    size = min(height - 12, 96)
    middle = top + height / 2
    won = row["place"] == 1
    place = "" if row["place"] is None else str(row["place"])
    picture.disc((340 + size / 2, middle), size, OCHRE if won else EDGE)
    picture.write(place, (340 + size / 2, middle), size * 0.6, SOOT if won else PAPER)
    width = size * 0.7
    step = min(width + 8, (SIZE[0] - 480 - width) / max(len(row["hand"]) - 1, 1))
    for number, card in enumerate(row["hand"]):
        picture.card(card, (470 + step * number, middle - size / 2), width)
