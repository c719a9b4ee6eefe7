"""Mails about notices: what waits for one person goes out in one mail, and not too often."""

import logging
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts import delivery, sending
from accounts.channels import MAIL, PUSH
from accounts.delivery import instant
from accounts.models import Delivery, MailPace, Notice, User

logger = logging.getLogger(__name__)

BETWEEN_MAILS = timedelta(hours=1)  # what comes meanwhile comes in one mail, if it is still true
MAILS_A_DAY = 8
EVENING = time(18)  # in the person's zone: when the one mail a day comes


def send_one_mail() -> bool:
    """Send what waits for one person in one mail: at once, and then a summary an hour at most;
    return whether there was anything."""
    batch = _claim_a_batch()
    if batch is None:
        return False
    user, told = batch
    if told:
        try:
            _mail(user, [row.notice for row in told])
        except OSError as failed:  # smtplib's are such, and so is a line that is down
            sending.put_off(told, type(failed).__name__)
        else:
            sending.settle(told, Delivery.State.SENT)
    return True


def _claim_a_batch() -> tuple[User, list[Delivery]] | None:
    """One person with mail that is due, and what of it is still true, claimed; the rest is
    withdrawn, or waits for the next hour or day."""
    with transaction.atomic():
        now = instant()
        waiting = Delivery.objects.filter(sending.OPEN, channel=MAIL, due_at__lte=now)
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
        true = [row for row in rows if _is_wanted(row) and sending.is_true(row)]
        sending.settle([row for row in rows if row not in true], Delivery.State.WITHDRAWN)
        return user, sending.claim(true)


def _is_wanted(row: Delivery) -> bool:
    """Whether its person still wants mails about this, and no device has shown it instead."""
    by_push = row.notice.deliveries.filter(channel=PUSH).exclude(state=Delivery.State.FAILED)
    return delivery.wants_mail(row.notice, by_push=by_push.exists())


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


def _mail(user: User, notices: list[Notice]) -> None:
    """One mail about all of these, in the reader's language and time zone."""
    with delivery.in_the_words_of(user):
        # One line about each thing: what came later about a table says what came before.
        letters = {notice.about: delivery.letter(notice) for notice in notices}
        off = f"{settings.SITE_URL}{reverse('mail_off', args=[off_token(user)])}"
        lines = [
            {"text": sentence, "url": f"{settings.SITE_URL}{path}"}
            for _, sentence, path in letters.values()
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
    with delivery.in_the_words_of(user):
        text = gettext("Mails from Ikarita reach you.")
    try:
        return bool(EmailMessage("Ikarita", text, to=[user.email]).send())
    except OSError:
        logger.warning("no test mail", exc_info=True)
        return False
