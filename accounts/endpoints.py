"""Places that people have named for their notices: devices and webhooks. Which may be, whose."""

import base64
import binascii
import secrets
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts import push_key
from accounts.channels import HOOK, PUSH
from accounts.models import Endpoint, User

MOST = 10  # devices of a person; one that is too many takes the place of the oldest
MOST_WEBHOOKS = 3
ADDRESS_MAX_LENGTH = 1000
SECRET_BYTES = 16  # of a device (RFC 8291, 3.2)
KEY_PREFIX = "whsec_"  # of a webhook's (Standard Webhooks, "Signature scheme")


def live(user: User) -> list[Endpoint]:
    """Return the places of this person that take notices: none that has refused often, and no
    device that knows the site by a key that it no longer has."""
    rows = Endpoint.objects.filter(user=user, refused__lt=Endpoint.PATIENCE).order_by("pk")
    return [row for row in rows if row.channel != PUSH or row.server_key == push_key.public()]


def of(user: User, channel: str) -> QuerySet[Endpoint]:
    """Return all places of one kind that this person has named, oldest first."""
    return Endpoint.objects.filter(user=user, channel=channel).order_by("pk")


def add_device(
    user: User, address: str, public_key: str, secret: str, server_key: str, before: str = ""
) -> Endpoint:
    """Store and return the device whose push service has this address: a PushSubscription's
    endpoint, p256dh and auth, and the server's key that it was made with.

    A device belongs to one person: from another it moves here. Saying it again forgives its
    refusals. `before` is the address that the device had until now. Raises ValidationError if the
    address is no known push service's, or if nothing can be encrypted for the device.
    """
    if not _is_push_service(address):
        raise ValidationError(_("This is not the address of a known push service."))
    _check_keys(public_key, secret)
    if server_key != push_key.public():
        raise ValidationError(_("This device knows the site by an old key. Reload the page."))
    told = {"user": user, "public_key": public_key, "secret": secret, "server_key": server_key}
    with transaction.atomic():
        if before != address and _is_push_service(before):
            Endpoint.objects.filter(channel=PUSH, address=before).delete()
        device, _new = Endpoint.objects.update_or_create(
            channel=PUSH, address=address, defaults=told | {"refused": 0}
        )
        kept = of(user, PUSH).order_by("-pk").values_list("pk", flat=True)[:MOST]
        of(user, PUSH).exclude(pk__in=[device.pk, *kept]).delete()
    return device


def add_webhook(user: User, address: str) -> Endpoint:
    """Store and return a webhook with a secret of its own, or the one that is there already; if it
    was given up, it is tried once more. Raises ValidationError if the address cannot be called, or
    for too many.
    """
    if not _can_be_called(address):
        raise ValidationError(_("An address begins with https:// and names a public server."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two tabs at once
        there = of(user, HOOK).filter(address=address)
        if not there.exists() and of(user, HOOK).count() >= MOST_WEBHOOKS:
            raise ValidationError(_("There are too many webhooks already."))
        # One that was parked gets one try.
        there.filter(refused__gte=Endpoint.PATIENCE).update(refused=Endpoint.PATIENCE - 1)
        key = KEY_PREFIX + _encoded(secrets.token_bytes(24))
        hook, _new = Endpoint.objects.get_or_create(
            user=user, channel=HOOK, address=address, defaults={"secret": key}
        )
    return hook


def remove(user: User, pk: int) -> bool:
    """Forget a place of this person; return whether it was there."""
    return Endpoint.objects.filter(user=user, pk=pk).delete()[0] > 0


def _is_push_service(address: str) -> bool:
    """Whether browsers get such addresses; else the server could be made to call anybody."""
    if not _can_be_called(address):
        return False
    host = urlsplit(address).hostname or ""
    here = settings.TEST_LOOPBACK and host == "127.0.0.1"
    return here or any(
        host == known or (known.startswith(".") and host.endswith(known))
        for known in settings.PUSH_SERVICES
    )


def _can_be_called(address: str) -> bool:
    """Whether this is an address on the web. Which server its name leads to is looked at when it
    is called (calls.py)."""
    if not (address.isascii() and address.isprintable() and len(address) <= ADDRESS_MAX_LENGTH):
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    if settings.TEST_LOOPBACK and parts.hostname == "127.0.0.1":
        return True
    plain = parts.scheme == "https" and port in (None, 443) and not parts.username
    return plain and "." in (parts.hostname or "") and " " not in address


def _check_keys(public_key: str, secret: str) -> None:
    """Raise ValidationError if nothing can be encrypted with these."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(public_key))
        fits = len(_decoded(secret)) == SECRET_BYTES
    except (ValueError, binascii.Error):
        fits = False
    if not fits:
        raise ValidationError(_("The keys of this device cannot be used."))


def _encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()


def _decoded(text: str) -> bytes:
    """Base64url without padding, as browsers write it."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
