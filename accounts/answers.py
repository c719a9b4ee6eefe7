"""Answers in a sentence or two, in the reader's language."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

TOO_FAST = _("Too fast. Please wait a moment and try again.")


def message(request: HttpRequest, title: str, text: str = "", status: int = 200) -> HttpResponse:
    """Return a page that says no more than this."""
    return render(request, "message.html", {"title": title, "text": text}, status=status)


def too_fast(request: HttpRequest) -> HttpResponse:
    """Return the page for who does something too often: 429."""
    return message(request, str(TOO_FAST), status=429)
