"""Who may enter the admin: staff, after a second factor shown lately in this very session."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import factors
from accounts.addresses import is_own_path
from accounts.answers import message
from accounts.models import User

PROVEN_FOR = 12 * 60 * 60  # seconds; then the factor is asked for again


class OperatorsSite(AdminSite):
    """Django's admin, whose door is the site's own login."""

    site_header = site_title = "Ikarita"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether somebody is staff, and has shown a second factor lately."""
        return super().has_permission(request) and factors.was_proven(request, PROVEN_FOR)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Lead whoever may not enter (yet) to what is missing, and back."""
        asked = request.GET.get("next", "")
        then = asked if is_own_path(asked) else reverse("admin:index")
        user: User | AnonymousUser = request.user
        if not isinstance(user, User):
            return _to("account_login", then)
        if not user.is_staff:
            return message(request, _("You are not allowed to do this."), status=403)
        if not factors.has_second_factor(user):
            messages.info(request, _("For the admin you need a passkey or an authenticator app."))
            return redirect("mfa_index")
        if factors.was_proven(request, PROVEN_FOR):
            return redirect(then)
        ways = get_adapter().get_reauthentication_methods(user)
        of_factors = [way["url"] for way in ways if way["id"].startswith("mfa")]
        return _to(of_factors[-1], then)  # a passkey, if there is one, is the last


def _to(page: str, then: str) -> HttpResponse:
    address = page if page.startswith("/") else reverse(page)
    return redirect(f"{address}?{urlencode({'next': then})}")
