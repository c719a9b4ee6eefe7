"""Examples that the reader answers by tapping; the truth is always what the rules say there.

An example is a position of `games.rules.positions` with moves made before the question. The reader
has seat 0. Where a card or a move of it does not exist under a page's options, it is not shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from games import rules, sentences
from games.presenters.cards import face_of
from games.presenters.document import Document
from games.rules import IllegalMove, Move, Options, State
from games.rules.cards import Card, card_from_code, cards_in, suit_letter, suit_of
from games.rules.positions import state_of
from games.rules.variants import game_of

READER = 0
PLAYERS = ("Keza", "Mugisha", "Uwase")  # at seats 1, 2 and 3


@dataclass(frozen=True)
class Example:
    """One question. `kind` is play, penalty, turn or winner; `moves` are (seat, move) before it."""

    id: str
    paragraph: str
    kind: str
    hands: Sequence[str]  # by seat: "9C KH 4S"
    top: str
    moves: Sequence[tuple[int, str]] = ()
    turn: int = READER
    stock: str = ""
    cut_suit: str = "S"
    direction: int = 1
    needs: Mapping[str, Any] = field(default_factory=dict)


EXAMPLES = {
    "matatu": (
        Example("match", "turn", "play", ("9C KH 4S 10D", "3C 5C"), "9H"),
        Example("drawn", "draw", "play", ("4H 6S", "3C 5C"), "9H", [(0, "draw")], stock="QH 3D"),
        Example(
            "answer", "penalty", "play", ("2C JK2 AS AD 4H", "2H 5C"), "9H", [(1, "2H")], turn=1
        ),
        Example(
            "sum",
            "penalty",
            "penalty",
            ("KH 4C", "2H 5C", "JK1 6D"),
            "9H",
            [(1, "2H"), (2, "JK1")],
            turn=1,
        ),
        Example(
            "twos",
            "penalty",
            "penalty",
            ("KH 4C", "2H 5C", "2S 6D"),
            "9H",
            [(1, "2H"), (2, "2S")],
            turn=1,
            needs={"jokers": 0},
        ),
        Example("served", "joker", "play", ("4S KH 9D", "3C 5C"), "JK1"),
        Example("asked", "ace", "play", ("7C KD AH JK2 QS", "AD 5H"), "9D", [(1, "AD.C")], turn=1),
        Example(
            "blocked",
            "ace-of-spades",
            "penalty",
            ("AS 4C", "5H 5C", "JK1 6D"),
            "9H",
            [(2, "JK1"), (0, "AS.C")],
            turn=2,
        ),
        Example("skipped", "eight", "turn", ("8C 4H", "3C 5C", "3D 5D"), "9C", [(0, "8C")]),
        Example(
            "reversed", "jack", "turn", ("JD 4H", "3C 5C", "3D 5D", "3S 5S"), "9D", [(0, "JD")]
        ),
        Example("two-players", "jack", "turn", ("JC 4H", "3D 5D"), "9C", [(0, "JC")]),
        Example(
            "lowest",
            "cut",
            "winner",
            ("7S 4H 9D", "AH", "3C 5D"),
            "9S",
            [(0, "7S.cut")],
            needs={"cut": "on"},
        ),
        Example(
            "equal",
            "cut",
            "winner",
            ("7S 4H 9D", "KH", "10C 3D"),
            "9S",
            [(0, "7S.cut")],
            needs={"cut": "on"},
        ),
        Example("last", "winning", "penalty", ("2H", "KH 5D"), "9H", [(0, "2H")]),
    ),
    "maumau": (
        Example("match", "turn", "play", ("QS 10H 9D JC", "9C KC"), "10S"),
        Example("drawn", "draw", "play", ("KH 9S", "9C KC"), "10H", [(0, "draw")], stock="QH 9D"),
        Example("answer", "seven", "play", ("7C JS AH KH", "7H 9C"), "10H", [(1, "7H")], turn=1),
        Example(
            "sevens",
            "seven",
            "penalty",
            ("KH 9C", "7H 10C", "7S 9D"),
            "10H",
            [(1, "7H"), (2, "7S")],
            turn=1,
        ),
        Example(
            "facing", "eight", "play", ("8C JD KH", "9C KC", "8H QD"), "10H", [(2, "8H")], turn=2
        ),
        Example("eight", "eight", "turn", ("8C KH", "9C KC", "9D KD"), "10C", [(0, "8C")]),
        Example("asked", "jack", "play", ("9S KD JH QC", "JD 9H"), "10D", [(1, "JD.S")], turn=1),
        Example("cover", "ace", "play", ("AS KS AH 9H JC", "9C KC"), "10S", [(0, "AS")]),
        Example("nine", "nine", "turn", ("9D KH", "9C KC", "10S QS", "KS QC"), "10D", [(0, "9D")]),
        Example("last", "winning", "penalty", ("7H", "KH 9D"), "10H", [(0, "7H")]),
    ),
}


def examples_of(options: Options, tried: str = "", answer: str = "") -> dict[str, list[Document]]:
    """Return the examples of a page by paragraph; that named `tried` with the reader's answer."""
    shown: dict[str, list[Document]] = {}
    for example in EXAMPLES[options.variant]:
        state, events = position_of(example, options)
        if state is not None:
            given = answer if example.id == tried else ""
            document = _shown(example, state, events, given)
            shown.setdefault(example.paragraph, []).append(document)
    return shown


