"""The light mode: text cards, no motion, nothing fetched ahead; for whom bytes are dear."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from accounts.addresses import HOME, is_own_path

COOKIE = "light"


class LightMiddleware:
    """Sets `request.light`: as the reader switched it, else as the browser asks by Save-Data."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Set it, and say what a page depends on."""
        request.light = is_light(request)  # type: ignore[attr-defined]
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Save-Data", "Cookie"])
        return response


def is_light(request: HttpRequest) -> bool:
    """Return whether this reader's pages are to be light."""
    chosen = request.COOKIES.get(COOKIE)
    if chosen in ("0", "1"):
        return chosen == "1"
    return request.headers.get("Save-Data", "").strip().lower() == "on"


@require_POST
def set_light(request: HttpRequest) -> HttpResponse:
    """Switch this browser to the light mode (`light=1`) or out of it, and lead back to the page."""
    page = request.POST.get("next", HOME)
    response = redirect(page if is_own_path(page) else HOME)
    response.set_cookie(
        COOKIE,
        "1" if request.POST.get("light") == "1" else "0",
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
