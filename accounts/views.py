"""Pages about the reader: choosing a language, and what to do after a form that came too late."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.account.views import logout
from allauth.usersessions.views import list_usersessions
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout as auth_logout
from django.contrib.auth.decorators import login_required
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import (
    browsers,
    catalogues,
    delivery,
    devices,
    leaving,
    mailing,
    moderation,
    qr,
    recovery,
)
from accounts.addresses import HOME, in_language, is_own_path, remember_language
from accounts.answers import message, too_fast
from accounts.channels import MEASURE
from accounts.forms import (
    BetterTextForm,
    DeleteForm,
    PasswordForm,
    RecoveryForm,
    SettingsForm,
    WrongTextForm,
)
from accounts.limits import is_too_often
from accounts.models import TextReport, User

REPORTS_A_MINUTE = 10  # from one address
PASSWORDS_TRIED = 5  # in five minutes, where the reader is asked for it once more
RECOVERIES_A_MINUTE = 60  # from one address, behind which a school may sit
REPORT = "text report"
REPORT_IS_OPEN = timedelta(hours=1)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch this browser, and the account if there is one, to the language posted."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return bad_request(request)
    if request.user.is_authenticated:
        request.user.language = language
        request.user.save(update_fields=["language"])
    page = request.POST.get("next", HOME)
    response = redirect(in_language(page if is_own_path(page) else HOME, language))
    remember_language(response, language)
    return response


def client_of(request: HttpRequest) -> str:
    """Return the address of whoever asks, behind exactly the configured number of proxies."""
    return get_adapter().get_client_ip(request) or ""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what cannot be read: 400, in words.

    Django's own view would look for the token in the very form that could not be read.
    """
    return render(request, "400.html", status=400)


