"""The door out: all that leaves the server about a game is built here, for one viewer.

An allow-list: `present` copies what `rules.observe` lets the viewer see, and never the state.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import clock, house_rules, notices, rules, sentences
from games.models import Game, MoveRecord, Seat
from games.rules.cards import SUITS, Card, card_code, rank_of, suit_of
from games.services.change import deadline_of_turn

LOG_LENGTH = 12
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "": "★"}
Document = dict[str, Any]


def read(game_id: str, viewer) -> Game | None:
    """Return the game with all that `present` shows of it, None if the viewer may not see it.

    The seated may, and everybody at public tables. Two queries: every push to every viewer is one
    of these.
    """
    told = MoveRecord.objects.filter(game=OuterRef("pk")).order_by("-number")
    shown = told.values(told=JSONObject(number="number", seat="seat", events="events"))
    game = (
        Game.objects.filter(pk=game_id)
        .with_people()
        .annotate(
            read_at=clock.as_expression(),
            recent=ArraySubquery(shown[:LOG_LENGTH]),
            has_rematch=Exists(Game.objects.filter(rematch_of=OuterRef("pk"))),
            **_counts(viewer),
        )
        .first()
    )
    return game if game and (game.public or game.seat_of(viewer)) else None


def counts(viewer) -> dict[str, int]:
    """Return in how many games (`turn_count`) the viewer is awaited, and of how many of those the
    inbox tells (`notice_count`). One query; none for the anonymous."""
    if not viewer.pk:
        return {"turn_count": 0, "notice_count": 0}
    row: Any = get_user_model().objects.filter(pk=viewer.pk).values(**_counts(viewer)).get()
    return dict(row)


def _counts(viewer) -> dict[str, Subquery]:
    user_id = viewer.pk or 0
    return {
        "turn_count": _number_of(Game.objects.awaiting(user_id)),
        "notice_count": _number_of(notices.open_turns(user_id)),
    }


def _number_of(rows: QuerySet) -> Subquery:
    counted = rows.order_by().values(n=Func(F("pk"), function="COUNT"))
    return Subquery(counted, output_field=IntegerField())


def present(game: Game, viewer, *, origin: str = "", refusal: str = "") -> Document:
    """Return what `viewer` (a user, or anonymous) may know of `game`, in the active language.

    Plain values and finished sentences for templates; the keys are those of `_blank`.
    `origin` ("https://host", as the viewer reached the site) goes before the link to share
    if no SITE_URL is set; `refusal` is the sentence about a move that was just refused. No
    query for a game that `read` returned.
    """
    seats = list(game.seats.all())
    me = game.seat_of(viewer)
    document = _blank(game, seats, me) | {"refusal": refusal}
    if document["join_url"]:
        document["join_url"] = (settings.SITE_URL or origin) + document["join_url"]
    if game.status in (Game.Status.PLAYING, Game.Status.FINISHED):
        document |= _table(game, seats, me)
    return document


def refusal_text(game: Game, viewer, move: rules.Move, refused: rules.IllegalMove) -> str:
    """Return the sentence that tells `viewer` which rule refuses their `move`."""
    me = game.seat_of(viewer)
    seen = rules.observe(game.position(), me.number if me else None)
    if move.target is not None and move.target >= seen.seats:
        return _(sentences.UNREADABLE)
    accused = _name_at(list(game.seats.all()), move.target)
    return sentences.refusal(refused.code, {**refused.values, "player": accused}, seen, move)


def summary(game: Game, viewer) -> Document:
    """Return a line about a game for a list of games, as `viewer` may see it."""
    me = game.seat_of(viewer)
    others = [_name(seat) for seat in game.seats.all() if seat != me]
    in_turn = [_name(seat) for seat in game.seats.all() if seat.number == game.turn]
    return {
        "url": reverse("table", args=[game.pk]),
        "title": sentences.preset_name(game.variant, game.preset),
        "status": game.status,
        "headline": _headline(game, me, "".join(in_turn)),
        "my_turn": _is_turn_of(game, me),
        "others": others,
    }


def lobby_line(game: Game, viewer) -> Document:
    """Return what the list of open tables says of one: who sits there, and all its terms."""
    seats = game.seats.all()
    mine = game.seat_of(viewer)
    values = {"n": len(seats), "total": game.seat_count}
    return {
        "id": game.pk,
        "url": reverse("table", args=[game.pk]) if mine else reverse("join", args=[game.code]),
        "title": sentences.preset_name(game.variant, game.preset),
        "mine": mine is not None,
        "full": len(seats) == game.seat_count,
        "people": [_name(seat) for seat in seats],
        "seats_text": _("Seats taken: %(n)d of %(total)d") % values,
        "terms": _terms(game),
        "house_rules": _house_rules(game),
    }


def presets() -> list[Document]:
    """Return the games with their presets, and what each preset changes, to choose from."""
    return [
        {
            "name": sentences.game_name(variant),
            "presets": [
                {
                    "code": f"{variant}/{preset}",
                    "name": sentences.preset_name(variant, preset),
                    "house_rules": house_rules.sentences(differences),
                }
                for preset, differences in named.items()
            ],
        }
        for variant, named in rules.PRESETS.items()
    ]


def turn_letter(notice: Any) -> tuple[str, str, str]:
    """Return subject, sentence and path of the notice that it is somebody's turn."""
    variant = Game.objects.values_list("variant", flat=True).get(pk=notice.about)
    sentence = _("It is your turn in %(game)s.") % {"game": sentences.game_name(variant)}
    return sentence, sentence, f"/games/{notice.about}/"


