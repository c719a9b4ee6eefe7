"""Which of a person's devices a browser is: its session knows, and takes it along when it ends."""

from typing import Any

from django.http import HttpRequest

from accounts import endpoints
from accounts.channels import PUSH
from accounts.models import Endpoint, User
from accounts.sessions import SessionStore

KEY = "device"  # in the session: the Endpoint's primary key


def of_this_browser(request: HttpRequest) -> int | None:
    """Return the key of the Endpoint that this browser is, even if it was removed since."""
    return request.session.get(KEY)


def was_removed(request: HttpRequest) -> bool:
    """Return whether this browser was a device, and somebody or its push service removed it."""
    pk = of_this_browser(request)
    return pk is not None and not Endpoint.objects.filter(pk=pk).exists()


def remember(request: HttpRequest, device: Endpoint) -> None:
    """Note that this browser is that device."""
    if of_this_browser(request) != device.pk:
        request.session[KEY] = device.pk


def forget(request: HttpRequest) -> None:
    """Show this person's notices no longer in this browser; before its session ends."""
    if (pk := of_this_browser(request)) is not None:
        Endpoint.objects.filter(pk=pk, user=request.user.pk or 0).delete()


def forget_of_session(key: str, user_id: int) -> None:
    """Show this person's notices no longer in the browser with that session; before it ends."""
    if (pk := SessionStore(key).get(KEY)) is not None:
        Endpoint.objects.filter(pk=pk, user=user_id).delete()


def forget_others(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Forget all devices but this one: a new password has signed them out."""
    endpoints.of(user, PUSH).exclude(pk=of_this_browser(request) or 0).delete()
