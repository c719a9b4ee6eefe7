"""Several games that count together: best of N, or the lowest points over N games.

Pure: values in, values out. A game adds to the scores if somebody has won it. Part of no rule of
the games (docs/decisions/0041): MT-34 and MM-32 say who is which place in one game.
"""

from collections.abc import Sequence
from typing import Protocol

WINS, POINTS = KINDS = ("wins", "points")
LENGTHS = {WINS: (3, 5, 7), POINTS: (3, 5, 10)}
RESIGNED = 50  # points at least of who gives up, as much as the dearest single hand card counts


class Player(Protocol):
    """A seat: its score before the game, and what the game has brought it."""

    score: int
    place: int | None
    points: int | None


def was_won(players: Sequence[Player]) -> bool:
    """Return whether the game had a winner; one that everybody has left counts for nobody."""
    return any(player.place == 1 for player in players)


def scores(kind: str, players: Sequence[Player]) -> list[int]:
    """Return the score of each player with this game: games won, or points.

    A winner gets no points, everybody else what is left in the hand; who has resigned as much as
    the worst hand, and RESIGNED at least.
    """
    if not was_won(players):
        return [player.score for player in players]
    worst = max([RESIGNED, *(p.points or 0 for p in players if p.place != 1)])
    return [player.score + _gained(kind, player, worst) for player in players]


def _gained(kind: str, player: Player, worst: int) -> int:
    won = player.place == 1
    if kind == WINS:
        return int(won)
    if won:
        return 0
    return worst if player.points is None else player.points


def leaders(kind: str, scores: Sequence[int]) -> list[int]:
    """Return who leads, by index: the most games won, or the fewest points."""
    best = max(scores) if kind == WINS else min(scores)
    return [index for index, score in enumerate(scores) if score == best]


def winner(kind: str, length: int, played: int, scores: Sequence[int]) -> int | None:
    """Return the index of who has won a series of `length` games after `played` of them, or None.

    Best of N ends as soon as nobody can catch up; after N games who leads alone has won, and while
    nobody does there is one game more.
    """
    first, *others = leaders(kind, scores)
    left = max(length - played, 0)
    if others or (left and kind == POINTS):
        return None
    rest = [score for index, score in enumerate(scores) if index != first]
    return first if not left or all(scores[first] - score > left for score in rest) else None
