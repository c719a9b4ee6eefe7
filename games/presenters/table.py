"""One table, for one viewer: `present`."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import ties
from accounts.models import NAME_MAX_LENGTH
from games import rules, sentences
from games.models import Game, Seat
from games.onlookers import number_of_onlookers
from games.presenters.cards import (
    cut_suit_of,
    face_of,
    hand_of,
    open_cards_of,
    requested_suit_of,
    shown_suit,
)
from games.presenters.clocks import clock_of, votes_of
from games.presenters.document import Document
from games.presenters.reading import LOG_LENGTH, recent_moves
from games.presenters.scores import series_of
from games.presenters.seats import (
    from_viewer,
    is_turn_of,
    name_at,
    name_of,
    people_beside,
    points_of,
    shown_seat,
    waiting_seats,
)
from games.presenters.terms import house_rules_of, terms_of
from games.rules.cards import SUITS, card_code

MOST_FRIENDS_SHOWN = 12  # of whom one press invites; others are invited by name

NO_ACTIONS = {
    "draw": "",
    "pass": "",
    "mau": "",
    "mau_switch": False,
    "accuse": "",
    "resign": False,
}


def present(game: Game, viewer, *, origin: str = "", refusal: str = "", rule: str = "") -> Document:
    """Return what `viewer` (a user, or anonymous) may know of `game`, in the active language.

    Plain values and finished sentences for templates; the keys are those of `_blank`.
    `origin` ("https://host", as the viewer reached the site) goes before the link to share
    if no SITE_URL is set; `refusal` is the sentence about a move that was just refused, `rule`
    the paragraph of the rules that explains it. No
    query for a game that `read` returned, but one for the host of a table that waits.
    """
    seats = list(game.seats.all())
    me = game.seat_of(viewer)
    document = _blank(game, seats, me) | {"refusal": refusal}
    if rule:
        document["rule_url"] = f"{document['rules_url']}#{rule}"
    if document["join_code"]:
        document |= _sharing(game, origin)
    if game.status in (Game.Status.PLAYING, Game.Status.FINISHED):
        document |= _table(game, seats, me)
    return document


def refusal_text(game: Game, viewer, move: rules.Move, refused: rules.IllegalMove) -> str:
    """Return the sentence that tells `viewer` which rule refuses their `move`."""
    me = game.seat_of(viewer)
    seen = rules.observe(game.position(), me.number if me else None)
    if move.target is not None and move.target >= seen.seats:
        return _(sentences.UNREADABLE)
    accused = name_at(list(game.seats.all()), move.target)
    return sentences.refusal(refused.code, {**refused.values, "player": accused}, seen)


def _blank(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    waiting = game.status == Game.Status.WAITING
    beside = people_beside(seats, me.user_id if me else None)
    return {
        "id": game.pk,
        "version": game.version,
        "status": game.status,
        "variant": game.variant,
        "game_name": sentences.game_name(game.variant),
        "preset_name": sentences.preset_name(game.variant, game.preset),
        "house_rules": house_rules_of(game),
        "beginner": bool(game.options["beginner"]),
        "guarded": _is_guarded(game, me),
        "letter_keys": bool(me and me.user and me.user.letter_keys),
        "viewer_seat": me.number if me else None,
        "is_host": bool(me and me.user_id == game.host_id),
        "can_start": _can_start(game, seats, me),
        "terms": terms_of(game),
        "pace_text": sentences.pace(Game.Pace(game.pace).seconds),
        "public": game.public,
        "watchable": game.watchable,
        "watching_url": _watching_url(game, me),
        "onlookers_text": _onlookers_text(game),
        "lobby": _lobby_actions(game, seats, me),
        "come_back_url": reverse("come_back", args=[game.pk]) if me and me.absent else "",
        "rematch_url": "",
        "has_rematch": False,
        "series": series_of(game, seats, me),
        "turn_count": getattr(game, "turn_count", 0),
        "notice_count": getattr(game, "notice_count", 0),
        "time_left": None,
        "time_text": "",
        "time_words": "",
        "time_until": "",
        "time_note": "",
        "line_url": "",
        "votes": {},
        "mute_url": reverse("mute", args=[game.pk]) if me and _is_told(game) else "",
        "muted": bool(me and me.muted),
        "report_url": reverse("report_at", args=[game.pk]) if beside else "",
        "commitment": game.commitment,
        "moves_url": reverse("moves", args=[game.pk]),
        "leave_url": reverse("leave", args=[game.pk]) if waiting and me else "",
        "start_url": reverse("start", args=[game.pk]) if waiting and me else "",
        "table_url": reverse("table", args=[game.pk]),
        "rules_url": reverse("table_rules", args=[game.pk]),
        "rule_url": "",
        "join_url": "",
        "qr_url": "",
        "share_text": "",
        "whatsapp_url": "",
        "join_code": game.code if waiting and me else "",
        "take_seat_url": _take_seat_url(game, seats, me),
        "record_url": "",
        "replay_url": "",
        "headline": headline_of(game, me, ""),
        "my_turn": False,
        "duty": "",
        "seats": list(waiting_seats(game, seats, me)),
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
        "suits": [shown_suit(letter) for letter in SUITS],
        "actions": NO_ACTIONS,
        "log": [],
        "since_text": "",
        "open": None,
        "result": None,
    }


def join_link(game: Game, origin: str) -> str:
    """Return the link of the invitation to `game`; `origin` as for `present`."""
    return f"{settings.SITE_URL or origin}/join/{game.code}/"


def _sharing(game: Game, origin: str) -> Document:
    """How somebody who sits at a waiting table calls others to it."""
    link = join_link(game, origin)
    text = sentences.call(game.variant)
    return {
        "join_url": link,
        "qr_url": reverse("invitation_qr", args=[game.code]),
        "share_text": text,
        "whatsapp_url": f"https://wa.me/?{urlencode({'text': f'{text} {link}'})}",
    }


def _is_told(game: Game) -> bool:
    """Whether something about this game may disturb who is not here."""
    over = game.status in (Game.Status.FINISHED, Game.Status.CLOSED)
    return Game.Pace(game.pace).is_slow and not over


def _can_start(game: Game, seats: Sequence[Seat], me: Seat | None) -> bool:
    """Whether the viewer is the host and not alone: whoever is only invited does not count."""
    return _may_arrange(game, me) and sum(seat.joined or seat == me for seat in seats) >= 2


def _may_arrange(game: Game, me: Seat | None) -> bool:
    """Whether the viewer is the host of a table that waits."""
    return me is not None and me.user_id == game.host_id and game.status == Game.Status.WAITING


def _is_guarded(game: Game, me: Seat | None) -> bool:
    """Whether one tap chooses a card and a second one plays it, as the viewer has set it."""
    return bool(me and me.user and me.user.is_guarded(live=Game.Pace(game.pace).is_live))


def _is_by_rank(me: Seat | None) -> bool:
    return bool(me and me.user and me.user.sort_hand == "rank")


def _take_seat_url(game: Game, seats: Sequence[Seat], me: Seat | None) -> str:
    """Where a seat is taken, by somebody who was invited or looks at a public table."""
    free = len(seats) < game.seat_count if me is None else not me.joined
    return reverse("join", args=[game.code]) if game.status == Game.Status.WAITING and free else ""


def _lobby_actions(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    """What a host may do at a waiting table: seat bots, invite, remove whoever sits there."""
    if not _may_arrange(game, me):
        return {"add_bot_url": "", "invite_url": "", "remove_url": "", "friends": [], "levels": []}
    free = len(seats) < game.seat_count
    return {
        "add_bot_url": reverse("add_bot", args=[game.pk]) if free else "",
        "invite_url": reverse("invite", args=[game.pk]) if free else "",
        "friends": _friends_elsewhere(seats, me) if free else [],
        "name_length": NAME_MAX_LENGTH,
        "remove_url": reverse("remove", args=[game.pk]),
        "levels": [
            {"code": level, "name": sentences.level_name(level)} for level in sentences.LEVELS
        ],
    }


def _friends_elsewhere(seats: Sequence[Seat], me: Seat | None) -> list[str]:
    """The names of the viewer's friends without a seat here; one query, for the host alone."""
    there = [seat.user_id for seat in seats if seat.user_id]
    friends = ties.friends_of(me.user_id or 0 if me else 0).exclude(pk__in=there)
    return list(friends.values_list("name", flat=True)[:MOST_FRIENDS_SHOWN])


