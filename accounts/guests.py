"""People who play at once, by a name alone. A guest is a user without a password.

Who sets one later stays the same row: all seats, games and settings are kept by themselves.
"""

import secrets
from hashlib import sha256

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language, gettext

from accounts.answers import TOO_FAST
from accounts.browsers import sign_in
from accounts.forms import TOO_MANY, NicknameForm
from accounts.limits import is_too_often
from accounts.models import User
from accounts.views import client_of

MOST_AN_HOUR = 200  # from one address: a school sits behind one


def suggested_name() -> str:
    """Return a name that hardly anybody has, for who does not care to choose one."""
    # As text: a number would be written as each language groups its digits, "Gast 4.821".
    return gettext("Guest %(number)s") % {"number": str(1000 + secrets.randbelow(9000))}


def nickname_form(request: HttpRequest) -> NicknameForm | None:
    """Return the form that asks for a name, with what was sent; None for who is signed in."""
    if request.user.is_authenticated:
        return None
    sent = request.POST if request.method == "POST" else None
    return NicknameForm(sent, initial={"name": suggested_name()})


def become_somebody(request: HttpRequest, form: NicknameForm | None) -> bool:
    """Make a guest of the form's name and sign this browser in; return whether that was done, or
    not needed, for there is no form.

    Two presses of one form make one guest. What stood in the way is among the form's errors.
    """
    if form is None:
        return True
    guest = guest_of(request, form)
    if guest:
        sign_in(request, guest)
    return guest is not None


def guest_of(request: HttpRequest, form: NicknameForm) -> User | None:
    """Return the guest that this form makes, or has made by an earlier press; not signed in.

    None if something stands in the way, which is then among the form's errors.
    """
    mark = _mark_of(request)
    return _made_by(mark) or _the_new_guest(request, form, mark)


def _the_new_guest(request: HttpRequest, form: NicknameForm, mark: str | None) -> User | None:
    if not form.is_valid():
        return _made_by(mark)  # the name may be taken by the other press, in this very moment
    if is_too_often("guests", client_of(request), MOST_AN_HOUR, 3600):
        form.add_error(None, ValidationError(TOO_FAST, code=TOO_MANY))
        return None
    name = form.cleaned_data["name"]
    try:
        with transaction.atomic():
            return User.objects.create_user(name, language=get_language() or "", first_form=mark)
    except IntegrityError:
        guest = _made_by(mark)
        if guest is None:
            form.add_error("name", get_adapter().validation_error("username_taken"))
        return guest


def _made_by(mark: str | None) -> User | None:
    """Whom an earlier press of this form has made, while no password guards them."""
    guest = User.objects.filter(first_form=mark, is_active=True).first() if mark else None
    return guest if guest and guest.is_guest else None


def _mark_of(request: HttpRequest) -> str | None:
    """What tells this browser's form from all others: a login changes it."""
    secret = request.META.get("CSRF_COOKIE")
    return sha256(secret.encode()).hexdigest() if secret else None
