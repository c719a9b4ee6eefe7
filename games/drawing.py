"""Pictures beside shared links: cards and words on the cloth.

Drawn at twice the size and made smaller at the end, for smooth edges. Lengths are pixels.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 630)  # what messengers show beside a link
FINE = 2
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


class Picture:
    """A cloth below a border of imigongo, and what is laid on it."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), CLOTH)
        self._pen = ImageDraw.Draw(self._image)
        self._pen.rectangle(_scaled_box((0, 0, SIZE[0], STRIPE)), fill=PAPER)
        for colour, down in ((SOOT, 6), (OCHRE, 18), (CLAY, 30)):
            points = [(x * 28, down + (10 if x % 2 else 0)) for x in range(SIZE[0] // 28 + 2)]
            self._pen.line(_scaled(points), fill=colour, width=6 * FINE, joint="curve")

    def card(self, card: Mapping[str, Any], at: tuple[float, float], width: float) -> None:
        """Lay a card of `presenters.cards.face_of`; `at` is its upper left corner."""
        x, y = at
        height = width / 0.7
        outline = (x, y, x + width, y + height)
        self._pen.rounded_rectangle(
            _scaled_box(outline), width * 0.12 * FINE, fill=PAPER, outline=EDGE, width=FINE
        )
        colour = COLOURS.get(card["suit"], COLOURS["H" if card["colour"] == "red" else "S"])
        if card["rank"] == "JK":
            self._suit("", (x + width * 0.14, y + height * 0.25), width * 0.72, colour)
            return
        self.write(card["rank"], (x + width / 2, y + height * 0.27), width * 0.56, colour)
        self._suit(card["suit"], (x + width * 0.26, y + height * 0.5), width * 0.48, colour)

    def disc(self, middle: tuple[float, float], size: float, colour: str) -> None:
        """Lay a round piece."""
        x, y = middle
        box = (x - size / 2, y - size / 2, x + size / 2, y + size / 2)
        self._pen.ellipse(_scaled_box(box), fill=colour)

    def write(self, text: str, middle: tuple[float, float], size: float, colour: str) -> None:
        """Write what needs no more than Latin letters, in the typeface that Pillow brings."""
        self._pen.text(
            _scaled([middle])[0],
            text,
            fill=colour,
            font=ImageFont.load_default(size * FINE),
            anchor="mm",
            stroke_width=size * FINE / 40,
            stroke_fill=colour,
        )

    def png(self) -> bytes:
        """Return what was drawn."""
        small = self._image.resize(SIZE, Image.Resampling.LANCZOS)
        file = io.BytesIO()
        # So few colours need no more than a palette: a third of the bytes.
        small.quantize(64).save(file, "PNG", optimize=True)
        return file.getvalue()

    def _suit(self, suit: str, at: tuple[float, float], width: float, colour: str) -> None:
        x, y, unit = at[0], at[1], width / 32
        for a, b, radius in CIRCLES.get(suit, ()):
            box = (a - radius, b - radius, a + radius, b + radius)
            placed = [v * unit + (y if n % 2 else x) for n, v in enumerate(box)]
            self._pen.ellipse(_scaled_box(placed), fill=colour)
        for shape in POLYGONS[suit]:
            points = [(x + a * unit, y + b * unit) for a, b in shape]
            self._pen.polygon(_scaled(points), fill=colour)


def _scaled(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x * FINE, y * FINE) for x, y in points]


def _scaled_box(box: Sequence[float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (value * FINE for value in box)
    return left, top, right, bottom
