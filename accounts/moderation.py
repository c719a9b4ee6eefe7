"""What is said against people, and what moderators do about it: each act is logged and told.

A moderator is whoever is staff; an operator, a superuser, is one, too. Both come in by a second
factor only (operators.py), and none of this can be done to them.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts import delivery
from accounts.channels import DAYS, MEASURE
from accounts.models import Measure, Notice, Report, User

FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
Kind = Measure.Kind
SENTENCES = {
    Kind.RENAME: gettext_noop("A moderator has changed your name, which was %(name)s."),
    Kind.MUTE: gettext_noop(
        "A moderator has decided that you may not invite people, ask to be friends or open public "
        "tables. Until: %(until)s."
    ),
    Kind.SUSPEND: gettext_noop(
        "A moderator has decided that you may not use this site. Until: %(until)s."
    ),
    Kind.LIFT: gettext_noop("A moderator has decided that you may use this site as before."),
}


class Protected(Exception):
    """Nothing is done about moderators, nor about who is leaving anyway."""


class Deed(NamedTuple):
    """What is to be done, why, for how long (None: for good), and which name is given instead."""

    kind: str
    reason: str
    lasts: timedelta | None = None
    new_name: str = ""


def report(by: User, person: User, kind: str, table: str = "", note: str = "") -> None:
    """Note what `by` says against `person`; twice is once, as long as nobody has looked at it."""
    said = {"by": by, "person": person, "kind": kind, "table": table}
    try:
        with transaction.atomic():
            Report.objects.create(**said, note=note)
    except IntegrityError:
        Report.objects.filter(**said, settled_at=None).exclude(note=note).update(note=note)


def act(by: User, person: User, deed: Deed, about: Report | None = None) -> Measure:
    """Do something about `person`, tell them, and settle what was said against them.

    Raises Protected; IntegrityError if the new name was taken in this very moment.
    """
    now = delivery.instant()
    with transaction.atomic():
        person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if person.is_staff or person.leaving:
            raise Protected
        measure = Measure(by=by, person=person, report=about, kind=deed.kind, reason=deed.reason)
        measure.created_at, measure.old_name = now, person.name
        if deed.kind in (Kind.MUTE, Kind.SUSPEND):
            measure.until = now + deed.lasts if deed.lasts else None
        _carry_out(person, measure, deed.new_name)
        measure.save()
        person.reports.filter(settled_at=None).update(settled_at=now)
        if deed.kind != Kind.NOTHING:
            news = delivery.News(person.pk, MEASURE, str(measure.pk), 0, DAYS, now)
            delivery.write([news])
    return measure


def _carry_out(person: User, measure: Measure, new_name: str) -> None:
    until = measure.until or FOR_GOOD
    if measure.kind == Kind.RENAME:
        person.name = new_name
    elif measure.kind == Kind.MUTE:
        person.muted_until = until
    elif measure.kind == Kind.SUSPEND:
        person.suspended_until, person.is_active = until, False
    elif measure.kind == Kind.LIFT:
        person.muted_until = person.suspended_until = None
        person.is_active = True
    person.save(update_fields=["name", "muted_until", "suspended_until", "is_active"])


def end_suspensions() -> int:
    """Let those in again whose suspension is over; return how many."""
    over = User.objects.filter(
        is_active=False, leaving=False, suspended_until__lte=delivery.instant()
    )
    return over.update(is_active=True, suspended_until=None)


def suspension_of(user: User) -> Measure | None:
    """Return why `user` is kept out, None if it is not by a moderator."""
    if user.is_active or user.leaving or user.suspended_until is None:
        return None
    return user.measures.filter(kind=Kind.SUSPEND).first()


def sentence(measure: Measure) -> str:
    """Return what was done, in the active language, to the person that it was done to."""
    until = _("for good")
    if measure.until:
        until = date_format(timezone.localtime(measure.until), "DATETIME_FORMAT")
    values = {"name": measure.old_name, "until": until}
    return _(SENTENCES[Kind(measure.kind)]) % values


def told_to(user: User) -> QuerySet[Measure]:
    """Return what was done about `user`, the latest first."""
    return user.measures.exclude(kind=Kind.NOTHING)


# --- As a notice (delivery.register) --------------------------------------------------------------


def untold(user_id: int, kind: str) -> QuerySet[Notice]:
    """Return what this person has not read yet."""
    return Notice.objects.filter(user=user_id, kind=MEASURE, read_at=None)


def letter(notice: Notice) -> tuple[str, str]:
    """Return subject and sentence: what was done, and why."""
    measure = Measure.objects.get(pk=int(notice.about))
    said = sentence(measure)
    return said, f"{said} {measure.reason}"


def page(notice: Notice) -> str:
    """Return the path of the page on which it stands."""
    return reverse("measures")
