"""The delivery door: what reaches a person about a game, once, by which way.

Whoever has something to tell writes a row; the row is unique, so each is told once however many
workers look. In the page it stands at once. For the other ways a worker decides on each row, when
its time has come: is it still true, does the person look at that table, or sleep? For each way
there is one `Delivery`, which `mailing` or `calls` claims and sends.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation

from accounts import endpoints
from accounts.channels import MAIL, NEAR, PUSH, ways_of
from accounts.models import Delivery, Notice, User

logger = logging.getLogger(__name__)

# What accounts must ask of others, by kind of notice; they register it (games/apps.py).
Open = Callable[[int, str], "QuerySet[Notice]"]
Letter = Callable[["Notice"], tuple[str, str]]
Page = Callable[["Notice"], str]
Due = Callable[["Notice"], "datetime | None"]


class Kind(NamedTuple):
    """What can be asked about notices of one kind: which hold, what they say and on which page one
    reads on, when."""

    still_open: Open
    letter: Letter
    page: Page
    due: Due


_kinds: dict[str, Kind] = {}
_now: list[Callable[[], datetime]] = [timezone.now]

WORK_SEEN = "notices-seen"  # a mark in the cache, left by the worker that sends
LOOKING_SECONDS = 45  # how long a sign of life at a table counts as looking
LONGEST_DELAY = timedelta(minutes=10)  # an open tab delays a notice, and no longer than this
MOST_SHOWN = 50
KEPT = timedelta(days=60)
MOST_AT_ONCE = 200
AFTER_A_CRASH = timedelta(minutes=1)


def at_once(notice: Notice) -> None:
    """The usual answer to when a notice is to be told: nothing has moved that."""


def register(
    kinds: Iterable[str], still_open: Open, letter: Letter, page: Page, due: Due = at_once
) -> None:
    """Let notices of these kinds be asked for and read.

    `still_open(user id, kind)` returns the rows that are still true, of all these kinds but
    reminders if `kind` is "", each with what `letter(notice)` -> (subject, text) needs of other
    tables; `page(notice)` returns the path of the page on which one reads on; `due(notice)` when a
    true one is to be told if that has moved, or None.
    """
    _kinds.update(dict.fromkeys(kinds, Kind(still_open, letter, page, due)))


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
    return *_kinds[notice.kind].letter(notice), page_of(notice)


def page_of(notice: Notice) -> str:
    """Return the path of the page on which one reads on."""
    return _kinds[notice.kind].page(notice)


def true(notice: Notice) -> Notice | None:
    """Return the notice with all that its letter needs, if it is still true."""
    return _kinds[notice.kind].still_open(notice.user_id, notice.kind).filter(pk=notice.pk).first()


@contextmanager
def in_the_words_of(user: User) -> Iterator[None]:
    """Speak this person's language inside the block, and tell the time in their zone."""
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(user.zone):
        yield


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


def decide() -> int:
    """Decide on notices that are due, some at once; return on how many.

    One that cannot be decided on is put off for a minute and logged, so that the others go on.
    """
    return sum(_try_to_decide(pk, due_at) for pk, due_at in _due_now())


def _due_now() -> list[tuple[int, datetime]]:
    """What has been due longest; one about a table being looked at can wait a while."""
    now = instant()
    due = Notice.objects.filter(decided_at=None, due_at__lte=now).order_by("due_at")
    rows = list(due.values_list("pk", "due_at", "user_id", "about")[:MOST_AT_ONCE])
    looking = cache.get_many(
        _looking_key(user_id, about)
        for _, due_at, user_id, about in rows
        if now - due_at <= LONGEST_DELAY
    )
    return [
        (pk, due_at)
        for pk, due_at, user_id, about in rows
        if _looking_key(user_id, about) not in looking
    ]


def _try_to_decide(pk: int, due_at: datetime) -> bool:
    """Decide on this notice, unless another worker is quicker; return whether it was done."""
    try:
        with transaction.atomic():
            free = Notice.objects.select_for_update(skip_locked=True, of=("self",))
            free = free.filter(pk=pk, decided_at=None, due_at=due_at).select_related("user")
            notice = free.first()
            if notice is None:
                return False
            _decide_on(notice)
    except Exception:
        logger.exception("notice %s could not be decided on", pk)
        Notice.objects.filter(pk=pk).update(due_at=instant() + AFTER_A_CRASH)
    return True


def _decide_on(notice: Notice) -> None:
    """Nothing, if it is no longer true; later, if it is night; else by which ways it is told."""
    now = instant()
    still = true(notice)
    later = _later(still, now) if still else None
    if later:
        notice.due_at = later
    else:
        notice.decided_at = now
        notice.done_at = None if still else now
        # About a muted game everything stays in the inbox.
        if still and not getattr(still, "muted", False):
            Delivery.objects.bulk_create(_ways(notice, now))
    notice.save(update_fields=["due_at", "decided_at", "done_at"])


def _later(notice: Notice, now: datetime) -> datetime | None:
    """When to look again, if the time has not come: a clock that stood still, or a night."""
    due = _kinds[notice.kind].due(notice)
    if due and due > now:
        return due
    return notice.user.quiet_hours.end_of_night(now)


def _ways(notice: Notice, now: datetime) -> list[Delivery]:
    """One row for each place to which it is to go; mail where no device can show it."""
    wanted = ways_of(notice.user, notice.kind, notice.speed)
    rows = [
        Delivery(notice=notice, channel=each.channel, endpoint=each, due_at=now)
        for each in endpoints.live(notice.user)
        if each.channel in wanted
    ]
    if wants_mail(notice, by_push=any(row.channel == PUSH for row in rows)):
        rows.append(Delivery(notice=notice, channel=MAIL, due_at=now))
    return rows


def wants_mail(notice: Notice, *, by_push: bool) -> bool:
    """Return whether its person is to be told by mail, if a device shows it or none does."""
    user = notice.user
    wanted = ways_of(user, notice.kind, notice.speed)
    told = MAIL in wanted or (PUSH in wanted and not by_push)
    return told and bool(user.email and user.mail_turns)
