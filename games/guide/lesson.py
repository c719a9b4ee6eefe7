"""The first game: fixed cards against a bot, and each special card explained as it comes.

Nothing is stored. The reader's moves so far stand in the address; the game is played again from
them each time, by the same rules and the same bot as everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.utils.translation import gettext as _

from games import rules, sentences
from games.bots import choose
from games.guide.chapter import chapter_of
from games.guide.examples import move_of
from games.presenters.cards import cut_suit_of, face_of, hand_of, requested_suit_of, shown_suit
from games.presenters.document import Document
from games.presenters.table import draw_label, duty_of, pass_label
from games.rules import Event, IllegalMove, Move, Observation, Options, State
from games.rules.cards import SUITS, card_code, rank_of, suit_of
from games.rules.variants import game_of

READER, BOT = 0, 1
MOST_MOVES = 80
CATCH = "catch"

# Small hands make a short game. Each seed was searched for: along the moves that the lesson
# recommends most special cards come up, and the reader wins (tests/games/test_guide.py).
SETUPS: dict[str, tuple[dict[str, Any], int]] = {
    "matatu": ({"hand_size": 5}, 1456),
    "maumau": ({}, 1161),
}

TAUGHT = {
    "matatu": {"2": "two", "JK": "joker", "A": "ace", "8": "eight", "J": "jack"},
    "maumau": {"7": "seven", "8": "eight", "J": "jack", "A": "ace"},
}


@dataclass
class Played:
    """A lesson as far as it has come. `news` is what has happened since the reader's last move."""

    state: State
    moves: list[str] = field(default_factory=list)
    news: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # paragraphs that have been explained
    fresh: list[str] = field(default_factory=list)  # those that the news bring up
    refusal: str = ""


def options_of(variant: str) -> Options:
    """Return the options of the first game: the standard rules with small hands."""
    return rules.options_for(variant, SETUPS[variant][0], 2)


def begin(variant: str, seed: int | None = None) -> Played:
    """Return a first game that nobody has moved in."""
    number = SETUPS[variant][1] if seed is None else seed
    fixed = number.to_bytes(rules.SEED_BYTES, "big")
    return Played(rules.start(variant, 2, fixed, options_of(variant), dealer=BOT))


def replay(variant: str, moves: str, seed: int | None = None) -> Played:
    """Return the first game after these moves, as in an address: "7S-draw-AH.S".

    It stops before the first move that cannot be read or is refused, and says why.
    """
    game = begin(variant, seed)
    for text in [each for each in moves.split("-") if each][:MOST_MOVES]:
        try:
            step(game, text)
        except ValueError:
            game.refusal = _(sentences.UNREADABLE)
        except IllegalMove as refused:
            values = {**refused.values, "player": bot_name()}
            seen = rules.observe(game.state, READER)
            game.refusal = sentences.refusal(refused.code, values, seen)
        if game.refusal:
            break
    return game


def step(game: Played, text: str) -> None:
    """Make one move of the reader's, and let the bot answer; ValueError, IllegalMove."""
    move = Move("accuse", target=BOT) if text == CATCH else move_of(text)
    state, events = rules.apply(game.state, READER, move)
    game.news = list(events)
    game.state = state
    game.moves.append(text)
    while not game.state.outcome and game.state.turn == BOT:
        _let_the_bot_move(game)
    game.fresh = [each for each in _topics(game) if each not in game.told]
    game.told += game.fresh


def _let_the_bot_move(game: Played) -> None:
    """As the bot at a table would, with luck that depends on the moves alone."""
    catch = Move("accuse", target=READER)
    if catch in rules.legal_moves(game.state, BOT):
        game.state, events = rules.apply(game.state, BOT, catch)
        game.news += events
    luck = Random(len(game.moves) * 100 + len(game.news))  # noqa: S311  # the same each time
    move = choose("easy", rules.observe(game.state, BOT), luck, 0)
    game.state, events = rules.apply(game.state, BOT, move)
    game.news += events


def _topics(game: Played) -> list[str]:
    """The paragraphs about what the news tell, each once."""
    variant = game.state.options.variant
    found = [each for event in game.news for each in _topics_of(event, variant)]
    sizes = [hand.bit_count() for hand in game.state.hands]
    if variant == "matatu" and min(sizes) <= 2 and not game.state.outcome:
        found.append("seen")
    if variant == "maumau" and sizes[READER] == 2:
        found.append("mau")
    return list(dict.fromkeys(found))


def _topics_of(event: Event, variant: str) -> Iterator[str]:
    if event.kind == "played" and event.card is not None:
        taught = TAUGHT[variant].get(rank_of(event.card))
        if taught:
            yield taught
    if event.kind == "blocked_penalty":
        yield "ace-of-spades"
    if variant == "matatu" and event.reason == "penalty":
        yield "penalty"
    if event.kind in ("called_mau", "caught"):
        yield "mau"
    if event.kind == "cut":
        yield "cut"


# --- What the reader should do next ---------------------------------------------------------------


