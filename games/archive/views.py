"""Pages of finished games: the replay, its link to share, the picture of the end; the players."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from accounts.fragments import wants_fragment
from games import services
from games.archive import picture
from games.models import Game
from games.presenters import final_table, player_page, read_finished, replay

FOREVER = 365 * 24 * 60 * 60  # seconds; the address of a picture changes with what it shows


@require_safe
def replay_page(request: HttpRequest, game_id: str) -> HttpResponse:
    """One step of a finished game (`?step=`), or that step alone if the script asks for it."""
    key = request.GET.get("key", "")
    game = _finished(request, game_id)
    origin = f"{request.scheme}://{request.get_host()}"
    shown = replay(game, request.user, step=_step_in(request), key=key, origin=origin)
    name = "replay/_step.html" if wants_fragment(request) else "replay/replay.html"
    response = render(request, name, {"replay": shown} | _for_sharing(game, shown))
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["X-Fragment"])
    return response


@require_POST
@login_required
def replay_share(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make the link by which anybody can see the replay; only who played the game may."""
    return _by_a_player(request, game_id, services.share)


@require_POST
@login_required
def replay_withdraw(request: HttpRequest, game_id: str) -> HttpResponse:
    """Let that link lead nowhere any more."""
    return _by_a_player(request, game_id, services.withdraw)


@require_safe
def replay_picture(request: HttpRequest, game_id: str, fingerprint: str) -> HttpResponse:
    """The final table as a picture, beside links to the replay."""
    shown = final_table(_finished(request, game_id))
    if fingerprint != picture.fingerprint(shown):
        raise Http404
    response = HttpResponse(picture.draw(shown), content_type="image/png")
    patch_cache_control(response, private=True, max_age=FOREVER, immutable=True)
    return response


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """What somebody has played: for others what was public, for oneself all."""
    shown = player_page(name, request.user, request.GET.get("page", ""))
    if shown is None:
        raise Http404
    response = render(request, "players/player.html", {"player": shown})
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _by_a_player(request: HttpRequest, game_id: str, change: Callable) -> HttpResponse:
    game = _finished(request, game_id)
    try:
        change(request.user, game.pk)
    except services.Refused:
        raise Http404 from None
    return redirect(reverse("replay", args=[game.pk]) + "#share")


def _finished(request: HttpRequest, game_id: str) -> Game:
    game = read_finished(game_id, request.user, request.GET.get("key", ""))
    if game is None:
        raise Http404
    return game


def _step_in(request: HttpRequest) -> int | None:
    """The step asked for; what is no number counts as not asked."""
    sent = request.GET.get("step", "")
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 6 else None


def _for_sharing(game: Game, shown: dict) -> dict:
    """What a link shows of itself elsewhere: by the address that the reader came by."""
    query = f"?key={game.share_key}" if shown["key"] and not game.public else ""
    drawn = picture.fingerprint(final_table(game))
    return {
        "title": shown["headline"],
        "preset": shown["preset_name"],
        "description": shown["description"],
        "share_url": reverse("replay", args=[game.pk]) + query,
        "share_picture": reverse("replay_picture", args=[game.pk, drawn]) + query,
    }
