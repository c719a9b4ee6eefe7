"""What all ways of sending share: a row is claimed before anything is sent, and settled after."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q

from accounts import delivery
from accounts.delivery import instant
from accounts.models import Delivery

RETRIES = 5
CLAIM = timedelta(minutes=10)  # after that, who has claimed a row is taken for dead
STEP = timedelta(minutes=2)  # until what could not be sent is tried again, doubled each time

# What is to be sent, or was claimed by a worker that has died since.
OPEN = Q(state__in=[Delivery.State.WAITING, Delivery.State.CLAIMED])


def claim(rows: Iterable[Delivery]) -> list[Delivery]:
    """Claim what is to be sent now, and return it; what was tried too often is given up. The
    caller has locked it, and commits before it sends."""
    now, claimed = instant(), []
    for row in rows:
        if row.tries >= RETRIES or row.repeated:
            settle([row], Delivery.State.FAILED)
        else:
            row.repeated = row.state == Delivery.State.CLAIMED  # and its worker died: once more
            row.state, row.due_at, row.tries = Delivery.State.CLAIMED, now + CLAIM, row.tries + 1
            claimed.append(row)
    Delivery.objects.bulk_update(claimed, ["state", "due_at", "tries", "repeated"])
    return claimed


def settle(rows: list[Delivery], state: str, why: str = "") -> None:
    """Note what came of these."""
    now = instant()
    for row in rows:
        row.state, row.settled_at, row.why = state, now, why or row.why
    Delivery.objects.bulk_update(rows, ["state", "settled_at", "why"])


def put_off(rows: list[Delivery], why: str, wait: timedelta = timedelta(0)) -> None:
    """Try these again: the longer after, the more often it was in vain, and not before `wait`."""
    for row in rows:
        row.state, row.why = Delivery.State.WAITING, why
        row.due_at = instant() + max(wait, STEP * 2**row.tries)
    Delivery.objects.bulk_update(rows, ["state", "why", "due_at"])


def is_true(row: Delivery) -> bool:
    """Return whether this is still to be told; its notice then has all that its letter needs."""
    found = delivery.true(row.notice) if row.notice.user.is_active else None
    row.notice = found or row.notice
    return found is not None
