"""The rules of Matatu in words: the source of its pages, in the order of a first reading."""

from django.utils.translation import gettext_noop as _  # marked here, translated where it is shown

from games.guide import both
from games.guide.paragraphs import Paragraph, Question, each_value, rule

# A penalty can be answered with another card that draws, or can only be drawn or blocked.
STACKED = ("mixed", "same_rank")

IN_SHORT = (
    both.MATCH,
    both.ELSE_DRAW,
    both.SPECIAL_CARDS,
    both.FIRST_TO_FINISH,
    rule(
        _("With few points you can end the game early: the 7 of the cut suit cuts it."),
        "MT-21",
        cut="on",
    ),
)

PARAGRAPHS = (
    Paragraph(
        "aim",
        _("Objective"),
        (
            rule(_("Be the first player to get rid of all your cards."), "MT-25"),
            rule(
                _("Or cut the game while you hold few points, and win with the lowest points."),
                "MT-21 MT-23",
                cut="on",
            ),
        ),
    ),
    Paragraph(
        "need",
        _("What you need"),
        (
            rule(_("Matatu is a game for 2 to %(most)d players."), "MT-1 MT-3"),
            rule(_("The pack has 52 cards and two Jokers."), "MT-2", jokers=2),
            rule(_("The pack has 52 cards and no Jokers."), "MT-2", jokers=0),
            *both.DEAL,
            *each_value("start_card", "MT-5"),
            rule(
                _(
                    "An Ace, a 2, a 7, an 8, a Jack or a Joker goes to the bottom of the draw "
                    "pile, and the next card is turned up."
                ),
                "MT-5",
                start_card="plain",
                jokers=2,
            ),
            rule(
                _(
                    "An Ace, a 2, a 7, an 8 or a Jack goes to the bottom of the draw pile, and "
                    "the next card is turned up."
                ),
                "MT-5",
                start_card="plain",
                jokers=0,
            ),
            rule(
                _("A Joker goes to the bottom of the draw pile, and the next card is turned up."),
                "MT-5",
                start_card=("any", "active"),
                jokers=2,
            ),
            rule(
                _(
                    "A 2 gives the first player a penalty of 2 cards, an 8 skips the first "
                    "player, a Jack lets the player before the dealer begin, in the other "
                    "direction. An Ace keeps its own suit."
                ),
                "MT-5 H-MT-5",
                start_card="active",
            ),
            rule(
                _("A 3 gives the first player a penalty of 3 cards."),
                "MT-5 H-MT-5",
                start_card="active",
                three_draws=True,
            ),
            *both.FIRST_PLAYER,
            rule(_("Play begins clockwise."), "MT-6"),
        ),
    ),
    Paragraph(
        "turn",
        _("Basic play"),
        (*both.BASIC_PLAY, both.ORDINARY, both.REFUSED),
    ),
    both.DRAWING,
    Paragraph(
        "two",
        _("Two"),
        (
            rule(_("A 2 adds 2 cards to the penalty of the next player."), "MT-12"),
            rule(
                _("While there is no penalty, a 2 must match the suit or the rank like any card."),
                "MT-12",
            ),
        ),
        ("2H",),
    ),
    Paragraph(
        "three",
        _("Three"),
        (
            rule(
                _("A 3 adds 3 cards to the penalty of the next player."),
                "MT-12 F",
                three_draws=True,
            ),
            rule(
                _("While there is no penalty, a 3 must match the suit or the rank like any card."),
                "MT-12",
                three_draws=True,
            ),
        ),
        ("3D",),
    ),
    Paragraph(
        "joker",
        _("Joker"),
        (
            rule(
                _(
                    "A Joker may be played on any card, on a requested suit and on a penalty. "
                    "The two are alike."
                ),
                "MT-13",
                jokers=2,
                stacking="mixed",
            ),
            rule(
                _(
                    "A Joker may be played on any card and on a requested suit, but of the "
                    "penalties only on that of a Joker. The two are alike."
                ),
                "MT-13 MT-16",
                jokers=2,
                stacking="same_rank",
            ),
            rule(
                _(
                    "A Joker may be played on any card and on a requested suit, but not on a "
                    "penalty. The two are alike."
                ),
                "MT-13 MT-16",
                jokers=2,
                stacking="none",
            ),
            rule(
                _("It adds 5 cards to the penalty of the next player and ends a request."),
                "MT-13",
                jokers=2,
                after_joker="any",
            ),
            rule(
                _("It adds 5 cards to the penalty of the next player."),
                "MT-13",
                jokers=2,
                after_joker="previous_suit",
            ),
            rule(
                _("When its penalty has been drawn, any card may be played on a Joker."),
                "MT-14",
                jokers=2,
                after_joker="any",
            ),
            *each_value("after_joker", "MT-14", jokers=2, after_joker="previous_suit"),
        ),
        ("JK1", "JK2"),
    ),
    Paragraph(
        "penalty",
        _("Answer a penalty"),
        (
            rule(
                _(
                    "Whoever has a penalty plays a card that answers it, whatever its suit, or "
                    "draws all the cards of the penalty."
                ),
                "MT-15",
                stacking=STACKED,
            ),
            rule(
                _("A penalty is passed on with any 2 or Joker."),
                "MT-15 MT-16",
                stacking="mixed",
                jokers=2,
                three_draws=False,
            ),
            rule(
                _("A penalty is passed on with any 2."),
                "MT-15 MT-16",
                stacking=STACKED,
                jokers=0,
                three_draws=False,
            ),
            rule(
                _("A penalty is passed on with any 2, 3 or Joker."),
                "MT-15 MT-16 F",
                stacking="mixed",
                jokers=2,
                three_draws=True,
            ),
            rule(
                _("A penalty is passed on with any 2 or 3."),
                "MT-15 MT-16 F",
                stacking="mixed",
                jokers=0,
                three_draws=True,
            ),
            rule(
                _("A 2 is answered with a 2 only, a Joker with a Joker only."),
                "MT-15 MT-16",
                stacking="same_rank",
                jokers=2,
                three_draws=False,
            ),
            rule(
                _("A 2 is answered with a 2 only, a 3 with a 3 only, a Joker with a Joker only."),
                "MT-15 MT-16",
                stacking="same_rank",
                jokers=2,
                three_draws=True,
            ),
            rule(
                _("A 2 is answered with a 2 only, a 3 with a 3 only."),
                "MT-15 MT-16",
                stacking="same_rank",
                jokers=0,
                three_draws=True,
            ),
            *each_value("stacking", "MT-16", stacking="none"),
            rule(
                _(
                    "The cards add up without limit, and the sum moves to the next player in the "
                    "direction of play."
                ),
                "MT-16",
                stacking=STACKED,
            ),
            rule(
                _("Of the Aces only the Ace of spades answers a penalty."),
                "MT-15 MT-18",
                ace_spades_blocks=True,
            ),
            rule(_("No Ace answers a penalty."), "MT-15 F", ace_spades_blocks=False),
            rule(
                _("An 8, a Jack or a 7 never answers one, not even the 7 of the cut suit."),
                "MT-15 MT-21",
                cut="on",
            ),
            rule(_("An 8, a Jack or a 7 never answers one."), "MT-15", cut="off"),
            rule(both.MAY_DRAW_ANYWAY, "MT-17", stacking=STACKED),
            *both.AFTER_PENALTY,
        ),
    ),
    Paragraph(
        "ace",
        _("Ace"),
        (
            rule(
                _("An Ace may be played on any card, as long as there is no penalty."),
                "MT-10",
                ace_play="any",
            ),
            *each_value("ace_play", "MT-10", ace_play="match"),
            rule(both.CHOOSES_SUIT, "MT-10"),
            rule(
                _("After an Ace you may play a card of that suit, another Ace or a Joker."),
                "MT-11",
                jokers=2,
            ),
            rule(
                _("After an Ace you may play a card of that suit or another Ace."),
                "MT-11",
                jokers=0,
            ),
            rule(_("The suit printed on the Ace does not count."), "MT-11"),
            rule(both.REQUEST_LASTS, "MT-11"),
        ),
        ("AH",),
    ),
    Paragraph(
        "ace-of-spades",
        _("Ace of spades"),
        (
            *each_value("ace_spades_blocks", "MT-18"),
            rule(
                _(
                    "It fits whatever its suit, the whole penalty is void, and nobody draws. Its "
                    "player chooses a suit, and the next player goes on with that suit."
                ),
                "MT-18",
                ace_spades_blocks=True,
            ),
            rule(
                _(
                    "Without a penalty it is an Ace like any other. Drawn among the cards of a "
                    "penalty it comes too late."
                ),
                "MT-18 MT-17",
                ace_spades_blocks=True,
            ),
        ),
        ("AS",),
    ),
    Paragraph(
        "eight",
        _("Eight"),
        (
            rule(
                _("The next player misses this one turn and cannot answer the 8."),
                "MT-19",
            ),
            rule(_("With two players, whoever plays an 8 plays again."), "MT-19 MT-29"),
        ),
        ("8C",),
    ),
    Paragraph(
        "jack",
        _("Jack"),
        (
            rule(
                _("A Jack reverses the direction of play. It stays so until the next Jack."),
                "MT-20",
            ),
            *each_value("two_player_jack", "MT-29"),
        ),
        ("JD",),
    ),
    Paragraph(
        "cut",
        _("Cut the game"),
        (
            *each_value("cut", "MT-21"),
            rule(
                _(
                    "Chance chooses the cut suit anew for every game. It stays the same for the "
                    "whole game and stands at the top right of the table."
                ),
                "MT-4",
                cut="on",
            ),
            rule(
                _(
                    "The 7 must fit where you play it. You choose whether to cut or just to play "
                    "it; every other 7 is an ordinary card."
                ),
                "MT-21",
                cut="on",
            ),
            *each_value("cut_limit", "MT-22", cut="on"),
            rule(
                _("The points are those of the cards that stay in your hand."),
                "MT-22",
                cut="on",
            ),
            *each_value("cut_count_seven", "MT-22", cut="on"),
            rule(
                _("Then all hands are counted, and the lowest points win, whoever has cut."),
                "MT-23",
                cut="on",
            ),
            rule(_("Equal points: the player who cut wins."), "MT-23", cut="on"),
            *each_value("cut_tie_others", "MT-23", cut="on"),
        ),
        ("7S", "7H", "7D", "7C"),
    ),
    Paragraph(
        "points",
        _("Card points"),
        (
            rule(
                _("The points of the cards count in a cut and for the places after the winner."),
                "MT-24 MT-34",
                cut="on",
            ),
            rule(
                _("The points of the cards count for the places after the winner."),
                "MT-24 MT-34",
                cut="off",
            ),
        ),
    ),
    Paragraph(
        "winning",
        _("Winning"),
        (
            rule(
                _("As soon as a player has no cards left, the game ends and that player wins."),
                "MT-25",
            ),
            *each_value("finish_on_special", "MT-25 MT-18", finish_on_special=True),
            rule(
                _("The last card cannot be an Ace, a 2, an 8, a Jack or a Joker."),
                "MT-25",
                finish_on_special=False,
                jokers=2,
            ),
            rule(
                _("The last card cannot be an Ace, a 2, an 8 or a Jack."),
                "MT-25",
                finish_on_special=False,
                jokers=0,
            ),
            rule(
                _("A 3 may be the last card although it draws."),
                "MT-25 H-MT-18",
                finish_on_special=False,
                three_draws=True,
            ),
            rule(both.NO_LAST_EFFECT, "MT-25 MT-10 MT-18"),
            rule(
                _("The 7 of the cut suit as the last card wins like any other card."),
                "MT-25",
                cut="on",
            ),
            rule(
                _(
                    "When nobody can play or draw any more, the game ends. The lowest points win, "
                    "and equal points share the win."
                ),
                "MT-27 H-MT-27",
            ),
            rule(
                _(
                    "The others are placed by their points: the fewer the better. Equal points "
                    "share a place."
                ),
                "MT-34",
            ),
            both.RESIGNED_LAST,
        ),
    ),
    Paragraph(
        "seen",
        _("What everybody sees"),
        (
            rule(
                _(
                    "Who has two cards left is marked with “Warning”, who has one with “Last "
                    "card”. Nothing has to be called."
                ),
                "MT-28",
            ),
            *both.SEEN,
        ),
    ),
    Paragraph(
        "time",
        _("Playing over time"),
        (*both.TIME_BEGINS, *both.TIME_ENDS),
    ),
    Paragraph(
        "strategy",
        _("Defence and strategy"),
        (
            rule(
                _("Keep a card that answers a penalty: it moves the cards on to somebody else."),
                "MT-16",
                stacking=STACKED,
            ),
            rule(
                _("The Ace of spades is the best defence. Do not spend it without need."),
                "MT-18",
                ace_spades_blocks=True,
            ),
            rule(
                _("Keep an Ace for the moment when nothing else fits."),
                "MT-10",
                ace_play="any",
            ),
            rule(_("Ask for the suit of which you hold most cards."), "MT-10"),
            rule(
                _("Play cards with many points early: somebody may cut."),
                "MT-21 MT-24",
                cut="on",
            ),
            rule(
                _("Before you cut, look at the number of cards of the others."),
                "MT-23",
                cut="on",
            ),
            rule(
                _("When the next player has few cards left, play an 8 or a card that draws."),
                "MT-19 MT-12",
            ),
        ),
    ),
)

