"""What the server does when nobody else does: one overdue game at a time."""

from games import clock
from games.models import Game
from games.services.change import Unchanged, change
from games.services.lobby import close


def serve_one_overdue_game() -> bool:
    """Serve the game that is overdue longest; return whether there was one.

    A lobby at the end of its lifetime is closed.
    """
    overdue = Game.objects.filter(deadline__lte=clock.now()).order_by("deadline")
    game_id = overdue.values_list("pk", flat=True).first()
    if game_id is None:
        return False
    with change(game_id) as game:
        if game.deadline is None or game.deadline > clock.now():
            raise Unchanged  # somebody else was quicker
        close(game)
    return True
