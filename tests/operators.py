"""How tests enter the admin: as somebody who has shown a second factor a moment ago."""

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client, RequestFactory

from accounts.models import User


def prove(client: Client, user: User) -> None:
    """Sign `user` in by this client, a password and an authenticator app."""
    if not user.authenticator_set.exists():
        TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    client.force_login(user)
    request = RequestFactory().get("/")
    request.session = client.session
    record_authentication(request, user, "mfa")
    request.session.save()
