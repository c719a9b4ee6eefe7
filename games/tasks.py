"""What Celery does for games: it only asks often; PostgreSQL says what is due."""

import logging

from celery import shared_task
from django.core.cache import cache
from kombu.exceptions import OperationalError

from games import services

logger = logging.getLogger(__name__)
# Marks in the cache, left by work done: alive is who works, not who is connected.
SWEEP_SEEN = "sweep-seen"
BOTS_SEEN = "bots-seen"
SEEN_SECONDS = 15


@shared_task
def serve_overdue_games() -> int:
    """Serve every game that is overdue, unless clocks are frozen; return how many there were."""
    served = 0
    while services.keep_time() and services.serve_one_overdue_game(_ask_to_think):
        served += 1
    cache.set(SWEEP_SEEN, True, SEEN_SECONDS)
    return served


def _ask_to_think(game_id: str, turn_version: int) -> None:
    """Queue the thought; one that cannot be queued is asked for again when its claim runs out."""
    try:
        think.delay(game_id, turn_version)
    except OperationalError:
        logger.warning("no thought for game %s", game_id, exc_info=True)


@shared_task
def forget_old_seeks() -> int:
    """Delete what people looked for long ago; return how many there were."""
    return services.forget_old_seeks()


@shared_task
def think(game_id: str, turn_version: int) -> None:
    """Let the bot in turn think and move; on a queue of its own."""
    services.play_for_bot(game_id, turn_version)
    cache.set(BOTS_SEEN, True, SEEN_SECONDS)


@shared_task
def show_that_bots_can_think() -> None:
    """Leave the mark of the bots' queue when no bot has had to think for a while."""
    cache.set(BOTS_SEEN, True, SEEN_SECONDS)