def _table(game: Game, seats: Sequence[Seat], me: Seat | None) -> Document:
    seen = rules.observe(game.position(), me.number if me else None)
    names = [name_at(seats, number) for number in range(game.seat_count)]
    headline = headline_of(game, me, names[seen.turn] if seen.turn is not None else "")
    return {
        "headline": headline,
        "my_turn": is_turn_of(game, me),
        "duty": duty_of(seen),
        "seats": [shown_seat(seen, names, seats, number) for number in from_viewer(seen)],
        "hand": hand_of(seen, by_rank=_is_by_rank(me)),
        "actions": _actions(seen),
        "log": _log(game, seen, names),
        "since_text": _("Since your last move") if getattr(game, "since", None) else "",
        "open": open_cards_of(seen),
        **cloth_of(seen),
        "votes": votes_of(game, me),
    } | (_ending(game, seats, seen, me, headline) if seen.outcome else clock_of(game, me))


def cloth_of(seen: rules.Observation) -> Document:
    """Return what lies on the cloth for all to see: the piles, the suits, direction and penalty."""
    return {
        "top": face_of(seen.top),
        "stock_count": seen.stock_size,
        "stock_text": _("Draw pile, %(n)d cards") % {"n": seen.stock_size},
        "discard_count": seen.discard_size,
        "cut_suit": cut_suit_of(seen),
        "requested_suit": requested_suit_of(seen),
        "direction": seen.direction,
        "direction_text": direction_text(seen.direction),
        "penalty": seen.penalty,
    }


