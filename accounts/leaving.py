"""What the site keeps about a person, and how it forgets them.

Whoever goes leaves every game first, so that nobody waits for them; then the row is deleted. What
others have played stays: a seat without its person is "Former player". If something dies in
between, the person is signed out everywhere already, and the hourly task does the rest.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import F, Q, QuerySet
from django.forms.models import model_to_dict

from accounts import delivery
from accounts.models import User

GUESTS_ARE_KEPT = timedelta(days=90)  # without a visit
AT_ONCE = 200  # deletions of one task
TOLD = (
    *("name", "email", "language", "time_zone", "quiet_from", "quiet_until", "mail_turns"),
    *("mail_pace", "channels", "reminders", "sort_hand", "slip_guard", "voice", "four_colours"),
    *("left_handed", "letter_keys", "sounds", "vibration", "holidays_by_themselves", "seen_on"),
)
Before = Callable[[User], None]
Data = Callable[[User], dict[str, Any]]

_registered: list[tuple[Before, Data]] = []


def register(before: Before, data: Data) -> None:
    """Let `before(user)` be called before a person is deleted, and `data(user)`, by names, be part
    of what the person can download."""
    _registered.append((before, data))


def delete(user: User) -> None:
    """Delete a person for good. From the first step on they are signed out everywhere."""
    User.objects.filter(pk=user.pk).update(is_active=False, leaving=True)
    for before, _ in _registered:
        before(user)
    user.delete()


def delete_who_has_left() -> int:
    """Finish what `delete` has begun, and delete guests who were not here for GUESTS_ARE_KEPT.

    Returns how many. A guest with an address, a passkey, a password or an account elsewhere is none
    any more.
    """
    gone = list(_to_be_deleted().order_by("pk")[:AT_ONCE])
    for user in gone:
        delete(user)
    return len(gone)


def _to_be_deleted() -> QuerySet[User]:
    old = delivery.instant().date() - GUESTS_ARE_KEPT
    guests = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX, is_staff=False, email="")
    old_guests = guests & Q(seen_on__lt=old, emailaddress__isnull=True)
    passkeys = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN)
    kept = Q(pk__in=passkeys.values("user")) | Q(socialaccount__isnull=False)
    return User.objects.filter(Q(leaving=True) | old_guests & ~kept)


def personal_data(user: User) -> dict[str, Any]:
    """Return all that the site keeps about a person, but for what secures the account."""
    addresses = EmailAddress.objects.filter(user=user)
    told: dict[str, Any] = {
        "format": "ikarita-person/1",
        "account": model_to_dict(user, TOLD) | {"joined": user.date_joined},
        "addresses": list(addresses.values("email", "verified", "primary")),
        "notices": list(
            user.notices.order_by("pk").values("kind", "about", "created_at", "read_at")
        ),
        "people": list(
            user.ties.order_by("pk").values("kind", "created_at", name=F("other__name"))
        ),
        "browsers": list(
            UserSession.objects.filter(user=user).values("created_at", "ip", "user_agent")
        ),
        "factors": list(
            user.authenticator_set.order_by("pk").values("type", "created_at", "last_used_at")
        ),
        "accounts_elsewhere": list(
            user.socialaccount_set.order_by("pk").values("provider", "uid", "date_joined")
        ),
        "measures": list(
            user.measures.order_by("pk").values("kind", "reason", "until", "created_at")
        ),
        "reports": list(
            user.reports_made.order_by("pk").values(
                "kind", "note", "created_at", name=F("person__name")
            )
        ),
        "places": list(user.endpoints.order_by("pk").values("channel", "address", "created_at")),
    }
    for _, data in _registered:
        told |= data(user)
    return told
