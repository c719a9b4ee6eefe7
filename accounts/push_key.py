"""The key pair by which push services know this site (VAPID, RFC 8292)."""

import base64
from functools import cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.crypto import salted_hmac

# The order of the group of P-256 (SEC 2, 2.4.2): a private key is a number from 1 to one less.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def private() -> ec.EllipticCurvePrivateKey:
    """Return the private key; it is made of VAPID_SECRET, so there is no file to keep."""
    return _private_of(settings.VAPID_SECRET)


def public() -> str:
    """Return the public key as a page hands it to PushManager.subscribe: base64url, 87 letters."""
    return _public_of(settings.VAPID_SECRET)


@cache
def _private_of(secret: str) -> ec.EllipticCurvePrivateKey:
    digest = salted_hmac("push key", "", secret=secret, algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, ec.SECP256R1())


@cache
def _public_of(secret: str) -> str:
    key = _private_of(secret).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")
