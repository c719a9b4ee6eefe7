"""What allauth must know about our people."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import moderation
from accounts.addresses import in_language, is_own_path, remember_language
from accounts.answers import message
from accounts.models import User, normal_name


class AccountAdapter(DefaultAccountAdapter):
    """Names in their normal form; the language of the sign-up page becomes the account's."""

    # As the database's own constraint says it (accounts/models.py).
    error_messages: ClassVar = DefaultAccountAdapter.error_messages | {
        "username_taken": _("This user name is already taken."),
        "username_alike": _("This user name looks too much like another one."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it will be stored; raises ValidationError if it cannot be used."""
        name = super().clean_username(normal_name(username), shallow=shallow)
        if not shallow and User.objects.has_name(name):
            raise self.validation_error("username_taken")
        if not shallow and User.objects.has_lookalike(name):
            raise self.validation_error("username_alike")
        return name

    def save_user(self, request, user: User, form, commit: bool = True) -> User:
        """Store the new user with the language in which the sign-up page was read."""
        user.language = get_language() or settings.LANGUAGE_CODE
        return super().save_user(request, user, form, commit)

    def send_confirmation_mail(self, request, emailconfirmation, signup: bool) -> None:
        """Send what confirms an address; whose address it is already is told that instead.

        The page reads the same in both cases: it does not tell who has an account here.
        """
        address = emailconfirmation.email_address
        others = EmailAddress.objects.exclude(user=address.user)
        if others.filter(email__iexact=address.email, verified=True).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def _get_login_attempts_cache_key(self, request, **credentials: Any) -> str:
        """Count wrong passwords by name and address: else strangers could lock an owner out."""
        by_name = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{by_name}:{self.get_client_ip(request)}"

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether something that matters asks again who the reader is.

        Who has no way to sign in cannot be asked.
        """
        user = context.request.user
        if not (user.is_authenticated and self.get_reauthentication_methods(user)):
            return not user.is_authenticated
        return super().is_reauthentication_required(app=app, **kwargs)

    def respond_user_inactive(self, request, user: User) -> HttpResponse:
        """Tell whoever is suspended why, and until when; they have just said who they are."""
        measure = moderation.suspension_of(user)
        if measure is None:
            return super().respond_user_inactive(request, user)
        return message(request, moderation.sentence(measure), measure.reason, status=403)

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether somebody may be sent there after a form."""
        return is_own_path(url or "")

    def post_login(self, request, user: User, **how: Any) -> HttpResponse:
        """Return the answer to a login: the account's language wins, and this browser keeps it."""
        response = super().post_login(request, user, **how)
        if user.language:
            response["Location"] = in_language(response["Location"], user.language)
            remember_language(response, user.language)
        return response

    def set_password(self, user: User, password: str) -> None:
        """Store a new password and nothing else: what another tab has changed meanwhile stays."""
        user.set_password(password)
        user.save(update_fields=["password"])
