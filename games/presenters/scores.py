"""A series as everybody sees it: which game this is, and who has how much."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import sentences, series
from games.models import Game, Seat
from games.presenters.document import Document
from games.presenters.seats import name_of


def series_of(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    """Return the state of the series, the leader first; empty at a single game.

    `headline` says which game this is, or who has won; `goes_on` whether another is to come. The
    score is that before the game, and with it once it is over.
    """
    if not game.series:
        return {}
    winner = game.series_winner()
    scored = sorted(
        zip(game.series_scores(), seats, strict=True),
        key=lambda pair: pair[0] if game.series == series.POINTS else -pair[0],
    )
    return {
        "name": sentences.series(game.series, game.series_length),
        "headline": _headline(game, winner, me),
        "goes_on": game.status == Game.Status.FINISHED and winner is None,
        "rows": [
            {
                "name": name_of(seat),
                "you": seat == me,
                "score": score,
                "score_text": score_text(game.series, score),
            }
            for score, seat in scored
        ],
    }


def score_text(kind: str, score: int) -> str:
    """Return a score in words: games won, or points."""
    if kind == series.POINTS:
        return sentences.points_text(score)
    return ngettext("%(n)d game won", "%(n)d games won", score) % {"n": score}


def _headline(game: Game, winner: Seat | None, me: Seat | None) -> str:
    if winner is not None and winner == me:
        return _("You win the series!")
    if winner is not None:
        return _("%(player)s wins the series!") % {"player": name_of(winner)}
    if game.series_game > game.series_length:
        return _("Deciding game")
    values = {"n": game.series_game, "total": game.series_length}
    return _("Game %(n)d of %(total)d") % values
