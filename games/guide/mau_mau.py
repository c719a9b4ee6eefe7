"""The rules of Mau-Mau in words: the source of its pages, in the order of a first reading."""

from django.utils.translation import gettext_noop as _  # marked here, translated where it is shown

from games.guide import both
from games.guide.paragraphs import Paragraph, Question, each_value, rule

IN_SHORT = (
    both.MATCH,
    both.ELSE_DRAW,
    both.SPECIAL_CARDS,
    rule(
        _("Whoever plays the last card but one calls “Mau”."),
        "MM-21",
        mau="call",
    ),
    both.FIRST_TO_FINISH,
)

PARAGRAPHS = (
    Paragraph(
        "aim",
        _("Objective"),
        (rule(_("Be the first player to get rid of all your cards."), "MM-20"),),
    ),
    Paragraph(
        "need",
        _("What you need"),
        (
            rule(_("Mau-Mau is a game for 2 to %(most)d players."), "MM-1 MM-3"),
            *each_value("deck", "MM-2"),
            rule(
                _("They are the cards from 7 to Ace in four suits; there are no Jokers."),
                "MM-2 MM-31",
                deck=32,
            ),
            rule(
                _("They are all the cards from 2 to Ace in four suits; there are no Jokers."),
                "MM-2 MM-31",
                deck=52,
            ),
            *both.DEAL,
            *each_value("start_card", "MM-4"),
            rule(
                _(
                    "An Ace, a 7, an 8 or a Jack goes to the bottom of the draw pile, and the "
                    "next card is turned up."
                ),
                "MM-4",
                start_card="plain",
            ),
            rule(
                _(
                    "A 7 gives the first player a penalty of 2 cards, and the first player faces "
                    "an 8. An Ace or a Jack has no effect, and its own suit counts."
                ),
                "MM-4",
                start_card="active",
                eight_counter=True,
            ),
            rule(
                _(
                    "A 7 gives the first player a penalty of 2 cards, and an 8 skips the first "
                    "player. An Ace or a Jack has no effect, and its own suit counts."
                ),
                "MM-4 H-MT-5",
                start_card="active",
                eight_counter=False,
            ),
            rule(
                _("A first 9 does not reverse the direction."),
                "H-MT-5",
                start_card="active",
                nine_reverse=True,
            ),
            *both.FIRST_PLAYER,
            rule(_("Play always goes clockwise."), "MM-5 MM-31", nine_reverse=False),
            rule(_("Play begins clockwise."), "MM-5", nine_reverse=True),
        ),
    ),
    Paragraph(
        "turn",
        _("Basic play"),
        (
            *both.BASIC_PLAY,
            both.ORDINARY,
            rule(_("There is no cutting, and the cards have no points."), "MM-31"),
            both.REFUSED,
        ),
    ),
    both.DRAWING,
    Paragraph(
        "seven",
        _("Seven"),
        (
            rule(_("A 7 adds 2 cards to the penalty of the next player."), "MM-9 MM-10"),
            *each_value("seven_stack", "MM-9 MM-10"),
            rule(
                _("Each 7 adds 2 more: the player after it faces 4 cards, then 6, then 8."),
                "MM-10",
                seven_stack=True,
            ),
            rule(
                _("No other card answers a 7, neither a Jack nor an Ace nor an 8."),
                "MM-9 MM-12",
                seven_stack=True,
            ),
            rule(both.MAY_DRAW_ANYWAY, "MM-11", seven_stack=True),
            *both.AFTER_PENALTY,
        ),
        ("7H",),
    ),
    Paragraph(
        "eight",
        _("Eight"),
        (
            rule(
                _(
                    "The next player plays another 8 or misses one turn. Nothing else may be "
                    "played, and nobody draws."
                ),
                "MM-14 MM-15",
                eight_counter=True,
            ),
            rule(
                _(
                    "A second 8 moves the choice to the following player. Nothing adds up: "
                    "whoever misses a turn misses exactly one."
                ),
                "MM-15",
                eight_counter=True,
            ),
            rule(
                _("When somebody has missed the turn, the 8 is an ordinary card."),
                "MM-15",
                eight_counter=True,
            ),
            rule(
                _("With two players, you play again when the other one misses the turn."),
                "MM-27",
                eight_counter=True,
            ),
            *each_value("eight_counter", "MM-14", eight_counter=False),
            rule(
                _("With two players, whoever plays an 8 plays again."),
                "MM-27",
                eight_counter=False,
            ),
        ),
        ("8C",),
    ),
    Paragraph(
        "jack",
        _("Jack"),
        (
            rule(
                _(
                    "A Jack may be played on any card, also on a Jack, but it answers neither a "
                    "7 nor an 8."
                ),
                "MM-12 MM-9 MM-14",
                jack_on_jack=True,
                eight_counter=True,
            ),
            rule(
                _(
                    "A Jack may be played on any card but a Jack, and it answers neither a 7 nor "
                    "an 8."
                ),
                "MM-12 MM-9 MM-14",
                jack_on_jack=False,
                eight_counter=True,
            ),
            rule(
                _("A Jack may be played on any card, also on a Jack, but it does not answer a 7."),
                "MM-12 MM-9",
                jack_on_jack=True,
                eight_counter=False,
            ),
            rule(
                _("A Jack may be played on any card but a Jack, and it does not answer a 7."),
                "MM-12 MM-9",
                jack_on_jack=False,
                eight_counter=False,
            ),
            rule(both.CHOOSES_SUIT, "MM-12"),
            rule(
                _("After a Jack you may play a card of that suit or another Jack."),
                "MM-13",
                jack_on_jack=True,
            ),
            rule(
                _("After a Jack you may play a card of that suit, but no Jack."),
                "MM-13 MM-12",
                jack_on_jack=False,
            ),
            rule(_("The suit printed on the Jack does not count."), "MM-13"),
            rule(both.REQUEST_LASTS, "MM-13"),
        ),
        ("JD",),
    ),
    Paragraph(
        "ace",
        _("Ace"),
        (
            *each_value("ace_cover", "MM-16"),
            rule(
                _(
                    "You cover it at once, in the same turn: with a card of its suit, with "
                    "another Ace or with a Jack."
                ),
                "MM-16 MM-17 MM-12",
                ace_cover=True,
            ),
            rule(
                _("The covering card has its full effect. A second Ace must be covered too."),
                "MM-17",
                ace_cover=True,
            ),
            rule(
                _("As long as you have a card that covers the Ace, you may neither draw nor pass."),
                "MM-16",
                ace_cover=True,
            ),
            rule(
                _(
                    "If you have none, you draw one card. If it covers the Ace, you may play it; "
                    "if not, your turn ends."
                ),
                "MM-18",
                ace_cover=True,
                after_draw=("play_drawn", "play_any"),
            ),
            rule(
                _("If you have none, you draw one card, and your turn ends."),
                "MM-18",
                ace_cover=True,
                after_draw="end_turn",
            ),
            rule(
                _(
                    "If there is nothing to draw, your turn ends as well. The next player matches "
                    "the Ace by suit or rank."
                ),
                "MM-18 H-MM-18",
                ace_cover=True,
            ),
            *each_value("ace_last_wins", "MM-19 H-MM-18", ace_cover=True),
        ),
        ("AS",),
    ),
    Paragraph(
        "nine",
        _("Nine"),
        (*each_value("nine_reverse", "MM-31", nine_reverse=True),),
        ("9D",),
    ),
    Paragraph(
        "mau",
        _("Call “Mau”"),
        (
            *each_value("mau", "MM-21"),
            rule(
                _(
                    "You call each time that you play a card and one card stays in your hand. "
                    "With the very last card nothing is called."
                ),
                "MM-21 MM-20",
                mau="call",
            ),
            rule(
                _("You call also when that card is an Ace that you still have to cover."),
                "MM-21",
                mau="call",
                ace_cover=True,
            ),
            rule(
                _(
                    "Call in your turn, while you hold two cards, or after the card, as long as "
                    "nobody has caught you and the next player has not acted."
                ),
                "MM-21",
                mau="call",
            ),
            rule(
                _(
                    "Press the button or the key M, press your own name twice, or set the switch "
                    "and play the card."
                ),
                "MM-21 G-2",
                mau="call",
            ),
            rule(
                _("A call at another moment, or a second one, is refused and costs nothing."),
                "MM-21 H-MM-21",
                mau="call",
            ),
            rule(
                _(
                    "Whoever has forgotten the call can be caught by every opponent: press "
                    "“Forgot Mau!” or press that player's name twice."
                ),
                "MM-22",
                mau="call",
            ),
            rule(
                _(
                    "That is possible until the next player plays, draws, misses the turn or runs "
                    "out of time. A next player who resigns does not end it."
                ),
                "MM-22 MM-29 H-MT-31",
                mau="call",
            ),
            rule(
                _(
                    "The table never says who has forgotten the call. Look for the sign “Mau!”; "
                    "with two cards again, nobody can be caught."
                ),
                "MM-22 MM-33 H-MM-22",
                mau="call",
            ),
            *each_value("mau_penalty", "MM-23", mau="call"),
            rule(
                _(
                    "The penalty is drawn at once, and nothing else changes. You are caught once "
                    "only."
                ),
                "MM-23 MM-25",
                mau="call",
            ),
            *each_value("false_accusation", "MM-24", mau="call"),
            rule(
                _(
                    "When somebody has one card left, bots wait a moment, so that you can call and "
                    "catch. Sometimes they forget the call themselves."
                ),
                "G-1",
                mau="call",
            ),
            rule(
                _("Nobody can be caught."),
                "MM-21 H-MM-24",
                mau=("auto", "off"),
            ),
        ),
    ),
    Paragraph(
        "winning",
        _("Winning"),
        (
            rule(
                _("As soon as a player has no cards left, the game ends and that player wins."),
                "MM-20",
                ace_cover=False,
            ),
            rule(
                _("As soon as a player has no cards left, the game ends and that player wins."),
                "MM-20",
                ace_cover=True,
                ace_last_wins=True,
            ),
            rule(
                _(
                    "As soon as a player has no cards left and no Ace to cover, the game ends and "
                    "that player wins."
                ),
                "MM-20 MM-19",
                ace_cover=True,
                ace_last_wins=False,
            ),
            rule(_("Any card that fits may be the last one."), "MM-20", ace_cover=False),
            rule(
                _("Any card that fits may be the last one."),
                "MM-20 MM-19",
                ace_cover=True,
                ace_last_wins=True,
            ),
            rule(
                _("Any card that fits may be the last one, except an Ace."),
                "MM-20 MM-19",
                ace_cover=True,
                ace_last_wins=False,
            ),
            rule(both.NO_LAST_EFFECT, "MM-20 MM-12"),
            rule(
                _(
                    "When nobody can play or draw any more, the game ends. The fewest cards win, "
                    "and equal numbers share the win."
                ),
                "MM-26 H-MT-27",
            ),
            rule(
                _(
                    "The others are placed by their number of cards: the fewer the better. Equal "
                    "numbers share a place."
                ),
                "MM-32",
            ),
            both.RESIGNED_LAST,
        ),
    ),
    Paragraph(
        "seen",
        _("What everybody sees"),
        (
            *both.SEEN,
            rule(_("Everybody sees who has called “Mau”."), "MM-33", mau=("call", "auto")),
        ),
    ),
    Paragraph(
        "time",
        _("Playing over time"),
        (
            *both.TIME_BEGINS,
            rule(
                _("Whoever faces an 8 then misses the turn."),
                "MM-29",
                eight_counter=True,
            ),
            rule(
                _("Whoever has to cover an Ace then draws one card instead."),
                "MM-29",
                ace_cover=True,
            ),
            *both.TIME_ENDS,
        ),
    ),
    Paragraph(
        "strategy",
        _("Defence and strategy"),
        (
            rule(
                _("Keep a 7: it is the only defence against a 7."),
                "MM-9",
                seven_stack=True,
            ),
            rule(
                _("Keep an 8 for the 8 of somebody else."),
                "MM-14",
                eight_counter=True,
            ),
            rule(_("Keep a Jack for the moment when nothing else fits."), "MM-12"),
            rule(_("Ask for the suit of which you hold most cards."), "MM-12"),
            rule(
                _("Play an Ace when you hold a good card of its suit to cover it."),
                "MM-16",
                ace_cover=True,
            ),
            rule(
                _("Count the cards of the others, and be quick with “Forgot Mau!”."),
                "MM-22",
                mau="call",
            ),
        ),
    ),
)

