"""The page about friends, whose forms stand on other pages, too."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import delivery, moderation, ties
from accounts.addresses import is_own_path
from accounts.answers import message, too_fast
from accounts.channels import FRIEND
from accounts.forms import ReportForm
from accounts.limits import is_too_often
from accounts.models import User
from accounts.views import bad_request
from games import sentences
from games.presenters import friends_page, people_beside, read

WORDS_AN_HOUR = 60  # of one person about others
REPORTS_AN_HOUR = 20  # of one person


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def friends(request: HttpRequest) -> HttpResponse:
    """The people around the reader; a POST asks somebody to be friends, parts from them or blocks
    them (`do`, and the `name`)."""
    if request.method == "POST":
        return _say(request)
    people = friends_page(request.user)
    ties.open_questions(request.user.pk or 0, FRIEND).update(read_at=delivery.instant())
    return render(request, "friends/friends.html", {"people": people})


def _say(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types: a login is required
    do, name = request.POST.get("do", ""), request.POST.get("name", "")
    if do not in ("ask", "part", "block"):
        return bad_request(request)
    if is_too_often("ties", user.pk, WORDS_AN_HOUR, 3600):
        return too_fast(request)
    other = User.objects.called(name)
    if other is None or other == user:
        context = {
            "people": friends_page(user),
            "refusal": sentences.lobby_refusal("nobody"),
            "name": name,
        }
        return render(request, "friends/friends.html", context, status=404)
    try:
        if do == "part":
            ties.part(user, other)
        elif not (ties.ask if do == "ask" else ties.block)(user, other):
            messages.error(request, _("You have as many people here as one can have."))
    except ties.Muted:
        return message(request, sentences.lobby_refusal("muted"), status=403)
    then = request.POST.get("next", "")
    return redirect(then if is_own_path(then) else reverse("friends"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def report_at(request: HttpRequest, game_id: str) -> HttpResponse:
    """Say something against somebody at a table that the reader may see."""
    game = read(game_id, request.user)
    if game is None:
        raise Http404
    people = people_beside(game.seats.all(), request.user.pk)
    return _report(request, people, table=game.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def report_player(request: HttpRequest, name: str) -> HttpResponse:
    """Say something against whoever has this name."""
    person = User.objects.called(name)
    if person is None or person == request.user:
        raise Http404
    return _report(request, [person])


def _report(request: HttpRequest, people: list[User], table: str = "") -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # noqa: S101  for the types: a login is required
    form = ReportForm(people, request.POST if request.method == "POST" else None)
    if form.is_bound and is_too_often("people-reported", user.pk, REPORTS_AN_HOUR, 3600):
        return too_fast(request)
    if not form.is_valid():
        context = {"form": form, "people": people, "table": table}
        status = 400 if form.is_bound else 200
        return render(request, "friends/report.html", context, status=status)
    said = form.cleaned_data
    moderation.report(user, said["person"], said["kind"], table, said["note"])
    messages.success(request, _("Thank you. A moderator will look at it."))
    return redirect(reverse("table", args=[table]) if table else reverse("friends"))
