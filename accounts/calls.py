"""Notices that go out as calls to other servers: to push services (RFC 8030) and to webhooks.

No card of a game is in them. A device's is encrypted for it (RFC 8291); a webhook's is signed, as
https://www.standardwebhooks.com says. No call follows a redirect or reaches an address that is not
public, whatever a name leads to.
"""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from requests import RequestException, Response, Session
from requests_hardened import Config, Manager

from accounts import delivery, push_key, sending
from accounts.channels import DAYS, HOOK, HOURS, LIVE, MAIL, PUSH, ways_of
from accounts.delivery import instant
from accounts.endpoints import KEY_PREFIX
from accounts.models import Delivery, Endpoint, Notice

TIMEOUT = (5, 10)  # seconds to connect, and between two signs of life
# How long a push service keeps what a device that is off has missed: seconds, by a table's speed.
KEPT = {LIVE: 600, HOURS: 3600, DAYS: 86400}
GONE, LATER = (404, 410), (408, 425, 429)
LONGEST_WAIT = timedelta(hours=6)  # whatever a server asks for


def make_one_call(channel: str) -> bool:
    """Make one call of this channel that is due; return whether there was one."""
    row = _claim_one(channel)
    if row is None:
        return False
    if row.state == Delivery.State.CLAIMED:
        try:
            _make(row)
        except RequestException as failed:
            _put_off(row, type(failed).__name__)
        except Exception as failed:
            # Also the end of the task's time: a server that drips its answer must not hold it.
            _put_off(row, type(failed).__name__)
            raise
    return True


def _claim_one(channel: str) -> Delivery | None:
    """The call that is due longest, claimed, or settled if there is nobody to call any more or it
    is no longer true."""
    with transaction.atomic():
        due = Delivery.objects.filter(sending.OPEN, channel=channel, due_at__lte=instant())
        due = due.select_related("notice__user", "endpoint").order_by("due_at")
        row = due.select_for_update(skip_locked=True, of=("self",)).first()
        if row is None:
            return None
        wanted = row.channel in ways_of(row.notice.user, row.notice.kind, row.notice.speed)
        if not wanted or not sending.is_true(row):
            sending.settle([row], Delivery.State.WITHDRAWN)
        elif row.endpoint is None or row.endpoint.user_id != row.notice.user_id:
            _give_up(row, "gone")  # removed meanwhile, or somebody else's device now
        elif row.endpoint.is_parked:
            _give_up(row, "parked")
        elif not sending.claim([row]):
            _send_mail_instead(row)
        return row


def _make(row: Any) -> None:
    """Call, and note what came of it. Raises requests.RequestException if the line is down."""
    call = _push if row.channel == PUSH else _post
    with _session() as session, call(session, row.endpoint, row.notice, row.pk) as answer:
        status, wait = answer.status_code, _asked_to_wait(answer)
    own = Endpoint.objects.filter(deliveries=row)
    if 200 <= status < 300:
        own.exclude(refused=0).update(refused=0)
        sending.settle([row], Delivery.State.SENT)
    elif status in GONE:
        own.delete()
        row.endpoint = None
        _give_up(row, str(status))
    elif status in LATER or status >= 500:
        _put_off(row, str(status), wait)
    else:
        _note_a_refusal(row)
        _give_up(row, str(status))


def _put_off(row: Delivery, why: str, wait: timedelta = timedelta(0)) -> None:
    """Try again later, unless it was tried often enough."""
    if row.channel == HOOK:  # anybody's server: one that keeps us waiting is soon left alone
        _note_a_refusal(row)
    if row.tries < sending.RETRIES:
        sending.put_off([row], why, wait)
    else:
        _give_up(row, why)


def _note_a_refusal(row: Delivery) -> None:
    Endpoint.objects.filter(deliveries=row).update(refused=F("refused") + 1)


def _give_up(row: Delivery, why: str) -> None:
    sending.settle([row], Delivery.State.FAILED, why)
    _send_mail_instead(row)


