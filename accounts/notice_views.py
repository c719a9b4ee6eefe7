"""Pages about what reaches the reader: the inbox, the ways, the places, what came of it."""

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import channels, delivery, devices, endpoints, mailing, trial
from accounts.answers import TOO_FAST, too_fast
from accounts.channels import HOOK, PUSH, TRIAL
from accounts.forms import NoticesForm
from accounts.fragments import live
from accounts.limits import is_too_often
from accounts.models import Notice, User

NOTICES_SHOWN = 50
TRIALS_A_MINUTE = 2
DEVICES_A_MINUTE = 20
WEBHOOKS_AN_HOUR = 10  # a new one may keep a worker waiting


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def inbox(request: HttpRequest) -> HttpResponse:
    """What the reader is still to know; a POST says that it was read."""
    if request.method == "POST":
        delivery.read(request.user.pk or 0)
        return redirect("inbox")
    notices = [delivery.letter(notice) for notice in delivery.open_notices(request.user)]
    lines = [{"text": text, "url": path} for _, text, path in notices]
    return live(request, "accounts/_inbox.html", "accounts/inbox.html", {"lines": lines})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """By which ways the reader is to be told what."""
    user: Any = request.user
    form = NoticesForm(user, request.POST or None)
    if form.is_valid():
        form.store()
        messages.success(request, _("Your settings are saved."))
        return redirect("notices")
    return _notices(request, form, 400 if form.is_bound else 200)


def _notices(
    request: HttpRequest, form: NoticesForm, status: int, address: str = "", wrong: str = ""
) -> HttpResponse:
    """The page with this form; `wrong` is what is the matter with this address of a webhook."""
    shown = {
        "form": form,
        "devices": endpoints.of(form.user, PUSH),
        "this_device": devices.of_this_browser(request),
        "hooks": endpoints.of(form.user, HOOK),
        "address": address,
        "wrong": wrong,
    }
    return render(request, "accounts/notices.html", shown, status=status)


@require_POST
@login_required
def add_device(request: HttpRequest) -> HttpResponse:
    """Show notices on the device that asks, by its script: 204, or what is the matter.

    A device that says nothing new (`new`) and was removed is told so: 410.
    """
    user: Any = request.user
    if is_too_often("devices", user.pk, DEVICES_A_MINUTE):
        return _in_words(str(TOO_FAST), 429)
    if not request.POST.get("new") and devices.was_removed(request):
        return _in_words(_("This device was removed."), 410)
    told = [request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth", "key", "before")]
    try:
        device = endpoints.add_device(user, *told)
    except ValidationError as wrong:
        return _in_words(wrong.messages[0], 400)
    devices.remember(request, device)
    return HttpResponse(status=204)


def _in_words(words: str, status: int) -> HttpResponse:
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


@require_POST
@login_required
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Post the reader's notices to this address, too."""
    user: Any = request.user
    if is_too_often("webhooks", user.pk, WEBHOOKS_AN_HOUR, 3600):
        return too_fast(request)
    address = request.POST.get("address", "").strip()
    try:
        endpoints.add_webhook(user, address)
    except ValidationError as wrong:
        return _notices(request, NoticesForm(user), 400, address, wrong.messages[0])
    return redirect(f"{reverse('notices')}#webhooks")


@require_POST
@login_required
def remove_place(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget one of the reader's devices or webhooks."""
    user: Any = request.user
    if endpoints.remove(user, pk):
        messages.success(request, _("It was removed."))
    return redirect("notices")


@require_POST
@login_required
def calendar_link(request: HttpRequest) -> HttpResponse:
    """Make the secret link to the reader's deadlines, another one each time, or withdraw it."""
    key = secrets.token_urlsafe(16) if request.POST.get("make") == "1" else ""
    User.objects.filter(pk=request.user.pk or 0).update(calendar_key=key)
    return redirect(f"{reverse('notices')}#calendar")


@require_safe
@never_cache
@login_required
def reached(request: HttpRequest) -> HttpResponse:
    """By which ways the reader was told what, and what came of it."""
    latest = Notice.objects.filter(user=request.user.pk, due_at__lte=delivery.instant())
    latest = latest.prefetch_related("deliveries").order_by("-due_at")[:NOTICES_SHOWN]
    rows = [
        {
            "text": channels.name_of(notice.kind),
            "url": "" if notice.kind == TRIAL else delivery.page_of(notice),
            "due_at": notice.due_at,
            "read": notice.read_at is not None,
            "deliveries": [
                {
                    "name": channels.CHANNEL_NAMES[each.channel],
                    "state": each.get_state_display(),
                    "repeated": each.repeated,
                    "at": each.settled_at,
                }
                for each in notice.deliveries.all()
            ],
        }
        for notice in latest
    ]
    user: Any = request.user
    shown = {"rows": rows, "has_places": bool(endpoints.live(user))}
    return render(request, "accounts/reached.html", shown)


@require_POST
@login_required
def try_places(request: HttpRequest) -> HttpResponse:
    """Send a notice to each of the reader's devices and webhooks, to see whether it arrives."""
    user: Any = request.user
    if is_too_often("trial", user.pk, TRIALS_A_MINUTE):
        return too_fast(request)
    if count := trial.start(user):
        words = ngettext(
            "A notice is on its way to %(n)d place. Reload this page in half a minute.",
            "A notice is on its way to %(n)d places. Reload this page in half a minute.",
            count,
        )
        messages.success(request, words % {"n": count})
    else:
        messages.error(request, _("No device and no webhook of yours takes notices."))
    return redirect("reached")


@require_POST
@login_required
def test_mail(request: HttpRequest) -> HttpResponse:
    """Send the reader a mail at once, to see whether mails arrive."""
    user: Any = request.user
    if is_too_often("test-mail", user.pk, TRIALS_A_MINUTE):
        return too_fast(request)
    if not user.email:
        messages.error(request, _("You have given no e-mail address, so no mail can reach you."))
    elif mailing.send_test_mail(user):
        messages.success(request, _("A mail is on its way to you."))
    else:
        messages.error(request, _("The mail could not be sent."))
    return redirect("reached")
