"""Whole addresses of pages, for links that leave the site: search engines, people who share."""

from typing import Any

from django import template
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.urls import translate_url

register = template.Library()


def _origin(request: Any) -> str:
    """The site's own address, else the one the reader used, if it is allowed."""
    if settings.SITE_URL or request is None:
        return settings.SITE_URL
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""


@register.simple_tag(takes_context=True)
def absolute(context: template.Context, path: str) -> str:
    """Return the whole address of a path of this site."""
    return _origin(context.get("request")) + path


@register.simple_tag(takes_context=True)
def in_language(context: template.Context, path: str, language: str) -> str:
    """Return the whole address of the same page in another language."""
    return absolute(context, translate_url(path, language))
