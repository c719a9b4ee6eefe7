"""Signing up without a password: a name, and a passkey or a code that is mailed.

Both make a guest first (guests.py), who is one no more once the passkey is there or the code was
typed, which confirms the address.
"""

from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guests
from accounts.forms import LeanSignupForm, RequestCodeForm


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_up(request: HttpRequest) -> HttpResponse:
    """Ask for a name, and an address for who wants a code; make what becomes the account."""
    if request.user.is_authenticated:
        return redirect("games")
    form = LeanSignupForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        by_mail = request.POST.get("by") != "passkey"
        if done := _by_mail(request, form) if by_mail else _by_passkey(request, form):
            return done
    status = form.status if form.is_bound else 200
    return render(request, "account/lean_signup.html", {"form": form}, status=status)


def _by_passkey(request: HttpRequest, form: LeanSignupForm) -> HttpResponse | None:
    return redirect("mfa_add_webauthn") if guests.become_somebody(request, form) else None


def _by_mail(request: HttpRequest, form: LeanSignupForm) -> HttpResponse | None:
    """Mail a code to the address. Whose it is already comes in as who they are.

    The name is taken either way, though an owner has no use for it: else a name that is still free
    would tell that the address is known here.
    """
    asked = RequestCodeForm(request.POST)
    if not asked.is_valid():
        form.add_error("email", asked.errors["email"].as_data())
        return None
    guest = guests.guest_of(request, form)
    if guest is None:
        return None
    address = asked.cleaned_data["email"]
    if asked.owner is None:
        EmailAddress.objects.get_or_create(user=guest, email=address)
    person = asked.owner or guest
    LoginCodeVerificationProcess.initiate(request=request, user=person, email=address)
    return redirect("account_confirm_login_code")
