"""What Celery does for games: it only asks often; PostgreSQL says what is due."""

from celery import shared_task
from django.core.cache import cache

from games import services

SWEEP_SEEN = "sweep-seen"  # in the cache while the sweep is alive
SWEEP_SEEN_SECONDS = 15


@shared_task
def serve_overdue_games() -> int:
    """Serve every game that is overdue; return how many there were."""
    served = 0
    while services.serve_one_overdue_game(think.delay):
        served += 1
    cache.set(SWEEP_SEEN, True, SWEEP_SEEN_SECONDS)
    return served


@shared_task
def think(game_id: str, turn_version: int) -> None:
    """Let the bot in turn think and move; on a queue of its own."""
    services.play_for_bot(game_id, turn_version)
