"""Pages and forms about games. Views read, ask the door for changes, and show documents."""

import json
from functools import lru_cache, partial
from math import inf
from threading import Lock

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts import delivery, guests
from accounts.answers import message, too_fast
from accounts.fragments import live, wants_fragment
from accounts.limits import is_too_often
from accounts.models import User
from accounts.views import bad_request
from games import rules, sentences, services
from games.bots import LEVELS
from games.forms import MoveForm, NewGameForm, preset_named
from games.guide.anchors import paragraph_for
from games.models import Game
from games.presenters import (
    askers,
    counts,
    deadlines,
    holiday_of,
    lobby_line,
    present,
    presets,
    read,
    read_finished,
    record,
    refusal_text,
    summary,
    watch_line,
)
from games.services.lobby import USUAL_PRESETS
from games.services.votes import CHOICES

FIRST_PRESET = ("matatu", "rwanda")
MOST_LISTED = 100
MOST_WATCHED = 20
# "Play now": one press to a running game.
BOTS = ("easy", "easy")
BOT_GAMES_AN_HOUR = 30  # of one person
ONE_PRESS = 3  # seconds in which a second press is none

MOVES_A_MINUTE = 120  # of one person, at all tables
INVITATIONS_AN_HOUR = 30  # of one person
MARK = 20  # letters, at most, by which a page that moves tells itself from others


def my_turns(request: HttpRequest) -> dict:
    """Give every template the reader's counts, read only if it shows them."""
    user = getattr(request, "user", AnonymousUser())
    return {"counts": SimpleLazyObject(lambda: counts(user))}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, in one glance."""
    return render(request, "home.html", {"canonical": request.path})


@require_safe
@login_required
def game_list(request: HttpRequest) -> HttpResponse:
    """The reader's games: "my turn" first, then running, waiting, ended ones; the nearest
    deadline first, else the newest."""
    shown = Game.objects.of(request.user).exclude(status=Game.Status.CLOSED)
    games = [summary(game, request.user) for game in shown.with_people().order_by("-created_at")]
    order = list(Game.Status.values)
    order.sort(key=lambda status: status != Game.Status.PLAYING)
    games.sort(key=lambda game: game["deadline"].timestamp() if game["deadline"] else inf)
    games.sort(key=lambda game: (not game["my_turn"], order.index(game["status"])))
    context = {
        "games": games,
        "holiday": holiday_of(request.user),
        "asking": askers(request.user),
    }
    return live(request, "games/_games.html", "games/list.html", context)


@require_safe
def lobby_list(request: HttpRequest) -> HttpResponse:
    """Open public tables."""
    context = {"socket_url": f"/ws/lobbies/?language={get_language()}"}
    context |= open_lobbies(request.user)
    return live(request, "games/_lobbies.html", "games/lobbies.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def lobby_new(request: HttpRequest) -> HttpResponse:
    """Open a table and go to it. `?game=matatu/rwanda` chooses the preset whose terms are shown."""
    sent = request.POST if request.method == "POST" else None
    named = preset_named((request.GET if sent is None else sent).get("game", ""))
    form = NewGameForm(*(named or FIRST_PRESET), sent)
    if sent is not None and named is None:
        form.add_error(None, _("Choose a game first."))
    if form.is_valid():
        try:
            return redirect("table", services.create(request.user, form.terms()).pk)
        except services.Refused as refused:
            field = "pace" if refused.code == "pace_needed" else None
            form.add_error(field, sentences.lobby_refusal(refused.code))
    context = {"form": form, "games": presets(), "game": f"{form.variant}/{form.preset}"}
    return render(request, "games/new.html", context, status=400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Two taps from the home page to a running game against bots; a name is all that is asked."""
    form = guests.nickname_form(request)
    variant = request.POST.get("game", "")
    if request.method == "POST" and variant not in USUAL_PRESETS:
        return bad_request(request)
    if request.method == "POST" and guests.become_somebody(request, form):
        if is_too_often("bot-games", request.user.pk, BOT_GAMES_AN_HOUR, 3600):
            return too_fast(request)
        if is_too_often("bot-games-at-once", request.user.pk, 1, ONE_PRESS):
            return redirect("games")  # where the game of the first press waits
        try:
            return redirect("table", _game_with_bots(request.user, variant).pk)
        except services.Refused as refused:
            return message(request, sentences.lobby_refusal(refused.code), status=409)
    context = {"form": form, "games": {name: sentences.game_name(name) for name in USUAL_PRESETS}}
    status = form.status if form and form.is_bound else 200
    return render(request, "games/play_now.html", context, status=status)


def _game_with_bots(user, variant: str) -> Game:
    """Open a table and fill it. Nobody waits for anybody there: no limit to a turn."""
    terms = services.Terms(
        variant, USUAL_PRESETS[variant], seats=1 + len(BOTS), pace=Game.Pace.NONE
    )
    game = services.create(user, terms)
    for level in BOTS:
        services.add_bot(user, game.pk, level)
    return game


