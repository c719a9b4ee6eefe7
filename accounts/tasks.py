"""What Celery does for people: it only asks often; PostgreSQL says whom to tell what."""

from celery import shared_task

from accounts import calls, delivery, mailing


@shared_task
def forget_old_notices() -> None:
    """Delete notices that were settled long ago."""
    delivery.forget_old()


@shared_task
def deliver_notices() -> int:
    """Decide on every notice that is due and send the mails that are; return how many steps."""
    steps = 0
    while decided := delivery.decide():
        steps += decided
    while mailing.send_one_mail():
        steps += 1
    return steps


@shared_task(soft_time_limit=30)  # seconds: others' servers can be slow, and mean to be
def make_calls() -> int:
    """Make every call to a push service or a webhook that is due; return how many."""
    made = 0
    while calls.make_one_call():
        made += 1
    return made