def good_move(game: Played) -> str:
    """Return the move that the lesson recommends; empty when the game is over."""
    seen = rules.observe(game.state, READER)
    if game.state.outcome:
        return ""
    if seen.may_say_mau:
        return "mau"
    if _can_catch(seen):
        return CATCH
    plays = [move for move in seen.moves if move.do == "play" and not move.mau]
    if not plays:
        return seen.moves[0].do
    return text_of(max(plays, key=lambda move: _worth(game, seen, move)))


def _worth(game: Played, seen: Observation, move: Move) -> tuple:
    """The cut first, then what is still to be learnt, then what is worth a lot, then any."""
    card = move.card if move.card is not None else -1
    topic = TAUGHT[seen.variant].get(rank_of(card), "")
    effects = game_of(seen.options).effects
    held = sum(suit_of(each) == move.suit for each in seen.hand or () if each != card)
    return move.cut, bool(topic) and topic not in game.told, effects[card].draws, held, -card


def _can_catch(seen: Observation) -> bool:
    return any(seen.hand_sizes[each] == 1 and not seen.said_mau[each] for each in seen.accusable)


def text_of(move: Move) -> str:
    """Return a play as it stands in an address."""
    code = card_code(move.card if move.card is not None else -1)
    return f"{code}.cut" if move.cut else f"{code}.{move.suit}" if move.suit else code


# --- What the page shows --------------------------------------------------------------------------


def bot_name() -> str:
    """Return the name of the one opponent."""
    return _("Bot %(number)d") % {"number": 1}


def document_of(game: Played) -> Document:
    """Return the first game as the page shows it: finished sentences and addresses."""
    seen = rules.observe(game.state, READER)
    names = [_("You"), bot_name()]
    good = good_move(game)
    so_far = "-".join(game.moves)
    return {
        "begun": bool(game.moves),
        "over": bool(game.state.outcome),
        "won": bool(game.state.outcome and READER in game.state.outcome.winners),
        "headline": _headline(seen),
        "refusal": game.refusal,
        "bot": {
            "name": names[BOT],
            "cards": seen.hand_sizes[BOT],
            "cards_text": sentences.cards_text(seen.hand_sizes[BOT]),
            "said_mau": seen.said_mau[BOT],
        },
        "top": face_of(seen.top),
        "stock_text": _("Draw pile, %(n)d cards") % {"n": seen.stock_size},
        "cut_suit": cut_suit_of(seen),
        "requested_suit": requested_suit_of(seen),
        "duty": duty_of(seen),
        "news": _told(game, names),
        "lessons": _lessons(game),
        "hand": [_card(so_far, card, good) for card in hand_of(seen)],
        "actions": [_way(so_far, text, good) | {"label": label} for text, label in _actions(seen)],
    }


def _headline(seen: Observation) -> str:
    if not seen.outcome:
        return _("It is your turn!")
    if READER in seen.outcome.winners:
        return _("You win!")
    return _("%(player)s wins!") % {"player": bot_name()}


def _told(game: Played, names: Sequence[str]) -> list[str]:
    """What has happened since the reader's last move, that move included."""
    told = [rules.redact(event, READER, game.state.options) for event in game.news]
    return [text for event in told if (text := sentences.event(event, names, READER))]


def _lessons(game: Played) -> list[Document]:
    """The paragraphs that the news bring up for the first time."""
    paragraphs = chapter_of(game.state.options)["paragraphs"]
    return [each for each in paragraphs if each["id"] in game.fresh]


def _card(so_far: str, card: Document, good: str) -> Document:
    """A card of the hand with every way of playing it; a card that does not fit has one, too."""
    code = card["code"]
    if card["playable"] and card["names_suit"]:
        ways = [_suit_way(so_far, code, letter, good) for letter in SUITS]
    else:
        ways = [_way(so_far, code, good)]
    if card["can_cut"]:
        ways = [
            ways[0] | {"label": _("Just play the 7")},
            _way(so_far, f"{code}.cut", good) | {"label": _("Cut the game")},
        ]
    return card | {"ways": ways, "good": any(way["good"] for way in ways)}


def _suit_way(so_far: str, code: str, letter: str, good: str) -> Document:
    suit = shown_suit(letter)
    return _way(so_far, f"{code}.{letter}", good) | {"suit": suit, "label": suit["name"]}


def _way(so_far: str, text: str, good: str) -> Document:
    moves = f"{so_far}-{text}" if so_far else text
    return {"url": f"?m={moves}#game", "good": text == good}


def _actions(seen: Observation) -> Iterator[tuple[str, str]]:
    """What can be done beside playing a card, with its label."""
    may = {move.do for move in seen.moves}
    if seen.may_say_mau:
        yield "mau", _("Call “Mau”")
    if any(seen.hand_sizes[seat] == 1 for seat in seen.accusable):
        yield CATCH, _("Forgot Mau!")
    if "pass" in may:
        yield "pass", pass_label(seen)
    if "draw" in may:
        yield "draw", draw_label(seen)
