"""Pages about the reader: choosing a language, and what to do after a form that came too late."""

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as set_language_of_browser


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch this browser, and the account if there is one, to the language posted."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return bad_request(request)
    if request.user.is_authenticated:
        request.user.language = language
        request.user.save(update_fields=["language"])
    return set_language_of_browser(request)


def client_of(request: HttpRequest) -> str:
    """Return the address of whoever asks, behind exactly the configured number of proxies."""
    return get_adapter().get_client_ip(request) or ""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what cannot be read: 400, in words.

    Django's own view would look for the token in the very form that could not be read.
    """
    return render(request, "400.html", status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is missing or old: 403, in words, with the way on."""
    context = {
        "title": _("This page was too old."),
        "text": _("Nothing was changed. Go back, reload the page and try again."),
    }
    return render(request, "message.html", context, status=403)
