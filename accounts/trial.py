"""A notice that only says that notices arrive, on the same way as all others."""

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import endpoints
from accounts.channels import TRIAL
from accounts.delivery import instant
from accounts.models import Delivery, Notice, User


def start(user: User) -> int:
    """Send a trial to each place that this person has named, at any hour; return to how many."""
    places, now = endpoints.live(user), instant()
    if not places:
        return 0
    with transaction.atomic():
        # A version of its own: a second trial in the same second is the same.
        notice, new = Notice.objects.get_or_create(
            user=user,
            kind=TRIAL,
            about=TRIAL,
            version=int(now.timestamp()),
            defaults={"created_at": now, "due_at": now, "decided_at": now},
        )
        if new:
            Delivery.objects.bulk_create(
                Delivery(notice=notice, channel=each.channel, endpoint=each, due_at=now)
                for each in places
            )
    return len(places)


def still_open(user_id: int, kind: str) -> QuerySet[Notice]:
    """Return trials of this person; none for the inbox, which is not what is tried."""
    trials = Notice.objects.filter(user=user_id, kind=TRIAL)
    return trials if kind else trials.none()


def letter(notice: Notice) -> tuple[str, str]:
    """Return subject and sentence of a trial."""
    sentence = _("Notices from Ikarita reach you here.")
    return sentence, sentence


def page(notice: Notice) -> str:
    """Return the path of the page that tells what came of it."""
    return reverse("reached")
