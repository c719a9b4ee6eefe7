"""The reader's language: the address's, else the account's, cookie's, browser's, else English.

And the reader's time zone: the account's, else the device's, else where the language lives.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control

from accounts import zones
from accounts.models import User


class ZoneMiddleware:
    """Lets the reader's time zone be the one in which instants are shown."""

    def __init__(self, get_response: Callable) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the reader's zone; whoever sends a form and has none has the device's."""
        user = request.user
        if request.method == "POST" and user.is_authenticated and not user.time_zone:
            user.time_zone = zones.of_device(request.COOKIES)
            if user.time_zone:
                User.objects.filter(pk=user.pk, time_zone="").update(time_zone=user.time_zone)
        with timezone.override(zones.of_reader(user, request.COOKIES, translation.get_language())):
            return self.get_response(request)


class VisitMiddleware:
    """Notes on which day a person was here last: guests who stay away are deleted."""

    def __init__(self, get_response: Callable) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; the first request of a day costs one query more."""
        today = timezone.now().date()
        if request.user.is_authenticated and request.user.seen_on < today:
            User.objects.filter(pk=request.user.pk).update(seen_on=today)
        return self.get_response(request)


class LanguageMiddleware(LocaleMiddleware):
    """Django's middleware, which does not know that an account has a language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the reader's language (CONTRACTS: the order above)."""
        super().process_request(request)
        if translation.get_language_from_path(request.path_info):
            return
        if request.user.is_authenticated and translation.check_for_language(request.user.language):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Redirect an address without a language; where to is this reader's affair alone."""
        answer = super().process_response(request, response)
        if isinstance(answer, HttpResponseRedirect) and answer is not response:
            patch_cache_control(answer, private=True, no_cache=True)
        return answer