def _send_mail_instead(row: Delivery) -> None:
    """Tell by mail what no device of this person shows or will show."""
    by_push = row.notice.deliveries.filter(channel=PUSH).exclude(state=Delivery.State.FAILED)
    if row.channel == PUSH and delivery.wants_mail(row.notice, by_push=by_push.exists()):
        mail = Delivery(notice=row.notice, channel=MAIL, due_at=instant())
        Delivery.objects.bulk_create([mail], ignore_conflicts=True)


def _asked_to_wait(answer: Response) -> timedelta:
    """For how long the server wants to be left alone, if it says so in seconds."""
    seconds = answer.headers.get("Retry-After", "")
    if not (seconds.isascii() and seconds.isdecimal()):
        return timedelta(0)
    return min(timedelta(seconds=int(seconds[:9])), LONGEST_WAIT)


def _session() -> Session:
    """One that calls public servers only, and those that were named."""
    session = Manager(
        Config(
            ip_filter_enable=True,
            ip_filter_allow_loopback_ips=settings.TEST_LOOPBACK,
            never_redirect=True,
            default_timeout=TIMEOUT,
            user_agent_override="Ikarita",
        )
    ).get_session()
    session.trust_env = False  # no proxy and no password that this machine has for other things
    return session


def _said(notice: Notice) -> dict[str, str]:
    """What it says, in its reader's words."""
    with delivery.in_the_words_of(notice.user):
        title, text, path = delivery.letter(notice)
    return {"kind": notice.kind, "title": title, "text": text, "path": path}


def _push(session: Session, endpoint: Endpoint, notice: Notice, _number: int) -> Response:
    """Hand a notice to a device's push service, which sees whom it is for and nothing else."""
    # Only here, for it loads much that nothing else uses.
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    said = _said(notice)
    shown = {
        "title": said["title"],
        "body": said["text"] if said["text"] != said["title"] else "",
        "url": said["path"],
        "tag": notice.about,  # a newer one about the same game takes the place of an older
        "lang": notice.user.language,
        "count": len(delivery.open_notices(notice.user)),
    }
    origin = "/".join(endpoint.address.split("/", 3)[:3])
    _, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    claims = {"sub": f"mailto:{sender}", "aud": origin}
    headers = Vapid02(push_key.private()).sign(claims) | {"Topic": notice.about, "Urgency": "high"}
    keys = {"p256dh": endpoint.public_key, "auth": endpoint.secret}
    device = WebPusher({"endpoint": endpoint.address, "keys": keys}, requests_session=session)
    data = json.dumps(shown).encode()
    answer: Any = device.send(data, headers, ttl=KEPT[notice.speed], timeout=TIMEOUT)
    return answer


def _post(session: Session, endpoint: Endpoint, notice: Notice, number: int) -> Response:
    """Post a notice to a webhook. Telegram and Slack show `text`, Discord shows `content`."""
    said, now = _said(notice), str(int(instant().timestamp()))
    url = f"{settings.SITE_URL}{said['path']}"
    shown = {
        "kind": said["kind"],
        "title": said["title"],
        "text": f"{said['text']} {url}",
        "content": f"{said['text']} {url}",
        "url": url,
    }
    body, name = json.dumps(shown).encode(), f"notice_{number}"
    headers = {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": now,
        "webhook-signature": f"v1,{signature(endpoint.secret, name, now, body)}",
    }
    # What is answered is not read: it may be of any size.
    return session.post(endpoint.address, body, headers=headers, timeout=TIMEOUT, stream=True)


def signature(secret: str, name: str, at: str, body: bytes) -> str:
    """Return what proves that a call is ours: HMAC-SHA256, base64, over name, moment in seconds
    and body, joined by full stops (Standard Webhooks, "Signature scheme")."""
    key = base64.b64decode(secret.removeprefix(KEY_PREFIX))
    signed = b".".join([name.encode(), at.encode(), body])
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
