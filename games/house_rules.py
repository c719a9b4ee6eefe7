"""Every option of both games in words: a name, and a sentence for each value (RULES.md part C).

A sentence with %(n)d serves all values of an option that is a number.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

NAMES = {
    "jokers": gettext_noop("Jokers"),
    "deck": gettext_noop("Cards in the pack"),
    "hand_size": gettext_noop("Cards dealt"),
    "start_card": gettext_noop("First card"),
    "first_player": gettext_noop("First player"),
    "ace_play": gettext_noop("Ace"),
    "ace_cover": gettext_noop("Cover the Ace"),
    "ace_last_wins": gettext_noop("Ace as the last card"),
    "ace_spades_blocks": gettext_noop("Ace of spades"),
    "after_joker": gettext_noop("After a Joker"),
    "three_draws": gettext_noop("Three"),
    "seven_stack": gettext_noop("Seven"),
    "eight_counter": gettext_noop("Eight"),
    "nine_reverse": gettext_noop("Nine"),
    "jack_on_jack": gettext_noop("Jack"),
    "two_player_jack": gettext_noop("Jack with two players"),
    "stacking": gettext_noop("Stack penalties"),
    "after_penalty": gettext_noop("After a penalty"),
    "voluntary_draw": gettext_noop("Draw a card"),
    "after_draw": gettext_noop("After drawing"),
    "cut": gettext_noop("Cut the game"),
    "cut_limit": gettext_noop("Limit for cutting"),
    "cut_count_seven": gettext_noop("The 7 that cuts"),
    "cut_tie_others": gettext_noop("Equal points"),
    "ace_spades_points": gettext_noop("Points of the Ace of spades"),
    "three_points": gettext_noop("Points of a 3"),
    "finish_on_special": gettext_noop("Last card"),
    "mau": gettext_noop("Call “Mau”"),
    "mau_penalty": gettext_noop("Forgot Mau!"),
    "false_accusation": gettext_noop("False accusation"),
    "beginner": gettext_noop("Beginner mode"),
    "max_timeouts": gettext_noop("Missed turns"),
    "absent_seat": gettext_noop("Absent players"),
}

_ACCUSED_FALSELY = gettext_noop("Penalty cards for a false accusation: %(n)d")
SENTENCES: dict[str, str | dict[int | str | bool, str]] = {
    "jokers": {
        2: gettext_noop("There are two Jokers."),
        0: gettext_noop("There are no Jokers."),
    },
    "deck": gettext_noop("The pack has %(n)d cards."),
    "hand_size": gettext_noop("Each player is dealt %(n)d cards."),
    "start_card": {
        "plain": gettext_noop("The game begins with a card that has no effect."),
        "any": gettext_noop("The game begins with any card; it has no effect."),
        "active": gettext_noop("The first card works as if the dealer had played it."),
    },
    "first_player": {
        "dealer_left": gettext_noop("The player after the dealer begins."),
        "random": gettext_noop("Chance decides who begins."),
        "last_winner": gettext_noop("Whoever won the last game begins."),
    },
    "ace_play": {
        "any": gettext_noop("An Ace may be played on any card."),
        "match": gettext_noop("An Ace must match the suit or the rank of the top card."),
    },
    "ace_cover": {
        True: gettext_noop("Whoever plays an Ace must cover it with another card."),
        False: gettext_noop("An Ace is an ordinary card and need not be covered."),
    },
    "ace_last_wins": {
        True: gettext_noop("Whoever plays an Ace as the last card wins."),
        False: gettext_noop("An Ace as the last card must be covered too."),
    },
    "ace_spades_blocks": {
        True: gettext_noop("The Ace of spades blocks a penalty."),
        False: gettext_noop("The Ace of spades blocks nothing: it is an Ace like any other."),
    },
    "after_joker": {
        "any": gettext_noop("Any card may be played on a Joker."),
        "previous_suit": gettext_noop("After a Joker the suit before it counts again."),
    },
    "three_draws": {
        False: gettext_noop("A 3 is an ordinary card."),
        True: gettext_noop("A 3 works like a 2: the next player draws 3 cards or answers."),
    },
    "seven_stack": {
        True: gettext_noop("A 7 can be answered with another 7."),
        False: gettext_noop("A 7 cannot be answered: the next player draws 2 cards."),
    },
    "eight_counter": {
        True: gettext_noop("An 8 can be answered with another 8."),
        False: gettext_noop("An 8 cannot be answered: the next player is skipped."),
    },
    "nine_reverse": {
        False: gettext_noop("A 9 is an ordinary card."),
        True: gettext_noop("A 9 reverses the direction."),
    },
    "jack_on_jack": {
        True: gettext_noop("A Jack may be played on a Jack."),
        False: gettext_noop("A Jack may not be played on a Jack."),
    },
    "two_player_jack": {
        "reverse": gettext_noop("With two players, the other one plays after a Jack."),
        "play_again": gettext_noop("With two players, whoever plays a Jack plays again."),
    },
    "stacking": {
        "mixed": gettext_noop("A penalty is passed on with any 2 or Joker."),
        "same_rank": gettext_noop("A 2 is answered with a 2 only, a Joker with a Joker only."),
        "none": gettext_noop("A penalty cannot be passed on."),
    },
    "after_penalty": {
        "end_turn": gettext_noop("Whoever draws the penalty cards does not play in that turn."),
        "may_play": gettext_noop("Whoever draws the penalty cards may play a card afterwards."),
    },
    "voluntary_draw": {
        True: gettext_noop("You may draw even if you can play."),
        False: gettext_noop("You may draw only if you cannot play."),
    },
    "after_draw": {
        "play_drawn": gettext_noop("After drawing you may play the drawn card, and no other."),
        "play_any": gettext_noop("After drawing you may play any card that fits."),
        "end_turn": gettext_noop("Your turn ends when you have drawn a card."),
    },
    "cut": {
        "on": gettext_noop("The 7 of the cut suit can cut the game."),
        "off": gettext_noop("Nobody can cut the game."),
    },
    "cut_limit": gettext_noop("You may cut with at most %(n)d points."),
    "cut_count_seven": {
        False: gettext_noop("The points of the 7 that cuts are not counted."),
        True: gettext_noop("The points of the 7 that cuts count for the limit."),
    },
    "cut_tie_others": {
        "next_in_turn": gettext_noop(
            "If others share the lowest points, the one whose turn would come first wins."
        ),
        "shared": gettext_noop("If others share the lowest points, they win together."),
    },
    "ace_spades_points": gettext_noop("The Ace of spades counts %(n)d points."),
    "three_points": gettext_noop("A 3 counts %(n)d points."),
    "finish_on_special": {
        True: gettext_noop("Any card may be the last one."),
        False: gettext_noop("The last card cannot be an Ace, a 2, an 8, a Jack or a Joker."),
    },
    "mau": {
        "call": gettext_noop("Whoever has one card left must call “Mau”."),
        "auto": gettext_noop("“Mau” is called for you."),
        "off": gettext_noop("Nobody calls “Mau”."),
    },
    "mau_penalty": gettext_noop("Penalty cards for a forgotten “Mau”: %(n)d"),
    "false_accusation": {
        0: gettext_noop("A false accusation costs nothing."),
        1: _ACCUSED_FALSELY,
        2: _ACCUSED_FALSELY,
    },
    "beginner": {
        False: gettext_noop("Nobody sees the cards of the others."),
        True: gettext_noop("Beginner mode: all cards are open."),
    },
    "max_timeouts": gettext_noop("Missed turns in a row that make a player absent: %(n)d"),
    "absent_seat": {
        "bot": gettext_noop("A bot plays for an absent player until the player comes back."),
        "resign": gettext_noop("An absent player has resigned."),
    },
}


def name(option: str) -> str:
    """Return what an option is about, in a word or two."""
    return _(NAMES[option])


def sentence(option: str, value: int | str | bool) -> str:
    """Return the sentence that explains an option that has this value."""
    told = SENTENCES[option]
    return _(told if isinstance(told, str) else told[value]) % {"n": value}


def sentences(options: Mapping[str, int | str | bool]) -> list[str]:
    """Return a sentence for each of these options."""
    return [sentence(option, value) for option, value in options.items()]
