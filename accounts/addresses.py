"""Addresses of pages here: which are ours, and the same page in another language."""

import re

from django.conf import settings
from django.http import HttpResponseBase
from django.urls import translate_url
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

HOME = "/"


def is_own_path(url: str) -> bool:
    """Return whether `url` is a path of this site, to go on to after a form.

    Only a path: it begins with one slash and holds no space or control character, so that no
    browser can read a host into it.
    """
    plain = re.fullmatch(r"/(?!/)[^\s\x00-\x1f\x7f]*", url) is not None
    return plain and url_has_allowed_host_and_scheme(url, allowed_hosts=None)


def in_language(path: str, language: str) -> str:
    """Return the address of the same page in `language`, with its query.

    The path itself if the page has no language of its own.
    """
    with translation.override(translation.get_language_from_path(path) or language):
        return translate_url(path, language)


def remember_language(response: HttpResponseBase, language: str) -> None:
    """Let the browser keep the language that was chosen, also when nobody is signed in."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
