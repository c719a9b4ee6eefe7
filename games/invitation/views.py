"""The page to which an invitation leads, and what the invitation shows of itself elsewhere."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from accounts import guests, qr
from accounts.answers import too_fast
from accounts.limits import is_too_often
from accounts.views import client_of
from games import sentences, services
from games.invitation import picture
from games.models import Game, Seat
from games.presenters import invitation, join_link, present

# From one address. Nobody finds a table that way: there are 27**6 codes, 387 millions.
WRONG_CODES_A_MINUTE = 60
FOREVER = 365 * 24 * 60 * 60  # seconds; the address of a picture changes with what it shows


@require_GET
def join_by_code(request: HttpRequest) -> HttpResponse:
    """Lead whoever types an invitation code to its page."""
    code = "".join(filter(str.isalnum, request.GET.get("code", ""))).upper()
    if Game.objects.filter(code=code).exists():
        return redirect("join", code)
    return _no_such_table(request)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table that an invitation leads to; a POST takes a seat there."""
    game = Game.objects.with_people().filter(code=code.upper()).first()
    seat = game.seat_of(request.user) if game else None
    if game is None or not (seat or services.is_welcome(request.user, game)):
        return _no_such_table(request)
    if seat and seat.joined:
        return redirect("table", game.pk)
    form, reason = guests.nickname_form(request), _why_not_join(game, seat)
    if request.method == "POST" and not reason and guests.become_somebody(request, form):
        try:
            services.join(request.user, game.pk)
            return redirect("table", game.pk)
        except services.Refused as refused:
            reason = sentences.lobby_refusal(refused.code)
    context = {
        "game": present(game, request.user),
        "code": game.code,
        "can_join": not reason,
        "reason": reason,
        "form": form,
        **invitation(game),
        "share_url": reverse("join", args=[game.code]),
        "share_picture": reverse("invitation_picture", args=[game.code, picture.DESIGN]),
    }
    status = 200
    if request.method == "POST":
        status = 409 if reason or not form else form.status
    return render(request, "games/join.html", context, status=status)


@require_safe
def invitation_qr(request: HttpRequest, code: str) -> HttpResponse:
    """The link of an invitation as a QR code, to be read from one phone by another."""
    game = _called(code)
    link = join_link(game, f"{request.scheme}://{request.get_host()}")
    response = HttpResponse(qr.svg(link), content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=FOREVER)
    return response


@require_safe
def invitation_picture(request: HttpRequest, code: str, design: int) -> HttpResponse:
    """The picture that messengers show beside the link of an invitation."""
    if design != picture.DESIGN:
        raise Http404
    response = HttpResponse(picture.draw(_called(code)), content_type="image/png")
    patch_cache_control(response, public=True, max_age=FOREVER, immutable=True)
    return response


def _called(code: str) -> Game:
    game = Game.objects.filter(code=code.upper()).first()
    if game is None:
        raise Http404
    return game


def _no_such_table(request: HttpRequest) -> HttpResponse:
    if is_too_often("codes", client_of(request), WRONG_CODES_A_MINUTE):
        return too_fast(request)
    context = {"title": _("No table has this code.")}
    return render(request, "games/no_such_table.html", context, status=404)


def _why_not_join(game: Game, invited: Seat | None) -> str:
    """The sentence that tells somebody without a kept seat that there is none, or nothing."""
    if game.status == Game.Status.CLOSED:
        return sentences.lobby_refusal("closed")
    if game.status != Game.Status.WAITING:
        return sentences.lobby_refusal("already_started")
    if not invited and len(game.seats.all()) == game.seat_count:
        return sentences.lobby_refusal("table_full")
    return ""
