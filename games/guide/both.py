"""What both games have in common: drawing, time, what is seen. The English source of the pages."""

from django.utils.translation import gettext_noop as _  # marked here, translated where it is shown

from games.guide.paragraphs import Paragraph, Question, each_value, rule

SPECIAL_CARDS = rule(_("Special cards make others draw cards, miss a turn or follow another suit."))
MATCH = rule(
    _("In your turn you play one card of the suit or of the rank of the top card."), "MT-7 MM-6"
)
ELSE_DRAW = rule(_("If you cannot play, you draw a card."), "MT-8 MM-7")
FIRST_TO_FINISH = rule(_("The first player who has no cards left wins."), "MT-25 MM-20")

DEAL = (
    *each_value("hand_size", "MT-3 MM-3"),
    rule(_("The cards are dealt one at a time, beginning with the first player."), "MT-3 MM-3"),
)
FIRST_PLAYER = (
    *each_value("first_player", "MT-6 MM-5"),
    rule(
        _("In the first game of a table the player after the dealer begins."),
        "MT-6 MM-5 H-MT-6",
        first_player="last_winner",
    ),
    rule(
        _("Chance chooses the first dealer; in each rematch the next player clockwise deals."),
        "MT-6 MM-5",
    ),
)

BASIC_PLAY = (
    rule(
        _(
            "Your card must have the suit or the rank of the top card. On the ten of spades you "
            "may play any spade or another ten."
        ),
        "MT-7 MM-6",
    ),
    rule(_("You play exactly one card in a turn."), "MT-7 MM-6"),
    rule(_("A suit is ♠, ♥, ♦ or ♣. Red and black do not matter."), "MT-7 MM-6"),
)
REFUSED = rule(
    _(
        "A move that is not allowed changes nothing. The page tells you which rule bars it, and "
        "you choose again."
    ),
    "1-rejection",
)
ORDINARY = rule(
    _("Special cards have rules of their own, see below. All others are ordinary cards."),
    "MT-12 MM-31",
)

DRAWING = Paragraph(
    "draw",
    _("Draw a card"),
    (
        rule(_("If you cannot play, you draw one card from the draw pile."), "MT-8 MM-7"),
        *each_value("voluntary_draw", "MT-8 MM-7"),
        *each_value("after_draw", "MT-9 MM-8"),
        rule(
            _("You may also keep the card and end your turn. You never draw twice in a turn."),
            "MT-9 MM-8",
            after_draw=("play_drawn", "play_any"),
        ),
        rule(
            _("If the drawn card does not fit, your turn ends by itself."),
            "MT-9 MM-8",
            after_draw="play_drawn",
        ),
        rule(
            _("If nothing in your hand fits, your turn ends by itself."),
            "MT-9 MM-8 H-MT-9",
            after_draw="play_any",
        ),
        rule(
            _("A card that you play after drawing it has its full effect."),
            "MT-9 MM-8",
            after_draw=("play_drawn", "play_any"),
        ),
        rule(
            _(
                "When the draw pile is empty and somebody has to draw, the discard pile is "
                "shuffled into a new one. The top card stays where it is."
            ),
            "MT-26 MM-25",
        ),
        rule(
            _(
                "If there are too few cards even then, you draw what there is. "
                "The rest of a penalty is void."
            ),
            "MT-26 MM-25",
        ),
        rule(
            _(
                "If there is nothing to draw, you must play a card that fits; "
                "if you have none, you pass."
            ),
            "MT-27 MM-26",
        ),
    ),
)

AFTER_PENALTY = (
    rule(_("The whole penalty is drawn at once."), "MT-17 MM-11"),
    *each_value("after_penalty", "MT-17 MM-11"),
    rule(
        _("Once the penalty has been drawn it is over, and play goes on with the top card."),
        "MT-17 MM-11",
    ),
)
MAY_DRAW_ANYWAY = _("You may draw the penalty even if you could answer it.")
CHOOSES_SUIT = _(
    "Its player chooses the suit that comes next: any of the four, also the card's own."
)
REQUEST_LASTS = _(
    "The request lasts while players draw or pass. It ends as soon as a card is played."
)

NO_LAST_EFFECT = _(
    "The last card has no effect, and a penalty is void: nobody draws, nobody misses a turn."
)
RESIGNED_LAST = rule(
    _("Players who have resigned come last: who resigned latest is placed best."), "MT-34 MM-32"
)

SEEN = (
    *each_value("beginner", "MT-33 MM-33 MT-32 MM-28"),
    rule(
        _(
            "Everybody sees the top card, the number of cards in each hand and in the draw pile, "
            "whose turn it is, the direction, the requested suit and the penalty."
        ),
        "MT-33 MM-33",
    ),
    rule(
        _("A card that you draw is seen by you alone."),
        "MT-33 MM-33",
        beginner=False,
    ),
    rule(
        _("Every player sees all hands, the draw pile and the discard pile, card by card."),
        "MT-32 MM-28",
        beginner=True,
    ),
    rule(
        _("Such a game is unrated, and bots do not look at the open cards."),
        "MT-32 MM-28",
        beginner=True,
    ),
    rule(_("Whoever only watches sees no more than what lies open on the table."), "MT-33 MM-33"),
    rule(_("When the game is over, all hands are shown."), "MT-33 MM-33"),
)

TIME_BEGINS = (
    rule(_("Every table says how much time a turn has: from seconds to days."), "MT-30 MM-29"),
    rule(
        _(
            "When your time is over, the table takes the penalty for you, draws one card or "
            "passes, and your turn ends. It never plays a card for you."
        ),
        "MT-30 MM-29 G-3 H-MT-30",
    ),
)
TIME_ENDS = (
    *each_value("max_timeouts", "MT-30 MM-29 H-MT-30"),
    *each_value("absent_seat", "MT-30 MM-29 H-MT-30"),
    rule(_("A seat that a bot plays for is always marked."), "MT-30 MM-29 G-3"),
    rule(_("In a rated game an absent player has resigned."), "MT-30 MM-29", absent_seat="bot"),
    rule(
        _(
            "Your seat belongs to your account. You may close the page, lose the line or go on "
            "with another device."
        ),
        "G-4",
    ),
    rule(
        _("If two moves meet, the one that arrives first counts. A late move is refused."),
        "1-concurrency",
    ),
    rule(
        _(
            "You may resign at any time. Your cards go under the draw pile, and what you owed is "
            "void. The last player left wins."
        ),
        "MT-31 MM-30 H-MT-31",
    ),
    rule(
        _("A game in which no person is left ends without a winner."),
        "G-5 H-abandoned",
    ),
)

MAY_I_DRAW = Question(
    _("May I draw although I have a card that fits?"),
    (
        rule(
            _("Yes. You may draw one card instead of playing."),
            "MT-8 MM-7",
            voluntary_draw=True,
        ),
        rule(
            _("No. By these rules you draw only if nothing fits."),
            "MT-8 MM-7",
            voluntary_draw=False,
        ),
    ),
)
SEVERAL_CARDS = Question(
    _("May I play several cards of the same rank at once?"),
    (rule(_("No. You play exactly one card in a turn."), "MT-7 MM-6"),),
)
