"""What Celery does for people: it only asks often; PostgreSQL says whom to tell what."""

from celery import shared_task

from accounts import delivery


@shared_task
def forget_old_notices() -> None:
    """Delete notices that were settled long ago."""
    delivery.forget_old()


@shared_task
def deliver_notices() -> int:
    """Decide on every notice that is due and send what is to be sent; return how many steps."""
    steps = 0
    while delivery.serve_one_notice():
        steps += 1
    return steps
