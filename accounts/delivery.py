"""The delivery door: what reaches a person about a game, once, by which way.

Whoever has something to tell writes a row; the row is unique, so each is told once however many
workers look. In the page it stands at once. For the other ways a worker decides on each row, when
its time has come: is it still true, does the person look at that table, or sleep? For each way
there is one `Delivery`, which is claimed before anything is sent.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from accounts.channels import MAIL, NEAR, channels_of
from accounts.models import Delivery, MailPace, Notice, User

logger = logging.getLogger(__name__)

# What accounts must ask of others, by kind of notice; they register it (games/apps.py).
Open = Callable[[int, str], "QuerySet[Notice]"]
Letter = Callable[["Notice"], tuple[str, str, str]]
Due = Callable[["Notice"], "datetime | None"]


class Kind(NamedTuple):
    """What can be asked about notices of one kind: which hold, what they say, when."""

    still_open: Open
    letter: Letter
    due: Due


_kinds: dict[str, Kind] = {}
_now: list[Callable[[], datetime]] = [timezone.now]

LOOKING_SECONDS = 45  # how long a sign of life at a table counts as looking
LONGEST_DELAY = timedelta(minutes=10)  # an open tab delays a notice, and no longer than this
MOST_SHOWN = 50
KEPT = timedelta(days=60)
BETWEEN_MAILS = timedelta(hours=1)  # what comes meanwhile comes in one mail, if it is still true
MAILS_A_DAY = 8
EVENING = time(18)  # in the person's zone: when the one mail a day comes
RETRIES = 5
CLAIM = timedelta(minutes=10)  # after that, who has claimed a mail is taken for dead
STEP = timedelta(minutes=2)  # until a mail that could not be sent is tried again, doubled each time


def register(kinds: Iterable[str], still_open: Open, letter: Letter, due: Due) -> None:
    """Let notices of these kinds be asked for and read.

    `still_open(user id, kind)` returns the rows that are still true, of all these kinds but
    reminders if `kind` is "", each with what `letter(notice)` -> (subject, text, path) needs of
    other tables; `due(notice)` returns when a true one is to be told if that has moved, or None.
    """
    _kinds.update(dict.fromkeys(kinds, Kind(still_open, letter, due)))


def tell_time(clock: Callable[[], datetime]) -> None:
    """Take this for the present instant from now on: the clock that games go by."""
    _now[0] = clock


def instant() -> datetime:
    """Return the present instant, by that clock."""
    return _now[0]()


class News(NamedTuple):
    """What somebody is to be told: of what kind, about what at which version, at a table how
    quick (`live`, `hours` or `days`), and not before when."""

    user_id: int
    kind: str
    about: str
    version: int
    speed: str
    due_at: datetime


def write(news: Iterable[News]) -> None:
    """Note that people are to be told; a second time changes nothing. At most one query."""
    rows = [Notice(created_at=each.due_at, **each._asdict()) for each in news]
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)


# --- Who looks ------------------------------------------------------------------------------------


def is_looking(user_id: int, about: str) -> bool:
    """Return whether this person has lately given a sign of life at that table."""
    return cache.get(_looking_key(user_id, about)) is not None


def looks(user_id: int, about: str) -> None:
    """Note a sign of life at a table: a stamp that runs out by itself, never a flag."""
    cache.set(_looking_key(user_id, about), True, LOOKING_SECONDS)


def _looking_key(user_id: int, about: str) -> str:
    return f"looking:{user_id}:{about}"


# --- In the page ----------------------------------------------------------------------------------


def letter(notice: Notice) -> tuple[str, str, str]:
    """Return subject, sentence and path of an open notice in the active language."""
    return _kinds[notice.kind].letter(notice)


def open_notices(user) -> list[Notice]:
    """Return what this person is still to know, newest first: the inbox. Reminders are left out,
    they say nothing that the notice about the turn does not say."""
    rows = [
        row for asked in set(_kinds.values()) for row in asked.still_open(user.pk, "")[:MOST_SHOWN]
    ]
    return sorted(rows, key=lambda row: row.created_at, reverse=True)[:MOST_SHOWN]


def read(user_id: int, about: str = "") -> int:
    """Note that this person has read what there was to read, about one thing or about all; return
    how much there was. One query if there was nothing."""
    unread = Notice.objects.filter(user=user_id, read_at=None).exclude(kind__startswith=NEAR)
    if about:
        unread = unread.filter(about=about)
    found = list(unread.values_list("pk", flat=True))
    return Notice.objects.filter(pk__in=found).update(read_at=instant()) if found else 0


def forget_old() -> None:
    """Delete what was settled long ago."""
    Notice.objects.filter(decided_at__lt=instant() - KEPT).delete()


# --- Deciding -------------------------------------------------------------------------------------


def serve_one_notice() -> bool:
    """Decide on one notice that is due, or send one mail; return whether there was anything."""
    return _decide_on_one() or _send_one_mail()


def _decide_on_one() -> bool:
    with transaction.atomic():
        notice = _next_to_decide()
        if notice is None:
            return False
        now = instant()
        true = _true(notice)
        later = true and _later(true, now)
        if later:
            notice.due_at = later
        else:
            notice.decided_at = now
            notice.done_at = None if true else now
            ways = channels_of(notice.user, notice.kind, notice.speed) if _may_disturb(true) else []
            Delivery.objects.bulk_create(
                Delivery(notice=notice, channel=channel, due_at=now) for channel in ways
            )
        notice.save(update_fields=["due_at", "decided_at", "done_at"])
    return True


def _may_disturb(notice: Notice | None) -> bool:
    """Whether this is true, and not about a game whose notices are to stay in the inbox."""
    return notice is not None and not getattr(notice, "muted", False)


def _true(notice: Notice) -> Notice | None:
    """The notice with all that its letter needs, if it is still true."""
    return _kinds[notice.kind].still_open(notice.user_id, notice.kind).filter(pk=notice.pk).first()


def _later(notice: Notice, now: datetime) -> datetime | None:
    """When to look again, if the time has not come: a clock that stood still, or a night."""
    due = _kinds[notice.kind].due(notice)
    if due and due > now:
        return due
    return notice.user.quiet_hours.end_of_night(now)


def _next_to_decide() -> Notice | None:
    """The oldest notice to decide on now; one about a table being looked at can wait a while."""
    now = instant()
    waiting = Notice.objects.filter(decided_at=None, due_at__lte=now).order_by("due_at")
    for pk, user_id, about, due_at in waiting.values_list("pk", "user_id", "about", "due_at")[:200]:
        if now - due_at <= LONGEST_DELAY and is_looking(user_id, about):
            continue
        free = Notice.objects.select_for_update(skip_locked=True, of=("self",))
        free = free.filter(pk=pk, decided_at=None, due_at=due_at).select_related("user")
        if notice := free.first():  # else another worker was quicker
            return notice
    return None


# --- Mail -----------------------------------------------------------------------------------------


def _send_one_mail() -> bool:
    """Send what waits for one person in one mail: at once, and then a summary an hour at most."""
    batch = _claim_a_batch()
    if batch is None:
        return False
    user, told = batch
    if told:
        try:
            _mail(user, [delivery.notice for delivery in told])
        except OSError as failed:  # smtplib's are such, and so is a line that is down
            _put_off(told, failed)
        else:
            _settle(told, Delivery.State.SENT)
    return True


def _claim_a_batch() -> tuple[User, list[Delivery]] | None:
    """One person with mail that is due, and what of it is still true, claimed; the rest is
    withdrawn, or waits for the next hour or day."""
    with transaction.atomic():
        now = instant()
        due = Q(state=Delivery.State.WAITING) | Q(state=Delivery.State.CLAIMED)
        waiting = Delivery.objects.filter(due, channel=MAIL, due_at__lte=now)
        owner = waiting.order_by("due_at").values_list("notice__user", flat=True).first()
        if owner is None:
            return None
        user = User.objects.select_for_update(no_key=True).get(pk=owner)
        rows = list(waiting.filter(notice__user=user).select_related("notice__user"))
        if not rows:
            return user, []  # another worker was quicker
        if next_mail := _next_mail(user, rows, now):
            _postpone(rows, next_mail)
            return user, []
        true = [row for row in rows if _is_wanted_and_true(user, row)]
        _settle([row for row in rows if row not in true], Delivery.State.WITHDRAWN)
        lost = [row for row in true if row.tries >= RETRIES or row.repeated]
        _settle(lost, Delivery.State.FAILED)
        told = [row for row in true if row not in lost]
        for row in told:
            row.repeated = row.state == Delivery.State.CLAIMED  # and its worker died: once more
            row.state, row.due_at, row.tries = Delivery.State.CLAIMED, now + CLAIM, row.tries + 1
        Delivery.objects.bulk_update(told, ["state", "due_at", "tries", "repeated"])
        return user, told


def _is_wanted_and_true(user: User, row: Delivery) -> bool:
    """Whether it is to be told; its notice then is one with all that its letter needs."""
    wanted = row.channel in channels_of(user, row.notice.kind, row.notice.speed)
    true = _true(row.notice) if wanted and user.is_active else None
    row.notice = true or row.notice
    return true is not None


def _next_mail(user: User, rows: list[Delivery], now: datetime) -> datetime | None:
    """When these may go to this person, or it is to be asked again; None for now."""
    sent = Delivery.objects.filter(notice__user=user, channel=MAIL, state=Delivery.State.SENT)
    mails = sent.order_by("-settled_at").values_list("settled_at", flat=True).distinct()
    latest = [at for at in mails[:MAILS_A_DAY] if at]
    again = [at + timedelta(days=1) for at in latest[MAILS_A_DAY - 1 :]]
    if user.mail_pace == MailPace.DAILY:
        again.append(_evening(user, min(row.notice.decided_at or now for row in rows)))
    else:
        again += [at + BETWEEN_MAILS for at in latest[:1]]
    if user.mail_pace == MailPace.VISIT and latest:
        read = Notice.objects.filter(user=user, read_at__gt=latest[0])
        again += [] if read.exists() else [now + BETWEEN_MAILS]
    return max((at for at in again if at > now), default=None)


def _evening(user: User, since: datetime) -> datetime:
    """When this person's next mail of the day comes."""
    zone = ZoneInfo(user.zone)
    evening = datetime.combine(since.astimezone(zone), EVENING, zone)
    if evening < since:
        evening = datetime.combine(evening + timedelta(days=1), EVENING, zone)
    return evening.astimezone(UTC)