QUESTIONS = (
    both.MAY_I_DRAW,
    both.SEVERAL_CARDS,
    Question(
        _("May I play a Jack on a 7 that I have to answer?"),
        (
            rule(
                _("No. You play another 7 or draw the cards."),
                "MM-9 MM-12",
                seven_stack=True,
            ),
            rule(_("No. You draw the cards."), "MM-9 MM-10", seven_stack=False),
        ),
    ),
    Question(
        _("May I play a Jack on a Jack?"),
        (
            rule(_("Yes. Then the suit that you choose counts."), "MM-12", jack_on_jack=True),
            rule(_("No. Not by these rules."), "MM-12", jack_on_jack=False),
        ),
    ),
    Question(
        _("What do I do if I cannot cover my Ace?"),
        (
            rule(
                _("You draw one card. If that does not cover it either, your turn ends."),
                "MM-18",
                ace_cover=True,
                after_draw=("play_drawn", "play_any"),
            ),
            rule(
                _("You draw one card, and your turn ends."),
                "MM-18",
                ace_cover=True,
                after_draw="end_turn",
            ),
        ),
    ),
    Question(
        _("Do two 8s in a row cost somebody two turns?"),
        (
            rule(
                _("No. Nothing adds up: whoever has no 8 misses exactly one turn."),
                "MM-15",
                eight_counter=True,
            ),
            rule(
                _("No. Each 8 skips one player, once."),
                "MM-14",
                eight_counter=False,
            ),
        ),
    ),
    Question(
        _("May I finish with an Ace?"),
        (
            rule(_("Yes. It wins at once."), "MM-19", ace_cover=True, ace_last_wins=True),
            rule(_("Yes. It is a card like any other."), "MM-20", ace_cover=False),
            rule(
                _("No. It must be covered too, so you draw a card."),
                "MM-19",
                ace_cover=True,
                ace_last_wins=False,
            ),
        ),
    ),
    Question(
        _("Do I have to call anything when I win?"),
        (rule(_("No. With the very last card nothing is called."), "MM-20"),),
    ),
)