def record(game: Game) -> Document:
    """Return the record of a finished game (CONTRACTS section 5), the same for every reader."""
    state = game.position()
    return rules.build_record(
        id=game.pk,
        round=game.round,
        variant=game.variant,
        options=game.options,
        pace=game.pace,
        rated=game.rated,
        seats=[_in_record(seat) for seat in game.seats.all()],
        seed=state.seed,
        dealer=state.dealer,
        first=state.first,
        started=game.started_at,
        finished=game.finished_at,
        moves=[
            (move.seat, rules.Move.from_json(move.move), move.author, move.at)
            for move in game.moves.order_by("number")
        ],
    )


def _in_record(seat: Seat) -> dict[str, str]:
    if seat.bot:
        return {"kind": "bot", "level": seat.bot}
    return {"kind": "player", "name": seat.user.name if seat.user else "-"}


def _blank(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    waiting = game.status == Game.Status.WAITING
    return {
        "id": game.pk,
        "version": game.version,
        "status": game.status,
        "variant": game.variant,
        "game_name": sentences.game_name(game.variant),
        "preset_name": sentences.preset_name(game.variant, game.preset),
        "house_rules": _house_rules(game),
        "beginner": bool(game.options["beginner"]),
        "viewer_seat": me.number if me else None,
        "is_host": bool(me and me.user_id == game.host_id),
        "invited": waiting and me is not None and not me.joined,
        "can_start": waiting and len(seats) >= 2 and bool(me and me.user_id == game.host_id),
        "terms": _terms(game),
        "pace_text": sentences.pace(Game.Pace(game.pace).seconds),
        "public": game.public,
        "lobby": _lobby_actions(game, seats, me),
        "come_back_url": reverse("come_back", args=[game.pk]) if me and me.absent else "",
        "rematch_url": "",
        "has_rematch": False,
        "turn_count": getattr(game, "turn_count", 0),
        "notice_count": getattr(game, "notice_count", 0),
        "time_left": None,
        "time_text": "",
        "time_words": "",
        "commitment": game.commitment,
        "moves_url": reverse("moves", args=[game.pk]),
        "leave_url": reverse("leave", args=[game.pk]) if waiting and me else "",
        "start_url": reverse("start", args=[game.pk]) if waiting and me else "",
        "table_url": reverse("table", args=[game.pk]),
        "join_url": f"/join/{game.code}/" if waiting and me else "",
        "join_code": game.code if waiting and me else "",
        "record_url": "",
        "headline": _headline(game, me, ""),
        "my_turn": False,
        "duty": "",
        "seats": list(_waiting_seats(game, seats, me)),
        "top": None,
        "stock_count": 0,
        "stock_text": "",
        "discard_count": 0,
        "cut_suit": None,
        "requested_suit": None,
        "direction": 1,
        "direction_text": "",
        "penalty": 0,
        "hand": [],
        "suits": [_suit(letter) for letter in SUITS],
        "actions": NO_ACTIONS,
        "log": [],
        "open": None,
        "result": None,
    }


def _house_rules(game: Game) -> list[str]:
    """What differs here from the rules' defaults, or from what the preset's name promises."""
    options = rules.options_for(game.variant, game.options, game.seat_count)
    promised = rules.PRESETS[game.variant].get(game.preset, {})
    broken = {name: game.options[name] for name in promised}
    return house_rules.sentences({**rules.differences(options), **broken})


def _terms(game: Game) -> list[str]:
    """What everybody should know before joining, beside the house rules."""
    pace = sentences.pace(Game.Pace(game.pace).seconds)
    terms = [_("Time per turn: %(time)s") % {"time": pace}]
    if game.pace != Game.Pace.NONE:
        options = game.options
        terms.append(sentences.absence(options["max_timeouts"], options["absent_seat"]))
    terms.append(sentences.access(public=game.public))
    terms.append(_("Rated") if game.rated else _("Unrated"))
    return terms


def _lobby_actions(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    """What a host may do at a waiting table: seat bots, remove whoever sits there."""
    host = me is not None and me.user_id == game.host_id and game.status == Game.Status.WAITING
    if not host:
        return {"add_bot_url": "", "remove_url": "", "levels": []}
    return {
        "add_bot_url": reverse("add_bot", args=[game.pk]) if len(seats) < game.seat_count else "",
        "remove_url": reverse("remove", args=[game.pk]),
        "levels": [
            {"code": level, "name": sentences.level_name(level)} for level in sentences.LEVELS
        ],
    }


def _time_left(game: Game) -> Document:
    """How long the person in turn still has, in whole seconds; the browser counts on by itself."""
    seat = game.seat_in_turn()
    if seat is None or seat.is_played_by_bot:
        return {}
    deadline = deadline_of_turn(game)
    if deadline is None:
        return {}
    now = getattr(game, "read_at", None) or clock.now()
    left = max(int((deadline - now).total_seconds()), 0)
    words = _("Time left: %(time)s")
    return {
        "time_left": left,
        "time_text": words % {"time": sentences.span(left)},
        "time_words": words,  # for the browser to put a running clock into
    }


def _table(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    seen = rules.observe(game.position(), me.number if me else None)
    names = [_name_at(seats, number) for number in range(game.seat_count)]
    headline = _headline(game, me, names[seen.turn] if seen.turn is not None else "")
    return {
        "headline": headline,
        "my_turn": _is_turn_of(game, me),
        "duty": _duty(seen),
        "seats": [_seat(seen, names, seats, number) for number in _from_viewer(seen)],
        "top": _card(seen.top),
        "stock_count": seen.stock_size,
        "stock_text": _("Draw pile, %(n)d cards") % {"n": seen.stock_size},
        "discard_count": seen.discard_size,
        "cut_suit": _cut_suit(seen),
        "requested_suit": _requested_suit(seen),
        "direction": seen.direction,
        "direction_text": _direction(seen.direction),
        "penalty": seen.penalty,
        "hand": _hand(seen),
        "actions": _actions(seen),
        "log": _log(game, seen, names),
        "open": _open(seen),
    } | (_ending(game, seats, seen, me, headline) if seen.outcome else _time_left(game))


# --- Words about the whole table ---------------------------------------------------------------


def _headline(game: Game, me: Seat | None, turn_name: str) -> str:
    if game.status == Game.Status.WAITING:
        return _("Waiting for players …")
    if game.status == Game.Status.CLOSED:
        return _("This table is closed.")
    if game.status == Game.Status.FINISHED:
        return _result_headline(game, me)
    if _is_turn_of(game, me):
        return _("It is your turn!")
    return _("%(player)s to play") % {"player": turn_name}


def _result_headline(game: Game, me: Seat | None) -> str:
    winners = [seat for seat in game.seats.all() if seat.place == 1]
    if not winners:
        return _("Game over")
    if len(winners) > 1:
        return _("Tie")
    if me in winners:
        return _("You win!")
    return _("%(player)s wins!") % {"player": _name(winners[0])}


def _duty(seen: rules.Observation) -> str:
    """What the player in turn owes or must follow; said to all, for all can see it."""
    if seen.outcome:
        return ""
    if seen.penalty:
        return ngettext("Penalty: 1 card", "Penalty: %(count)d cards", seen.penalty) % {
            "count": seen.penalty
        }
    if seen.drawn is not None:
        card = sentences.card_name(card_code(seen.drawn))
        return _("Drawn: %(card)s. Play this card or keep it.") % {"card": card}
    if seen.skip:
        return _("Play an 8 or miss this turn.")
    if seen.phase == "cover":
        return _("Play another card on the Ace.")
    if seen.requested_suit:
        suit = sentences.suit_name(seen.requested_suit)
        return _("Requested suit: %(suit)s") % {"suit": suit}
    return ""


def _direction(direction: int) -> str:
    return _("Play goes clockwise") if direction == 1 else _("Play goes counterclockwise")


def _log(game: Game, seen: rules.Observation, names: Sequence[str]) -> list[Document]:
    """The latest sentences, oldest first; those since the viewer's own last move are new."""
    records = _recent(game)
    mine = next((r["number"] for r in records if r["seat"] == seen.seat), 0)
    lines = [
        {"text": text, "new": record["number"] > mine}
        for record in reversed(records)
        for text in _sentences(record, seen, names)
    ]
    return lines[-LOG_LENGTH:]


def _recent(game: Game) -> list[Document]:
    """The latest moves, newest first, as `read` brings them along."""
    if hasattr(game, "recent"):
        return game.recent
    latest = game.moves.order_by("-number").values("number", "seat", "events")[:LOG_LENGTH]
    return [dict(record) for record in latest]


def _sentences(record: Document, seen: rules.Observation, names: Sequence[str]) -> Iterator[str]:
    for data in record["events"]:
        event = rules.redact(rules.Event.from_json(data), seen.seat, seen.options)
        if text := sentences.event(event, names, seen.seat):
            yield text


# --- Seats -------------------------------------------------------------------------------------


def _name(seat: Seat) -> str:
    if seat.bot:
        return _("Bot %(number)d") % {"number": seat.number + 1}
    return seat.user.name if seat.user else _("Former player")


def _name_at(seats: Sequence[Seat], number: object) -> str:
    return next((_name(seat) for seat in seats if seat.number == number), _("Former player"))


def _is_turn_of(game: Game, me: Seat | None) -> bool:
    return me is not None and game.turn == me.number


def _from_viewer(seen: rules.Observation) -> list[int]:
    """Seat numbers clockwise, beginning after the viewer, so that the viewer sits last."""
    first = 0 if seen.seat is None else seen.seat + 1
    return [(first + k) % seen.seats for k in range(seen.seats)]


def _waiting_seats(game: Game, seats: Sequence[Seat], me: Seat | None) -> Iterator[Document]:
    by_number = {seat.number: seat for seat in seats}
    for number in range(game.seat_count):
        seat = by_number.get(number)
        name = _name(seat) if seat else _("Free seat")
        yield _plain_seat(number, name) | {
            "empty": seat is None,
            "you": bool(seat and seat == me),
            "host": bool(seat and seat.user_id and seat.user_id == game.host_id),
            "bot": bool(seat and seat.bot),
            "status_text": _("invited") if seat and not seat.joined else "",
        }


def _plain_seat(number: int, name: str) -> Document:
    return {
        "number": number,
        "name": name,
        "label": name,
        "you": False,
        "empty": False,
        "host": False,
        "bot": False,
        "turn": False,
        "cards": 0,
        "cards_text": "",
        "indicator": "none",
        "indicator_text": "",
        "said_mau": False,
        "resigned": False,
        "status_text": "",
        "hand": None,
        "place": None,
        "points_text": "",
        "can_accuse": False,
    }


def _seat(
    seen: rules.Observation, names: Sequence[str], seats: Sequence[Seat], number: int
) -> Document:
    cards = seen.hand_sizes[number]
    hand = seen.hands[number]
    stored = next((seat for seat in seats if seat.number == number), None)
    return _plain_seat(number, names[number]) | {
        "label": _seat_label(names[number], cards),
        "you": number == seen.seat,
        "turn": number == seen.turn,
        "cards": cards,
        "cards_text": sentences.cards_text(cards),
        "indicator": seen.indicators[number],
        "indicator_text": _indicator(seen.indicators[number], names[number]),
        "said_mau": seen.said_mau[number],
        "resigned": not seen.in_game[number],
        "bot": bool(stored and stored.is_played_by_bot),
        "status_text": _status(stored, playing=seen.in_game[number]),
        "hand": None if hand is None or number == seen.seat else [_card(c) for c in hand],
        "place": stored.place if stored else None,
        "points_text": _points(stored),
        "can_accuse": number in seen.accusable,
    }


def _status(seat: Seat | None, *, playing: bool) -> str:
    if not playing:
        return _("resigned")
    return _("a bot plays") if seat and seat.absent else ""


def _seat_label(name: str, cards: int) -> str:
    return ngettext("%(player)s, 1 card", "%(player)s, %(n)d cards", cards) % {
        "player": name,
        "n": cards,
    }


def _indicator(indicator: str, name: str) -> str:
    if indicator == "warning":
        return _("Warning: %(player)s has 2 cards left.") % {"player": name}
    if indicator == "card":
        return _("Last card: %(player)s has 1 card left.") % {"player": name}
    return ""


def _points(seat: Seat | None) -> str:
    return "" if seat is None or seat.points is None else sentences.points_text(seat.points)


# --- Cards -------------------------------------------------------------------------------------


def _card(card: Card) -> Document:
    code = card_code(card)
    suit = suit_of(card) or ""
    return {
        "code": code,
        "rank": rank_of(card),
        "suit": suit,
        "symbol": SYMBOLS[suit],
        "colour": {"JK1": "red", "JK2": "black"}.get(code, ""),
        "name": sentences.card_name(code),
    }


def _suit(letter: str) -> Document:
    return {"code": letter, "symbol": SYMBOLS[letter], "name": sentences.suit_name(letter)}


def _cut_suit(seen: rules.Observation) -> Document | None:
    if not isinstance(seen.options, rules.MatatuOptions) or seen.options.cut == "off":
        return None
    suit = seen.cut_suit or ""
    name = sentences.suit_name(suit)
    return _suit(suit) | {
        "text": _("Cut suit: %(suit)s") % {"suit": name},
        "limit": seen.options.cut_limit,
    }


def _requested_suit(seen: rules.Observation) -> Document | None:
    if not seen.requested_suit:
        return None
    name = sentences.suit_name(seen.requested_suit)
    return _suit(seen.requested_suit) | {"text": _("Requested suit: %(suit)s") % {"suit": name}}


def _hand(seen: rules.Observation) -> list[Document]:
    return [_card_in_hand(seen, card) for card in seen.hand or ()]


def _card_in_hand(seen: rules.Observation, card: Card) -> Document:
    plays = [move for move in seen.moves if move.do == "play" and move.card == card]
    can_cut = any(move.cut for move in plays)
    return _card(card) | {
        "playable": bool(plays),
        "state_text": _("can be played") if plays else _("cannot be played"),
        "names_suit": any(move.suit for move in plays),
        "can_cut": can_cut,
        "cut_text": _cut_text(seen, card) if can_cut else "",
    }


def _cut_text(seen: rules.Observation, card: Card) -> str:
    left = (seen.count or 0) - (rules.card_points(seen.options, card) or 0)
    return ngettext(
        "After this card you have 1 point.",
        "After this card you have %(count)d points.",
        left,
    ) % {"count": left}


def _open(seen: rules.Observation) -> Document | None:
    if seen.stock is None or seen.discards is None:
        return None
    return {
        "stock": [_card(card) for card in seen.stock],
        "discards": [_card(card) for card in seen.discards],
    }


# --- What the viewer may do --------------------------------------------------------------------


NO_ACTIONS = {
    "draw": "",
    "pass": "",
    "mau": "",
    "mau_switch": False,
    "accuse": "",
    "resign": False,
}


def _actions(seen: rules.Observation) -> Document:
    if seen.outcome or seen.seat is None or not seen.in_game[seen.seat]:
        return NO_ACTIONS
    may = {move.do for move in seen.moves}
    return {
        "draw": _draw_label(seen) if "draw" in may else "",
        "pass": _pass_label(seen) if "pass" in may else "",
        "mau": _("Call “Mau”") if seen.may_say_mau else "",
        "mau_switch": any(move.mau for move in seen.moves),
        "accuse": _("Forgot Mau!") if seen.accusable else "",
        "resign": True,
    }


def _draw_label(seen: rules.Observation) -> str:
    if not seen.penalty:
        return _("Draw a card")
    return ngettext("Draw 1 card", "Draw %(count)d cards", seen.penalty) % {"count": seen.penalty}


def _pass_label(seen: rules.Observation) -> str:
    if seen.phase == "drawn":
        return _("Keep the card and end your turn")
    return _("Miss this turn") if seen.skip else _("Pass")


# --- The end -----------------------------------------------------------------------------------


def _ending(
    game: Game, seats: Sequence[Seat], seen: rules.Observation, me: Seat | None, headline: str
) -> Document:
    url = reverse("record", args=[game.pk])
    return {
        "record_url": url,
        "rematch_url": reverse("rematch", args=[game.pk]) if me else "",
        "has_rematch": getattr(game, "has_rematch", False),
        "result": {
            "headline": headline,
            "reason": sentences.reason(game.reason),
            "rows": [_row(seen, seat) for seat in _by_place(seats)],
            "seed": game.position().seed.hex(),  # no secret any more: the game is over
            "commitment": game.commitment,
            "record_url": url,
        },
    }


def _by_place(seats: Sequence[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: (seat.place or len(seats), seat.number))


def _row(seen: rules.Observation, seat: Seat) -> Document:
    return {
        "place": seat.place,
        "name": _name(seat),
        "you": seat.number == seen.seat,
        "points_text": _points(seat),
        "hand": [_card(card) for card in seen.hands[seat.number] or ()],
    }