def _postpone(rows: list[Delivery], until: datetime) -> None:
    for row in rows:
        row.due_at = until
    Delivery.objects.bulk_update(rows, ["due_at"])


def _put_off(rows: list[Delivery], failed: OSError) -> None:
    for row in rows:
        row.state, row.why = Delivery.State.WAITING, type(failed).__name__
        row.due_at = instant() + STEP * 2**row.tries
    Delivery.objects.bulk_update(rows, ["state", "why", "due_at"])


def _settle(rows: list[Delivery], state: str) -> None:
    now = instant()
    for row in rows:
        row.state, row.settled_at = state, now
    Delivery.objects.bulk_update(rows, ["state", "settled_at"])


def _mail(user: User, notices: list[Notice]) -> None:
    """One mail about all of these, in the reader's language and time zone."""
    with (
        translation.override(user.language or settings.LANGUAGE_CODE),
        timezone.override(user.zone),
    ):
        sentences = {path: sentence for _, sentence, path in map(letter, notices)}  # one a page
        off = f"{settings.SITE_URL}{reverse('mail_off', args=[off_token(user)])}"
        lines = [
            {"text": sentence, "url": f"{settings.SITE_URL}{path}"}
            for path, sentence in sentences.items()
        ]
        subject = lines[0]["text"] if len(lines) == 1 else _summary(len(lines))
        shown = {"user": user, "subject": subject, "lines": lines, "off": off}
        text = render_to_string("accounts/notice.txt", shown)
        mail = EmailMultiAlternatives(subject, text, to=[user.email])
        mail.attach_alternative(render_to_string("accounts/notice.html", shown), "text/html")
    mail.extra_headers = {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    mail.send()


def _summary(count: int) -> str:
    return ngettext(
        "Ikarita: %(n)d thing waits for you", "Ikarita: %(n)d things wait for you", count
    ) % {"n": count}


def off_token(user: User) -> str:
    """Return what stands in a mail's link that turns mails off: signed, not secret, no expiry."""
    return Signer(salt="mail off").sign(str(user.pk))


def turn_mail_off(token: str) -> bool:
    """Turn mails off for whom the token names; return whether it names somebody."""
    try:
        key = Signer(salt="mail off").unsign(token)
    except BadSignature:
        return False
    return bool(User.objects.filter(pk=key).update(mail_turns=False))


def send_test_mail(user: User) -> bool:
    """Send a mail that only says that mails arrive; return whether the server has taken it."""
    with translation.override(user.language or settings.LANGUAGE_CODE):
        text = gettext("Mails from Ikarita reach you.")
    try:
        return bool(EmailMessage("Ikarita", text, to=[user.email]).send())
    except OSError:
        logger.warning("no test mail", exc_info=True)
        return False
