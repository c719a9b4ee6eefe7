"""Which paragraph of the rules explains a refusal: where "See the rule" leads."""

from games.rules import IllegalMove, State
from games.rules.cards import JOKER, RANK

# By game, then by the code of the refusal, or by what `illegal_card` says it is because of.
PARAGRAPHS = {
    "matatu": {
        "penalty": "penalty",
        "last_card": "winning",
        "requested_suit": "ace",
        "suit_required": "ace",
        "cut_not_allowed": "cut",
        "cannot_draw": "draw",
        "mau_not_now": "seen",
        "no_catch": "seen",
    },
    "maumau": {
        "penalty": "seven",
        "skip": "eight",
        "jack_on_jack": "jack",
        "requested_suit": "jack",
        "suit_required": "jack",
        "must_cover": "ace",
        "mau_not_now": "mau",
        "no_catch": "mau",
    },
}
IN_BOTH = {
    "only_drawn_card": "draw",
    "already_drawn": "draw",
    "cannot_draw": "draw",
    "cannot_pass": "draw",
}
ANYTHING_ELSE = "turn"  # what a turn is, and that a refused move changes nothing


def paragraph_for(state: State, refused: IllegalMove) -> str:
    """Return the id of the paragraph that explains why `state` refuses a move."""
    variant = state.options.variant
    why = str(refused.values.get("because", refused.code))
    if why == "requested_suit" and RANK[state.top] == JOKER:
        return "joker"  # the suit in force is that before it (MT-14)
    if why == "cannot_draw" and state.skip:
        return "eight"
    return (IN_BOTH | PARAGRAPHS[variant]).get(why, ANYTHING_ELSE)
