"""What makes the site installable: manifest, service worker, and the page without a line."""

import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

# What the page without a line is drawn with; everything else is kept once it was used.
SHELL = ("ikarita.css", "icon.svg", "imigongo.svg", "relief.svg")
LEAF, KAOLIN = "#20573f", "#f7f1e6"  # as in static/ikarita.css: the splash screen's colours


@require_safe
@cache_control(private=True, no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """What a browser needs to install the site, in the reader's language."""
    content = {
        "id": "/",
        "name": "Ikarita",
        "short_name": "Ikarita",
        "description": _("Matatu and Mau-Mau with friends"),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": "/games/",
        "scope": "/",
        "display": "standalone",
        "background_color": KAOLIN,
        "theme_color": LEAF,
        "categories": ["games"],
        "icons": [
            _icon("icon-192.png", 192),
            _icon("icon-512.png", 512),
            _icon("icon-maskable-512.png", 512) | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": _("My games"), "url": "/games/"},
            {"name": _("Open tables"), "url": "/lobbies/"},
            {"name": _("Rules"), "url": "/rules/"},
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _icon(name: str, size: int) -> dict[str, str]:
    return {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png"}


@require_safe
@never_cache  # the browser asks itself whether there is another one
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script at templates/sw.js, with what it must know of this version of the site."""
    known = {
        "version": getattr(staticfiles_storage, "manifest_hash", "") or "0",
        "languages": [code for code, _ in settings.LANGUAGES],
        "statics": settings.STATIC_URL,
        "shell": [static(name) for name in SHELL],
        "icon": static("icon-192.png"),
    }
    script = render_to_string("sw.js", {"known": json.dumps(known)})
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker keeps for when there is no line."""
    return render(request, "offline.html", {"rules_url": reverse("rules")})