@csrf_exempt  # the signed link is the permission; mail programs press it without a cookie
@require_http_methods(["GET", "HEAD", "POST"])
def mail_off(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off mails about turns, from a mail's link, signed in or not; only a POST does it."""
    if request.method != "POST":
        return render(request, "accounts/mail_off.html")
    if not mailing.turn_mail_off(token):
        return message(request, _("This link is not valid."), status=404)
    return message(request, _("You will get no more of these mails."))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def settings_page(request: HttpRequest) -> HttpResponse:
    """What the reader may set: the hand, what is read out, mails."""
    form = SettingsForm(request.POST or None, instance=request.user)
    if form.is_valid():
        form.store()
        messages.success(request, _("Your settings are saved."))
        return redirect("settings")
    status = 400 if form.is_bound else 200
    context = {"form": form, "measures": moderation.told_to(form.instance).exists()}
    return render(request, "accounts/settings.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_out(request: HttpRequest) -> HttpResponse:
    """allauth's page; whoever signs out leaves nothing behind in this browser's storage."""
    if request.method == "POST":
        devices.forget(request)
        browsers.forget(request)
    response = logout(request)
    if request.method == "POST":
        response["Clear-Site-Data"] = '"storage"'  # the service worker and what it kept, too
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """allauth's page; a session that began before there were lists is listed by looking at it."""
    browsers.enlist(request)
    return list_usersessions(request)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays; a POST with the password deletes the reader."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types: a login is required
    form = DeleteForm(user, request.POST if request.method == "POST" else None)
    if asked := _asked_once_more(request, form, "accounts/delete.html"):
        return asked
    leaving.delete(user)
    auth_logout(request)
    messages.success(request, _("Your account is deleted."))
    response = redirect(HOME)
    response["Clear-Site-Data"] = '"storage"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def recovery_code(request: HttpRequest) -> HttpResponse:
    """Say what a recovery code is for; a POST makes one, and its answer alone shows it."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types: a login is required
    form = PasswordForm(user, request.POST if request.method == "POST" else None)
    if asked := _asked_once_more(request, form, "accounts/recovery_code.html"):
        return asked
    code = recovery.make_code(user)
    link = request.build_absolute_uri(f"{reverse('recover')}#{code}")
    context = {"code": code, "qr": qr.as_image(link), "site": request.get_host()}
    return render(request, "accounts/recovery_code_made.html", context)


def _asked_once_more(request: HttpRequest, form: PasswordForm, page: str) -> HttpResponse | None:
    """The answer as long as the password has not been given; None once it has."""
    if form.is_bound and is_too_often("passwords", form.user.pk, PASSWORDS_TRIED, 300):
        return too_fast(request)
    if form.is_valid():
        return None
    return render(request, page, {"form": form}, status=400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def recover(request: HttpRequest) -> HttpResponse:
    """Bring back whoever has a recovery code: who has no password at once, others by a new one."""
    form = RecoveryForm(request.POST if request.method == "POST" else None)
    if form.is_bound and is_too_often("recoveries", client_of(request), RECOVERIES_A_MINUTE):
        return too_fast(request)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        then = request.POST.get("next") or request.GET.get("next", "")
        context = {"form": form, "next": then if is_own_path(then) else ""}
        return render(request, "accounts/recover.html", context, status=status)
    if not form.person.has_usable_password():
        return _come_back(request, form.person)
    messages.info(request, _("Welcome back, %(name)s!") % {"name": form.person.name})
    key = default_token_generator.make_token(form.person)
    return redirect("account_reset_password_from_key", user_pk_to_url_str(form.person), key)


def _come_back(request: HttpRequest, person: User) -> HttpResponse:
    """Sign a person in, whoever was signed in before; nothing of that person stays here."""
    if request.user != person:
        devices.forget(request)
    browsers.sign_in(request, person)
    language = person.language or get_language() or settings.LANGUAGE_CODE
    with translation.override(language):
        messages.success(request, _("Welcome back, %(name)s!") % {"name": person.name})
    then = request.POST.get("next", "")
    page = then if is_own_path(then) else reverse("games")
    response = redirect(in_language(page, language))
    remember_language(response, language)
    return response


@require_safe
@never_cache
@login_required
def measures(request: HttpRequest) -> HttpResponse:
    """What moderators have done about the reader, and why; to see it is to have been told."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types: a login is required
    rows = [(moderation.sentence(each), each) for each in moderation.told_to(user)]
    moderation.untold(user.pk, MEASURE).update(read_at=delivery.instant())
    return render(request, "accounts/measures.html", {"rows": rows})


@require_safe
@never_cache
@login_required
def personal_data(request: HttpRequest) -> HttpResponse:
    """All that the site keeps about the reader, in one file."""
    assert isinstance(request.user, User)  # noqa: S101  for the types: a login is required
    data = leaving.personal_data(request.user)
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = 'attachment; filename="ikarita.json"'
    return response


@require_safe
def languages(request: HttpRequest) -> HttpResponse:
    """How much of the site speaks each language, and who has read it."""
    rows = [
        {
            "name": name,
            "code": code,
            "percent": catalogues.coverage(code).percent,
            "review": catalogues.last_review(code),
        }
        for code, name in settings.LANGUAGES
        if code != settings.LANGUAGE_CODE
    ]
    return render(request, "accounts/languages.html", {"rows": rows})


@require_POST
def report_text(request: HttpRequest) -> HttpResponse:
    """Note that a text of a page is wrong, or what more the same reader says about it."""
    if is_too_often("reports", client_of(request), REPORTS_A_MINUTE):
        return too_fast(request)
    earlier = _report_of(request.POST.get("report", ""))
    form = (
        BetterTextForm(request.POST, instance=earlier) if earlier else WrongTextForm(request.POST)
    )
    if not form.is_valid():
        return bad_request(request)
    report = form.save(commit=False)
    report.language = report.language or get_language() or settings.LANGUAGE_CODE
    report.save()
    context = {
        "form": None if earlier else BetterTextForm(instance=report),
        "report": TimestampSigner(salt=REPORT).sign(str(report.pk)),
        "page": report.page,
    }
    return render(request, "accounts/text_reported.html", context)


def _report_of(signed: str) -> TextReport | None:
    """The report that this reader has just made: only he was given its signed number."""
    try:
        number = TimestampSigner(salt=REPORT).unsign(signed, max_age=REPORT_IS_OPEN)
    except BadSignature:
        return None
    return TextReport.objects.filter(pk=number).first()


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is missing or old: 403, in words, with the way on.

    Who signs in twice, by two tabs, is led on: the second time nothing is left to be done.
    """
    way_in = getattr(request.resolver_match, "url_name", "") in ("account_login", "account_signup")
    if way_in and request.user.is_authenticated:
        then = request.POST.get("next", "")
        return redirect(then if is_own_path(then) else settings.LOGIN_REDIRECT_URL)
    if reason == REASON_NO_CSRF_COOKIE:
        title = _("Your browser keeps no cookies.")
        text = _(
            "Nothing was changed. Allow cookies for this site: without them it cannot know you "
            "again. Then go back, reload the page and try again."
        )
    else:
        title = _("This page was too old.")
        text = _("Nothing was changed. Go back, reload the page and try again.")
    return message(request, title, text, status=403)
