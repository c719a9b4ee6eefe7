"""Who runs this site, what it keeps of people, and what it asks of them."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.delivery import KEPT
from accounts.leaving import GUESTS_ARE_KEPT

PAGES = ("privacy", "terms", "imprint")


@require_safe
def about(request: HttpRequest, page: str) -> HttpResponse:
    """One of PAGES, with what the operator has filled in (docs/operations.md)."""
    context = {
        "operator": settings.OPERATOR,
        "guest_days": GUESTS_ARE_KEPT.days,
        "notice_days": KEPT.days,
        "canonical": request.path,
    }
    return render(request, f"about/{page}.html", context)
