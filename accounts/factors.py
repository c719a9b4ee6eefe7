"""What allauth.mfa must know about our people: passkeys, and the second factor after a password.

The secret of an authenticator app and the seed of the spare codes are stored encrypted, so that a
copy of the database signs nobody in.
"""

import base64
import time
from functools import cache
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts import qr
from accounts.models import User

PROOF = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)  # what is asked for at a sign-in


def has_second_factor(user: User) -> bool:
    """Return whether a password alone does not sign `user` in."""
    return Authenticator.objects.filter(user_id=user.pk, type__in=PROOF).exists()


def was_proven(request: HttpRequest, seconds: float) -> bool:
    """Return whether the reader has shown a second factor in this session, so long ago at most."""
    return any(
        record.get("method") == "mfa" and time.time() - record.get("at", 0) < seconds
        for record in get_authentication_records(request, request.user)
    )


def note_the_proof(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """Remember that who has just added a factor has shown it, so that it is not asked for at once.

    Called by allauth's signal `authenticator_added`.
    """
    if authenticator.type in PROOF:
        shown = {"id": authenticator.pk, "type": authenticator.type, "reauthenticated": True}
        record_authentication(request, user, "mfa", **shown)


class FactorsAdapter(DefaultMFAAdapter):
    """People are known by their names, and the site by its own."""

    def get_totp_label(self, user: User) -> str:
        """Return what an authenticator app shows beside the site: no address, which may change."""
        return user.name

    _get_user_identifier = get_totp_label

    def _get_site_name(self) -> str:
        return "Ikarita"

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code that an authenticator app reads, as ours are drawn."""
        return qr.svg(url)

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """Return how a new passkey is called until its owner says otherwise."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        # As text: a number would be written as each language groups its digits.
        return gettext("Passkey %(number)s") % {"number": str(number)}

    def encrypt(self, text: str) -> str:
        """Return a secret as it is stored."""
        return (
            _cipher(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
            .encrypt(text.encode())
            .decode()
        )

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret as it is used; raises InvalidToken if none of our keys opens it."""
        return (
            _cipher(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
            .decrypt(encrypted_text)
            .decode()
        )


@cache
def _cipher(*secrets: str) -> MultiFernet:
    """The newest key encrypts; all of them open."""
    digests = (
        salted_hmac("second factor", "", secret=each, algorithm="sha256").digest()
        for each in secrets
    )
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
