"""What Celery does for people: it only asks often; PostgreSQL says whom to tell what.

All of it but the forgetting is on a queue of its own (config/settings.py): other people's servers
can be slow, and mean to be, and no game waits for them.
"""

from celery import shared_task
from django.core.cache import cache

from accounts import browsers, calls, delivery, leaving, mailing, moderation
from accounts.channels import HOOK, PUSH

SEEN_SECONDS = 15
# Seconds after which a task that calls others is broken off; what it called comes later.
MOST_SECONDS = 20
WEBHOOKS_ARE_CALLED = "webhooks-are-called"


@shared_task
def forget_old_notices() -> None:
    """Delete notices that were settled long ago."""
    delivery.forget_old()


@shared_task
def show_that_notices_can_go() -> None:
    """Leave the mark of the queue of notices."""
    cache.set(delivery.WORK_SEEN, True, SEEN_SECONDS)


@shared_task
def delete_who_has_left() -> int:
    """Delete guests who stay away, and whoever was half deleted; return how many."""
    return leaving.delete_who_has_left()


@shared_task
def deliver_notices() -> int:
    """Decide on every notice that is due and send the mails that are; return how many steps."""
    steps = 0
    while decided := delivery.decide():
        steps += decided
    while mailing.send_one_mail():
        steps += 1
    return steps


@shared_task(soft_time_limit=MOST_SECONDS)
def push_notices() -> int:
    """Call push services for all that is due on devices; return how many calls there were."""
    return _call(PUSH)


@shared_task(soft_time_limit=MOST_SECONDS)
def call_webhooks() -> int:
    """Call every webhook that is due; return how many there were. One worker at a time: the others
    are for what reaches everybody."""
    if not cache.add(WEBHOOKS_ARE_CALLED, True, 2 * MOST_SECONDS):
        return 0
    try:
        return _call(HOOK)
    finally:
        cache.delete(WEBHOOKS_ARE_CALLED)


def _call(channel: str) -> int:
    made = 0
    while calls.make_one_call(channel):
        made += 1
    return made


@shared_task
def forget_ended_sessions() -> int:
    """Delete sessions that have run out; returns how many were still listed."""
    return browsers.forget_ended()


@shared_task
def end_suspensions() -> int:
    """Let those in again whose suspension is over; returns how many."""
    return moderation.end_suspensions()