@require_POST
@login_required
def leave(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give up the reader's seat at a waiting table."""
    return _lobby_act(request, game_id, services.leave, "games")


@require_POST
@login_required
def start(request: HttpRequest, game_id: str) -> HttpResponse:
    """Begin with the people who are there."""
    return _lobby_act(request, game_id, services.start, "table", game_id)


@require_POST
@login_required
def add_bot(request: HttpRequest, game_id: str) -> HttpResponse:
    """Seat a bot of the level posted."""
    level = request.POST.get("level", "")
    if level not in LEVELS:
        return _table(request, game_id, _(sentences.UNREADABLE), 400)
    return _lobby_act(request, game_id, services.add_bot, "table", game_id, what=(level,))


@require_POST
@login_required
def invite(request: HttpRequest, game_id: str) -> HttpResponse:
    """Keep a seat for the person of the name posted."""
    if is_too_often("invitations", request.user.pk, INVITATIONS_AN_HOUR, 3600):
        return too_fast(request)
    name = request.POST.get("name", "")
    return _lobby_act(request, game_id, services.invite, "table", game_id, what=(name,))


@require_POST
@login_required
def remove(request: HttpRequest, game_id: str) -> HttpResponse:
    """Free the seat posted: not a number at the table, where somebody else may sit by now."""
    seat = request.POST.get("seat", "")
    if not (seat.isascii() and seat.isdecimal() and len(seat) < 19):
        return _table(request, game_id, _(sentences.UNREADABLE), 400)
    return _lobby_act(request, game_id, services.remove, "table", game_id, what=(int(seat),))


@require_POST
@login_required
def come_back(request: HttpRequest, game_id: str) -> HttpResponse:
    """Take the reader's seat back from the bot."""
    return _lobby_act(request, game_id, services.come_back, "table", game_id)


@require_POST
@login_required
def line_failed(request: HttpRequest, game_id: str) -> HttpResponse:
    """Stop the reader's clock once: the line or the power has failed."""
    return _lobby_act(request, game_id, services.pause_for_line, "table", game_id)


@require_POST
@login_required
def mute(request: HttpRequest, game_id: str) -> HttpResponse:
    """Let nothing about this game disturb the reader, or again."""
    act = partial(services.mute, muted=request.POST.get("muted") == "1")
    return _lobby_act(request, game_id, act, "table", game_id)


@require_POST
@login_required
def vote(request: HttpRequest, game_id: str) -> HttpResponse:
    """Say what is to be done about who is absent."""
    choice = request.POST.get("vote", "")
    if choice not in CHOICES:
        return _table(request, game_id, _(sentences.UNREADABLE), 400)
    act = partial(services.vote, choice=choice)
    return _lobby_act(request, game_id, act, "table", game_id)


@require_POST
@login_required
def holiday(request: HttpRequest) -> HttpResponse:
    """Begin or end the reader's holiday."""
    try:
        if request.POST.get("go") == "1":
            services.go(request.user)
        else:
            services.come_home(request.user)
    except services.Refused as refused:
        messages.error(request, sentences.lobby_refusal(refused.code))
    return redirect("games")


@require_POST
@login_required
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    """Open the next game of the same people, or join the one that is open."""
    game = _game_for(request, game_id)
    try:
        return redirect("table", services.rematch(request.user, game.pk))
    except services.Refused as refused:
        return _table(request, game_id, sentences.lobby_refusal(refused.code), 409)


def _lobby_act(
    request: HttpRequest, game_id: str, act, *then: str, what: tuple = ()
) -> HttpResponse:
    game = _game_for(request, game_id)
    try:
        act(request.user, game.pk, *what)
    except services.Refused as refused:
        return _table(request, game_id, sentences.lobby_refusal(refused.code), 409)
    return redirect(*then)


@require_safe
def table(request: HttpRequest, game_id: str) -> HttpResponse:
    """The table: lobby, play and result; the fragment alone if the script asks for it."""
    if request.user.is_authenticated:
        if wants_fragment(request):
            delivery.looks(request.user.pk, game_id)
    elif not Game.objects.on_show().filter(pk=game_id).exists():
        return _log_in(request, request.path)
    return _table(request, game_id)


@require_POST
@login_required
def watching(request: HttpRequest, game_id: str) -> HttpResponse:
    """Let others watch a public table, or not."""
    act = partial(services.allow_watching, allowed=request.POST.get("allowed") == "1")
    return _lobby_act(request, game_id, act, "table", game_id)


@require_POST
def moves(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a move (CONTRACTS section 3)."""
    if not request.user.is_authenticated:
        return _log_in(request, reverse("table", args=[game_id]))
    if is_too_often("moves", request.user.pk, MOVES_A_MINUTE):
        return too_fast(request)
    form = MoveForm(request.POST)
    if not form.is_valid():
        return _table(request, game_id, _(sentences.UNREADABLE), 400)
    page = request.headers.get("X-Page", "")[:MARK] if wants_fragment(request) else ""
    refusal, rule, status = _try_move(request.user, game_id, form.cleaned_data, page)
    if status == 200 and not wants_fragment(request):
        return HttpResponseRedirect(reverse("table", args=[game_id]), status=303)
    return _table(request, game_id, refusal, status, rule)


def _try_move(user, game_id: str, sent: dict, page: str) -> tuple[str, str, int]:
    """Make the move; return why it was refused and by which paragraph of the rules, if so, and the
    status of the answer."""
    try:
        services.act(user, game_id, sent["move"], sent["version"], page)
    except Game.DoesNotExist as nowhere:
        raise Http404 from nowhere
    except services.StaleVersion:
        return sentences.plain_refusal("stale"), "", 409
    except services.Refused as refused:
        status = 403 if refused.code == "not_seated" else 422
        return sentences.lobby_refusal(refused.code), "", status
    except rules.IllegalMove as illegal:
        game = Game.objects.with_people().get(pk=game_id)
        rule = paragraph_for(game.position(), illegal)
        return refusal_text(game, user, sent["move"], illegal), rule, 422
    return "", "", 200


@require_safe
def game_record(request: HttpRequest, game_id: str) -> HttpResponse:
    """The record of a finished game, for whoever may see its replay."""
    game = read_finished(game_id, request.user, request.GET.get("key", ""))
    if game is None:
        raise Http404
    response = JsonResponse(record(game), json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = "private"
    return response


@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponse:
    """The deadlines of whose secret link this is (RFC 5545), for programs that show calendars."""
    owner = User.objects.filter(calendar_key=key, is_active=True).exclude(calendar_key="").first()
    if owner is None:
        raise Http404
    origin = settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
    with translation.override(owner.language or settings.LANGUAGE_CODE):
        feed = deadlines(owner, origin)
    response = HttpResponse(feed, content_type="text/calendar; charset=utf-8")
    add_never_cache_headers(response)
    return response


# --- What the views above share ----------------------------------------------------------------


def _game_for(request: HttpRequest, game_id: str) -> Game:
    """The game, if the reader may see its table: the seated, and everybody at public ones."""
    game = read(game_id, request.user)
    if game is None:
        raise Http404
    return game


def _table(
    request: HttpRequest, game_id: str, refusal: str = "", status: int = 200, rule: str = ""
) -> HttpResponse:
    """The table as it is now, read afresh."""
    game = _game_for(request, game_id)
    waits = request.method == "GET" and bool(getattr(game, "notice_count", 0))
    if waits and delivery.read(request.user.pk or 0, game_id):
        game = _game_for(request, game_id)  # with one notice less
    origin = f"{request.scheme}://{request.get_host()}"
    document = present(game, request.user, origin=origin, refusal=refusal, rule=rule)
    context = {
        "game": document,
        "counts": document,  # they came along; else the page would ask once more
        "socket_url": f"/ws/games/{game.pk}/?language={get_language()}",
        "sleeps": Game.Pace(game.pace).is_of_days,
    }
    return live(request, "games/_table.html", "games/table.html", context, status)


def open_lobbies(viewer) -> dict:
    """Return what the list of open tables shows this viewer."""
    games = Game.objects.open_lobbies().open_to(viewer).with_people()[:MOST_LISTED]
    running = Game.objects.to_watch().open_to(viewer).with_people()[:MOST_WATCHED]
    return {
        "games": [lobby_line(game, viewer) for game in games],
        "watched": [watch_line(game) for game in running if not game.seat_of(viewer)],
        "counts": counts(viewer),
    }


def table_fragment(document: dict) -> str:
    """Return the table as HTML for a socket, in the active language.

    What onlookers are shown is the same for all of them: the first has it rendered, and the others,
    who are poked in the same moment, wait for that.
    """
    if document["viewer_seat"] is not None:
        return render_to_string("games/_table.html", {"game": document})
    with _one_onlooker:
        return _fragment_for_onlookers(get_language(), json.dumps(document))


_one_onlooker = Lock()


@lru_cache(maxsize=100)
def _fragment_for_onlookers(language: str, document: str) -> str:
    """By all that it is made of, so nothing here can be out of date."""
    return render_to_string("games/_table.html", {"game": json.loads(document)})


def lobbies_fragment(viewer) -> str:
    """Return the list of open tables as HTML for a socket, in the active language."""
    return render_to_string("games/_lobbies.html", open_lobbies(viewer))


def _log_in(request: HttpRequest, then: str) -> HttpResponse:
    if wants_fragment(request):
        return HttpResponse(status=403)
    response = redirect_to_login(then)
    response.status_code = 303
    return response
