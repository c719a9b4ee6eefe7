"""House rules: every option of both games, what it may be, and the named sets of them.

The defaults are the rules of the sources; a game keeps the options it was started with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeAlias

OptionValue: TypeAlias = int | str | bool


class OptionError(Exception):
    """Options that no table may have.

    `code` is `unknown_variant`, `unknown_option`, `bad_value`, `too_few_seats`, `too_many_seats`
    or `hand_size_too_large`; `option` names the option at fault, None if it is none.
    """

    def __init__(self, code: str, option: str | None = None) -> None:
        super().__init__(code if option is None else f"{code}: {option}")
        self.code = code
        self.option = option


def _choice(default: Any, *others: Any) -> Any:
    return field(default=default, metadata={"values": (default, *others)})


@dataclass(frozen=True)
class _Options:
    variant: ClassVar[str]
    min_seats: ClassVar[int] = 2

    max_timeouts: int = field(default=3, metadata={"values": (1, 2, 3, 5)})
    absent_seat: str = _choice("bot", "resign")

    @classmethod
    def choices(cls) -> dict[str, tuple[OptionValue, ...]]:
        """What each option may be, in the order of the fields."""
        return {each.name: each.metadata["values"] for each in fields(cls)}

    def to_json(self) -> dict[str, OptionValue]:
        """Every option with its value."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class MatatuOptions(_Options):
    """Options of Matatu; the clause that explains each stands beside it."""

    variant: ClassVar[str] = "matatu"

    jokers: int = _choice(2, 0)  # MT-2
    hand_size: int = field(default=7, metadata={"values": tuple(range(4, 11))})  # MT-3
    start_card: str = _choice("plain", "any", "active")  # MT-5
    first_player: str = _choice("dealer_left", "random", "last_winner")  # MT-6
    ace_play: str = _choice("any", "match")  # MT-10
    after_joker: str = _choice("any", "previous_suit")  # MT-14
    three_draws: bool = _choice(False, True)  # MT-12
    stacking: str = _choice("mixed", "same_rank", "none")  # MT-16
    after_penalty: str = _choice("end_turn", "may_play")  # MT-17
    voluntary_draw: bool = _choice(True, False)  # MT-8
    after_draw: str = _choice("play_drawn", "play_any", "end_turn")  # MT-9
    two_player_jack: str = _choice("reverse", "play_again")  # MT-29
    cut: str = _choice("on", "off")  # MT-21
    cut_limit: int = _choice(20, 25, 30)  # MT-22
    cut_count_seven: bool = _choice(False, True)  # MT-22
    cut_tie_others: str = _choice("next_in_turn", "shared")  # MT-23
    ace_spades_blocks: bool = _choice(True, False)  # MT-18, part F
    ace_spades_points: int = _choice(15, 60)  # MT-24, part F
    three_points: int = _choice(3, 30)  # MT-24, part F
    finish_on_special: bool = _choice(True, False)  # MT-25
    beginner: bool = _choice(False, True)  # MT-32

    @property
    def pack_size(self) -> int:
        return 52 + self.jokers

    @property
    def max_seats(self) -> int:
        """MT-1."""
        return 6

    def deals_too_many(self, seats: int) -> bool:
        """MT-3."""
        return seats * self.hand_size + 10 > self.pack_size


@dataclass(frozen=True)
class MauMauOptions(_Options):
    """Options of Mau-Mau; the clause that explains each stands beside it."""

    variant: ClassVar[str] = "maumau"

    deck: int = _choice(32, 52)  # MM-2
    hand_size: int = field(default=5, metadata={"values": tuple(range(4, 8))})  # MM-3
    start_card: str = _choice("plain", "any", "active")  # MM-4
    first_player: str = _choice("dealer_left", "random", "last_winner")  # MM-5
    voluntary_draw: bool = _choice(True, False)  # MM-7
    after_draw: str = _choice("play_drawn", "play_any", "end_turn")  # MM-8
    seven_stack: bool = _choice(True, False)  # MM-10
    after_penalty: str = _choice("end_turn", "may_play")  # MM-11
    jack_on_jack: bool = _choice(True, False)  # MM-12
    eight_counter: bool = _choice(True, False)  # MM-14
    ace_cover: bool = _choice(True, False)  # MM-16
    ace_last_wins: bool = _choice(True, False)  # MM-19
    mau: str = _choice("call", "auto", "off")  # MM-21
    mau_penalty: int = field(default=2, metadata={"values": (1, 2, 3, 5)})  # MM-23
    false_accusation: int = _choice(0, 1, 2)  # MM-24
    nine_reverse: bool = _choice(False, True)  # MM-31
    beginner: bool = _choice(False, True)  # MM-28

    @property
    def pack_size(self) -> int:
        return self.deck

    @property
    def max_seats(self) -> int:
        """MM-1."""
        return 5 if self.deck == 32 else 6

    def deals_too_many(self, seats: int) -> bool:
        """MM-3."""
        return self.pack_size - seats * self.hand_size < 5


Options: TypeAlias = MatatuOptions | MauMauOptions

OPTIONS: dict[str, type[MatatuOptions] | type[MauMauOptions]] = {
    "matatu": MatatuOptions,
    "maumau": MauMauOptions,
}

# Part F: a preset is a name for a set of differences; the first of each game is the default.
PRESETS: dict[str, dict[str, dict[str, OptionValue]]] = {
    "matatu": {
        "rwanda": {},
        "uganda_classic": {
            "jokers": 0,
            "two_player_jack": "play_again",
            "ace_spades_blocks": False,
            "cut_limit": 25,
        },
        "uganda_joker": {
            "two_player_jack": "play_again",
            "three_draws": True,
            "three_points": 30,
            "ace_spades_points": 60,
            "cut_limit": 30,
        },
        "first_steps": {"beginner": True, "cut": "off"},
    },
    "maumau": {
        "mau": {},
        "deutsch": {"ace_cover": False, "jack_on_jack": False, "eight_counter": False},
        "big_pack": {"deck": 52, "hand_size": 7},
        "first_steps": {"beginner": True, "mau": "auto"},
    },
}


def options_for(variant: str, differences: Mapping[str, Any], seats: int) -> Options:
    """The options of a table of `seats` players that differs from the defaults in `differences`.

    Raises OptionError.
    """
    options = options_of(variant, differences)
    check_seats(options, seats)
    return options


def options_of(variant: str, differences: Mapping[str, Any]) -> Options:
    """The same without a number of players; raises OptionError."""
    kind = OPTIONS.get(variant)
    if kind is None:
        raise OptionError("unknown_variant")
    choices = kind.choices()
    for name, value in differences.items():
        if name not in choices:
            raise OptionError("unknown_option", str(name))
        if not _is_one_of(value, choices[name]):
            raise OptionError("bad_value", name)
    return kind(**differences)


def check_seats(options: Options, seats: int) -> None:
    """Raises OptionError if so many cannot play with these options (MT-1, MT-3, MM-1, MM-3)."""
    if seats < options.min_seats:
        raise OptionError("too_few_seats")
    if seats > options.max_seats:
        raise OptionError("too_many_seats")
    if options.deals_too_many(seats):
        raise OptionError("hand_size_too_large", "hand_size")


def _is_one_of(value: Any, allowed: tuple[OptionValue, ...]) -> bool:
    # True == 1 in Python, but an option that is 1 must not be given as true.
    return any(type(value) is type(each) and value == each for each in allowed)


def differences(options: Options) -> dict[str, OptionValue]:
    """What differs from the defaults, in the order of the fields."""
    defaults = type(options)().to_json()
    return {name: value for name, value in options.to_json().items() if value != defaults[name]}
