"""The page of those who look for people to play with now."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts import guests
from accounts.answers import message, too_fast
from accounts.forms import NicknameForm
from accounts.fragments import live, wants_fragment
from accounts.limits import is_too_often
from games import sentences, services
from games.forms import QuickForm
from games.presenters import quick_page

SEEKS_AN_HOUR = 60  # of one person
EVERY = 3  # seconds between two looks


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Ask what somebody would like to play; while they wait, look again with each request, and lead
    them to the table. A POST begins to look, or stops (`do=stop`)."""
    if request.method == "POST":
        return _stop(request) if request.POST.get("do") == "stop" else _seek(request)
    return _show(request, QuickForm(), guests.nickname_form(request))


def _stop(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        services.stop_seeking(request.user)
    return redirect("quick")


def _seek(request: HttpRequest) -> HttpResponse:
    form, nickname = QuickForm(request.POST), guests.nickname_form(request)
    if not form.is_valid():
        return _show(request, form, nickname, status=400)
    if not guests.become_somebody(request, nickname):
        return _show(request, form, nickname, status=nickname.status if nickname else 400)
    if is_too_often("seeks", request.user.pk, SEEKS_AN_HOUR, 3600):
        return too_fast(request)
    try:
        services.seek(request.user, form.sought())
    except services.Refused as refused:
        if services.look_again(request.user):
            return redirect("quick")  # where a first press has led to a game
        return message(request, sentences.lobby_refusal(refused.code), status=409)
    return redirect("quick")


def _show(
    request: HttpRequest, form: QuickForm, nickname: NicknameForm | None, status: int = 200
) -> HttpResponse:
    mine = services.look_again(request.user) if request.user.is_authenticated else None
    if mine and mine.game_id and not wants_fragment(request):
        return redirect("table", mine.game_id)
    context = {
        "quick": quick_page(request.user, mine),
        "form": form,
        "nickname": nickname,
        "every": EVERY,
    }
    return live(request, "quick/_quick.html", "quick/quick.html", context, status)