def position_of(example: Example, options: Options) -> tuple[State | None, list[rules.Event]]:
    """Return the position of an example under these options, and what happened before it.

    None where it does not exist there: a card, a move or the reader's turn is missing.
    """
    if any(getattr(options, name) != value for name, value in example.needs.items()):
        return None, []
    pack = set(game_of(options).pack)
    if card_from_code(example.top) not in pack:
        return None, []
    state = state_of(_position(example, options, pack))
    told: list[rules.Event] = []
    try:
        for seat, text in example.moves:
            state, events = rules.apply(state, seat, move_of(text))
            told += events
    except IllegalMove:
        return None, []
    return (state if example.kind != "play" or state.turn == READER else None), told


def _position(example: Example, options: Options, pack: set[Card]) -> dict[str, Any]:
    def existing(codes: str) -> list[str]:
        return [code for code in codes.split() if card_from_code(code) in pack]

    return {
        "game": options.variant,
        "options": rules.differences(options),
        "hands": {str(seat): existing(hand) for seat, hand in enumerate(example.hands)},
        "top": example.top,
        "stock": existing(example.stock),
        "turn": example.turn,
        "direction": example.direction,
        "cut_suit": example.cut_suit if options.variant == "matatu" else None,
    }


def move_of(text: str) -> Move:
    """Return the move written so: "draw", "pass", "mau", "7H", "AH.S" (a suit), "7S.cut".

    Raises ValueError for anything else.
    """
    if text in ("draw", "pass", "mau"):
        return Move(text)
    code, _dot, extra = text.partition(".")
    card = card_from_code(code)
    if extra == "cut":
        return Move("play", card, cut=True)
    if extra not in ("", *"SHDC") or text.endswith("."):
        raise ValueError(f"not a move: {text!r}")
    return Move("play", card, suit=extra or None)


def names_of(state: State) -> list[str]:
    """Return the names at the seats: the reader's, then those of the others."""
    return [_("You"), *PLAYERS][: state.seats]


def _shown(example: Example, state: State, events: Sequence[rules.Event], answer: str) -> Document:
    choices = [_choice(example, each, answer) for each in _choices(example, state)]
    chosen = any(each["chosen"] for each in choices)
    return {
        "id": example.id,
        "kind": example.kind,
        "question": _question(example.kind, state),
        "facts": list(_facts(example, state, events)),
        "top": face_of(state.top),
        "hand": [face_of(card) for card in cards_in(state.hands[READER])],
        "hands": _hands(state, counted=chosen) if example.kind == "winner" else [],
        "choices": choices,
        "answer": ANSWERS[example.kind](state, answer) if chosen else None,
    }


