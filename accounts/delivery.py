"""The delivery door: what reaches a person about a game, once, by which way.

Whoever has something to tell writes a row; the row is unique, so each is told once however many
workers look. Before anything is sent it is asked whether it is still true.
"""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import Notice, User

# What accounts must ask of others, by kind of notice; they register it (games/apps.py).
Open = Callable[[int], "QuerySet[Notice]"]
Letter = Callable[["Notice"], tuple[str, str, str]]
_open: dict[str, Open] = {}
_letters: dict[str, Letter] = {}

LOOKING_SECONDS = 45  # how long a sign of life at a table counts as looking
LONGEST_DELAY = timedelta(minutes=10)  # an open tab delays a mail, and no longer than this
MOST_SHOWN = 50


def register(kind: str, still_open: Open, letter: Letter) -> None:
    """Let notices of this kind be asked for and read.

    `still_open(user id)` returns the rows that are still true, each with what
    `letter(notice)` -> (subject, text, path) needs of other tables.
    """
    _open[kind] = still_open
    _letters[kind] = letter


def write(user_id: int, kind: str, about: str, version: int) -> None:
    """Note that somebody is to be told; a second time changes nothing."""
    row = Notice(user_id=user_id, kind=kind, about=about, version=version)
    Notice.objects.bulk_create([row], ignore_conflicts=True)


def is_looking(user_id: int, about: str) -> bool:
    """Return whether this person has lately given a sign of life at that table."""
    return cache.get(_looking_key(user_id, about)) is not None


def looks(user_id: int, about: str) -> None:
    """Note a sign of life at a table: a stamp that runs out by itself, never a flag."""
    cache.set(_looking_key(user_id, about), True, LOOKING_SECONDS)


def _looking_key(user_id: int, about: str) -> str:
    return f"looking:{user_id}:{about}"


def letter(notice: Notice) -> tuple[str, str, str]:
    """Return subject, sentence and path of an open notice in the active language."""
    return _letters[notice.kind](notice)


def open_notices(user) -> list[Notice]:
    """Return what this person is still to know, newest first: the inbox. A query for each kind."""
    rows = [row for still_open in _open.values() for row in still_open(user.pk)[:MOST_SHOWN]]
    return sorted(rows, key=lambda row: row.created_at, reverse=True)[:MOST_SHOWN]


def send_one_due_mail() -> bool:
    """Decide on the oldest notice without a decision; return whether there was one.

    The row is claimed before the mail is sent: a worker that dies in between loses a mail
    rather than sending two.
    """
    with transaction.atomic():
        notice = _next_to_decide()
        if notice is None:
            return False
        true = _open[notice.kind](notice.user_id).filter(pk=notice.pk).first()
        notice.sent_at = timezone.now()
        notice.done_at = None if true else notice.sent_at
        notice.save(update_fields=["sent_at", "done_at"])
    if true and notice.user.email and notice.user.mail_turns and notice.user.is_active:
        _send(notice.user, letter_of=true)
    return True


def _next_to_decide() -> Notice | None:
    """The oldest notice to decide on now; one about a table being looked at can wait a while."""
    undecided = Notice.objects.select_for_update(skip_locked=True, of=("self",))
    undecided = undecided.filter(sent_at=None, done_at=None).select_related("user")
    for notice in undecided.order_by("created_at")[:200]:
        waited = timezone.now() - notice.created_at
        if waited > LONGEST_DELAY or not is_looking(notice.user_id, notice.about):
            return notice
    return None


def _send(user: User, letter_of: Notice) -> None:
    with translation.override(user.language or settings.LANGUAGE_CODE):
        subject, sentence, path = letter(letter_of)
        off = f"{settings.SITE_URL}{reverse('mail_off', args=[off_token(user)])}"
        context = {"user": user, "sentence": sentence, "off": off}
        context["url"] = f"{settings.SITE_URL}{path}"
        text = render_to_string("accounts/notice.txt", context)
    mail = EmailMessage(subject, text, to=[user.email])
    mail.extra_headers = {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    mail.send()


def off_token(user: User) -> str:
    """Return what stands in a mail's link that turns mails off: signed, not secret, no expiry."""
    return Signer(salt="mail off").sign(str(user.pk))


def turn_mail_off(token: str) -> bool:
    """Turn turn mails off for whom the token names; return whether it names somebody."""
    try:
        key = Signer(salt="mail off").unsign(token)
    except BadSignature:
        return False
    return bool(User.objects.filter(pk=key).update(mail_turns=False))
