"""The variants by name, and the rules compiled from a set of options."""

from functools import lru_cache

from games.rules.engine import Game
from games.rules.matatu import Matatu
from games.rules.mau_mau import MauMau
from games.rules.options import MatatuOptions, Options

VARIANTS: dict[str, type[Matatu] | type[MauMau]] = {"matatu": Matatu, "maumau": MauMau}


def game_of(options: Options) -> Game:
    """The variant with these options, kept beside them: this is asked at every move."""
    game: Game | None = options.__dict__.get("_game")
    if game is None:
        game = options.__dict__["_game"] = _compiled(options)
    return game


@lru_cache(maxsize=512)
def _compiled(options: Options) -> Game:
    return Matatu(options) if isinstance(options, MatatuOptions) else MauMau(options)
