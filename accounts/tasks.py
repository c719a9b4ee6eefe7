"""What Celery does for people: it only asks often; PostgreSQL says whom to tell what."""

from celery import shared_task

from accounts import delivery


@shared_task
def send_due_mails() -> int:
    """Decide on every notice that waits for it; return how many there were."""
    decided = 0
    while delivery.send_one_due_mail():
        decided += 1
    return decided