def headline_of(game: Game, me: Seat | None, turn_name: str) -> str:
    """Return the one sentence about where the game stands, as the viewer at `me` reads it."""
    if game.status == Game.Status.WAITING:
        return _("Waiting for players …")
    if game.status == Game.Status.CLOSED:
        return _("This table is closed.")
    if game.status == Game.Status.FINISHED:
        return _result_headline(game, me)
    if is_turn_of(game, me):
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
    return _("%(player)s wins!") % {"player": name_of(winners[0])}


def duty_of(seen: rules.Observation) -> str:
    """Return what the player in turn owes or must follow; said to all, for all can see it."""
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


def direction_text(direction: int) -> str:
    """Return which way the turn goes."""
    return _("Play goes clockwise") if direction == 1 else _("Play goes counterclockwise")


def _log(game: Game, seen: rules.Observation, names: Sequence[str]) -> list[Document]:
    """The latest sentences, oldest first; those since the viewer's own last move are new, however
    many, and those that tell of the viewer concern them."""
    since = getattr(game, "since", None) or 0
    lines = [
        {"text": text, "new": record["number"] > since, "concerns": concerns}
        for record in reversed(recent_moves(game))
        for text, concerns in _sentences(record, seen, names)
    ]
    return lines[-max(LOG_LENGTH, sum(line["new"] for line in lines)) :]


def _sentences(
    record: Document, seen: rules.Observation, names: Sequence[str]
) -> Iterator[tuple[str, bool]]:
    for data in record["events"]:
        event = rules.redact(rules.Event.from_json(data), seen.seat, seen.options)
        if text := sentences.event(event, names, seen.seat):
            yield text, seen.seat is not None and seen.seat in (event.seat, event.target)


def _actions(seen: rules.Observation) -> Document:
    if seen.outcome or seen.seat is None or not seen.in_game[seen.seat]:
        return NO_ACTIONS
    may = {move.do for move in seen.moves}
    return {
        "draw": draw_label(seen) if "draw" in may else "",
        "pass": pass_label(seen) if "pass" in may else "",
        "mau": _("Call “Mau”") if seen.may_say_mau else "",
        "mau_switch": any(move.mau for move in seen.moves),
        "accuse": _("Forgot Mau!") if seen.accusable else "",
        "resign": True,
    }


def draw_label(seen: rules.Observation) -> str:
    """Return what drawing is called now: one card, or the penalty."""
    if not seen.penalty:
        return _("Draw a card")
    return ngettext("Draw 1 card", "Draw %(count)d cards", seen.penalty) % {"count": seen.penalty}


def pass_label(seen: rules.Observation) -> str:
    """Return what passing means now: keeping a card, standing for an 8, or no way to move."""
    if seen.phase == "drawn":
        return _("Keep the card and end your turn")
    return _("Miss this turn") if seen.skip else _("Pass")


def _watching_url(game: Game, me: Seat | None) -> str:
    """Where the host of a public table says whether others may watch."""
    is_on = game.status in (Game.Status.WAITING, Game.Status.PLAYING)
    is_host = me is not None and me.user_id == game.host_id
    return reverse("watching", args=[game.pk]) if game.public and is_on and is_host else ""


def _onlookers_text(game: Game) -> str:
    number = number_of_onlookers(game.pk) if game.public else 0
    if game.status != Game.Status.PLAYING or not number:
        return ""
    return ngettext("1 person is watching.", "%(n)d people are watching.", number) % {"n": number}


def _ending(
    game: Game, seats: Sequence[Seat], seen: rules.Observation, me: Seat | None, headline: str
) -> Document:
    url = reverse("record", args=[game.pk])
    return {
        "record_url": url,
        "replay_url": reverse("replay", args=[game.pk]),
        "rematch_url": reverse("rematch", args=[game.pk]) if me else "",
        "has_rematch": getattr(game, "has_rematch", False),
        "result": {
            "headline": headline,
            "reason": sentences.reason(game.reason),
            "rows": [_row(game, seen, seat) for seat in by_place(seats)],
            "seed": game.position().seed.hex(),  # no secret any more: the game is over
            "commitment": game.commitment,
            "record_url": url,
        },
    }


def by_place(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats, the winner's first."""
    return sorted(seats, key=lambda seat: (seat.place or len(seats), seat.number))


def _row(game: Game, seen: rules.Observation, seat: Seat) -> Document:
    return {
        "place": seat.place,
        "name": name_of(seat),
        "player_url": reverse("player", args=[seat.user.name]) if seat.user and game.public else "",
        "you": seat.number == seen.seat,
        "points_text": points_of(seat),
        "hand": [face_of(card) for card in seen.hands[seat.number] or ()],
    }
