"""The final table as a picture for shared links: cards and places, no name and no word.

So one picture serves every language, and what a messenger keeps of a link names nobody.
"""

import hashlib
import io
import json
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from games.presenters.document import Document

DESIGN = 1  # counts on with every change of what is drawn here: the address changes with it
SIZE = (1200, 630)  # what messengers show beside a link
FINE = 2  # drawn at twice the size and made smaller, for smooth edges
CLOTH, EDGE, PAPER, OCHRE, SOOT = "#20573f", "#173f2e", "#fffdf8", "#d39a2d", "#1c1917"
CLAY = "#9a3b1c"
COLOURS = {"S": SOOT, "H": "#a81a15", "D": "#1f4f8a", "C": "#17633f"}  # as on the site's cards
STRIPE = 44  # the height of the border above
# Suits in a square of 32, as in templates/_sprite.html, of circles and polygons.
CIRCLES: dict[str, list[tuple[float, float, float]]] = {
    "H": [(9.2, 11, 6.9), (22.8, 11, 6.9)],
    "S": [(9.4, 18.5, 6.4), (22.6, 18.5, 6.4)],
    "C": [(16, 9, 6.4), (8.6, 19, 6.4), (23.4, 19, 6.4)],
}
POLYGONS: dict[str, list[list[tuple[float, float]]]] = {
    "H": [[(3.1, 14), (28.9, 14), (16, 29)], [(9, 9), (23, 9), (16, 16)]],
    "S": [
        [(3.6, 15.6), (28.4, 15.6), (16, 2)],
        [(9, 20), (23, 20), (16, 12)],
        [(16, 13), (11, 30), (21, 30)],
    ],
    "D": [[(16, 1.5), (27.5, 16), (16, 30.5), (4.5, 16)]],
    "C": [[(16, 12), (11, 30), (21, 30)], [(11, 12), (21, 12), (18, 22), (14, 22)]],
    "": [[(16, 1), (20, 12), (31, 16), (20, 20), (16, 31), (12, 20), (1, 16), (12, 12)]],
}


def fingerprint(shown: Document) -> str:
    """Return what stands in the address of the picture of `presenters.final_table`."""
    drawn = json.dumps([DESIGN, _codes(shown)])
    return hashlib.sha256(drawn.encode()).hexdigest()[:16]


def draw(shown: Document) -> bytes:
    """Return the picture of `presenters.final_table` as PNG."""
    image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), CLOTH)
    pen = ImageDraw.Draw(image)
    _stripe(pen)
    _card(pen, shown["top"], (70, 190), 210)
    rows = shown["rows"]
    height = (SIZE[1] - STRIPE - 40) / len(rows)
    for number, row in enumerate(rows):
        _row(pen, row, STRIPE + 20 + height * number, height)
    small = image.resize(SIZE, Image.Resampling.LANCZOS)
    file = io.BytesIO()
    # So few colours need no more than a palette: a third of the bytes.
    small.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def _codes(shown: Document) -> list:
    rows = [[row["place"], [card["code"] for card in row["hand"]]] for row in shown["rows"]]
    return [shown["top"]["code"], rows]


def _stripe(pen: ImageDraw.ImageDraw) -> None:
    """The zigzag of imigongo along the top."""
    pen.rectangle(_scaled_box((0, 0, SIZE[0], STRIPE)), fill=PAPER)
    for colour, down in ((SOOT, 6), (OCHRE, 18), (CLAY, 30)):
        points = [(x * 28, down + (10 if x % 2 else 0)) for x in range(SIZE[0] // 28 + 2)]
        pen.line(_scaled(points), fill=colour, width=6 * FINE, joint="curve")


def _row(pen: ImageDraw.ImageDraw, row: Document, top: float, height: float) -> None:
    """A place in a disc, then the hand that was left: none for who got rid of it."""
    size = min(height - 12, 96)
    middle = top + height / 2
    won = row["place"] == 1
    disc = (340, middle - size / 2, 340 + size, middle + size / 2)
    pen.ellipse(_scaled_box(disc), fill=OCHRE if won else EDGE)
    place = "" if row["place"] is None else str(row["place"])
    _write(pen, place, (340 + size / 2, middle), size * 0.6, SOOT if won else PAPER)
    width = size * 0.7
    step = min(width + 8, (SIZE[0] - 480 - width) / max(len(row["hand"]) - 1, 1))
    for number, card in enumerate(row["hand"]):
        _card(pen, card, (470 + step * number, middle - size / 2), width)


def _card(pen: ImageDraw.ImageDraw, card: Document, at: tuple[float, float], width: float) -> None:
    x, y = at
    height = width / 0.7
    outline = (x, y, x + width, y + height)
    pen.rounded_rectangle(
        _scaled_box(outline), width * 0.12 * FINE, fill=PAPER, outline=EDGE, width=FINE
    )
    colour = COLOURS.get(card["suit"], COLOURS["H" if card["colour"] == "red" else "S"])
    if card["rank"] == "JK":
        _suit(pen, "", (x + width * 0.14, y + height * 0.25), width * 0.72, colour)
        return
    _write(pen, card["rank"], (x + width / 2, y + height * 0.27), width * 0.56, colour)
    _suit(pen, card["suit"], (x + width * 0.26, y + height * 0.5), width * 0.48, colour)


def _suit(
    pen: ImageDraw.ImageDraw, suit: str, at: tuple[float, float], width: float, colour: str
) -> None:
    x, y, unit = at[0], at[1], width / 32
    for a, b, radius in CIRCLES.get(suit, ()):
        box = (a - radius, b - radius, a + radius, b + radius)
        placed = [v * unit + (y if n % 2 else x) for n, v in enumerate(box)]
        pen.ellipse(_scaled_box(placed), fill=colour)
    for shape in POLYGONS[suit]:
        pen.polygon(_scaled([(x + a * unit, y + b * unit) for a, b in shape]), fill=colour)


def _write(
    pen: ImageDraw.ImageDraw, text: str, middle: tuple[float, float], size: float, colour: str
) -> None:
    """Ranks and numbers, in the typeface that comes with the library."""
    font = ImageFont.load_default(size * FINE)
    pen.text(
        _scaled([middle])[0],
        text,
        fill=colour,
        font=font,
        anchor="mm",
        stroke_width=size * FINE / 40,
        stroke_fill=colour,
    )


def _scaled(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x * FINE, y * FINE) for x, y in points]


def _scaled_box(box: Sequence[float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (value * FINE for value in box)
    return left, top, right, bottom
