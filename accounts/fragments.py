"""Pages with a part that the script keeps right: it asks for that part alone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_vary_headers


def wants_fragment(request: HttpRequest) -> bool:
    """Return whether the script asks, which it does only while the page is visible."""
    return request.headers.get("X-Fragment") == "1"


def live(
    request: HttpRequest, fragment: str, page: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Return the page of this template, or the part of it that changes (the template `fragment`) if
    the script asks; it is kept nowhere."""
    name = fragment if wants_fragment(request) else page
    response = render(request, name, context, status=status)
    add_never_cache_headers(response)
    patch_vary_headers(response, ["X-Fragment"])
    return response