def _choice(example: Example, choice: Document, answer: str) -> Document:
    address = f"?try={example.id}&answer={choice['value']}#try-{example.id}"
    return choice | {"url": address, "chosen": choice["value"] == answer}


def _choices(example: Example, state: State) -> list[Document]:
    if example.kind == "play":
        cards = cards_in(state.hands[READER])
        return [{"value": face["code"], "card": face} for face in map(face_of, cards)]
    if example.kind == "penalty":
        return [{"value": str(n), "text": _cards(n)} for n in numbers_near(state)]
    names = names_of(state)
    return [{"value": str(seat), "text": name} for seat, name in enumerate(names)]


def numbers_near(state: State) -> list[int]:
    """Return numbers of cards to choose from, the right one among them."""
    return sorted({0, 2, 5, 7, state.penalty})


def _question(kind: str, state: State) -> str:
    if kind == "play":
        return _("Which of these cards may you play? Tap one.")
    if kind == "turn":
        return _("Whose turn is it now?")
    if kind == "winner":
        return _("Who wins?")
    if state.turn == READER:
        return _("How many cards do you have to draw?")
    name = names_of(state)[max(state.turn, 1)]
    return _("How many cards does %(player)s have to draw?") % {"player": name}


def _facts(example: Example, state: State, events: Sequence[rules.Event]) -> Iterator[str]:
    """What a reader would see at the table: what has happened, and what must be followed."""
    for event in events:
        if event.kind in TOLD:
            yield sentences.event(event, names_of(state), READER)
    if state.requested >= 0:
        suit = sentences.suit_name(suit_letter(state.requested) or "")
        yield _("Requested suit: %(suit)s") % {"suit": suit}
    if example.kind == "turn":
        yield _("Clockwise around the table: %(players)s") % {"players": ", ".join(names_of(state))}
    if example.kind == "winner":
        yield _("Cut suit: %(suit)s") % {"suit": sentences.suit_name(example.cut_suit)}


TOLD = ("played", "drew", "cut")  # the rest would give the answer away


def _cards(count: int) -> str:
    return sentences.cards_text(count) if count else _("No card")


def _hands(state: State, *, counted: bool) -> list[Document]:
    """Every hand, and its points once the reader has answered: they are what decides."""
    points = state.outcome.points if state.outcome and state.outcome.points else ()
    return [
        {
            "name": name,
            "cards": [face_of(card) for card in cards_in(hand)],
            "points": sentences.points_text(count or 0) if counted else "",
        }
        for name, hand, count in zip(names_of(state), state.hands, points, strict=True)
    ]


def _try_card(state: State, answer: str) -> Document:
    """May the reader play this card? The rules answer: by what happens, or by their refusal."""
    card = card_from_code(answer)
    move = Move("play", card, suit=suit_of(card) or "S")
    try:
        _after, events = rules.apply(state, READER, move)
    except IllegalMove as refused:
        seen = rules.observe(state, READER)
        reason = sentences.refusal(refused.code, refused.values, seen)
        return {"right": False, "word": _("No"), "lines": [reason]}
    lines = [sentences.event(each, names_of(state), READER) for each in events]
    return {"right": True, "word": _("Yes"), "lines": [line for line in lines if line]}


def _number_of_cards(state: State, answer: str) -> Document:
    return _compared(answer == str(state.penalty), _cards(state.penalty))


def _player_in_turn(state: State, answer: str) -> Document:
    return _compared(answer == str(state.turn), names_of(state)[state.turn])


def _winner(state: State, answer: str) -> Document:
    winners = state.outcome.winners if state.outcome else ()
    names = names_of(state)
    return _compared(answer in map(str, winners), ", ".join(names[seat] for seat in winners))


def _compared(right: bool, truth: str) -> Document:
    if right:
        return {"right": True, "word": _("Right!"), "lines": [truth]}
    said = _("The right answer is: %(answer)s") % {"answer": truth}
    return {"right": False, "word": _("Not quite."), "lines": [said]}


ANSWERS = {
    "play": _try_card,
    "penalty": _number_of_cards,
    "turn": _player_in_turn,
    "winner": _winner,
}