QUESTIONS = (
    both.MAY_I_DRAW,
    both.SEVERAL_CARDS,
    Question(
        _("I have drawn the penalty. May I play a card now?"),
        (
            rule(
                _("No. Your turn is over, even if you have drawn the Ace of spades."),
                "MT-17",
                after_penalty="end_turn",
            ),
            rule(
                _("Yes. By these rules a turn like any other follows."),
                "MT-17",
                after_penalty="may_play",
            ),
        ),
    ),
    Question(
        _("Can I cut with any 7?"),
        (
            rule(
                _(
                    "No. Only with the 7 of the cut suit, and only with at most %(cut_limit)d "
                    "points."
                ),
                "MT-21 MT-22",
                cut="on",
            ),
        ),
    ),
    Question(
        _("I cut, and another player has fewer points. Who wins?"),
        (rule(_("The other player. The lowest points always win."), "MT-23", cut="on"),),
    ),
    Question(
        _("My last card is a 2. Does the next player still have to draw?"),
        (
            rule(
                _("No. You have won, and the game is over at once."),
                "MT-25",
                finish_on_special=True,
            ),
            rule(
                _("By these rules a 2 cannot be your last card."),
                "MT-25",
                finish_on_special=False,
            ),
        ),
    ),
    Question(
        _("May I answer a penalty with a Jack or an 8?"),
        (rule(_("No. Neither a Jack nor an 8 answers a penalty."), "MT-15"),),
    ),
    Question(
        _("Do I have to call anything when I have one card left?"),
        (
            rule(
                _("No. Everybody sees it at the table. “Mau” is called in Mau-Mau only."),
                "MT-28",
            ),
        ),
    ),
)
