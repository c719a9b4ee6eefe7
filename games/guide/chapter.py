"""A page of rules for one set of options: only what holds there, in the reader's language."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games import house_rules, rules, sentences
from games.guide import matatu, mau_mau
from games.guide.paragraphs import Paragraph, Question, Rule
from games.presenters.cards import face_of
from games.presenters.document import Document
from games.rules import Options
from games.rules.cards import card_from_code
from games.rules.variants import game_of

BOOKS = {"matatu": matatu, "maumau": mau_mau}


def chapter_of(options: Options) -> Document:
    """Return the rules of a table with these options as finished sentences.

    `short`, `paragraphs` and `questions` hold rules as `{"id", "text"}`; an id is game, paragraph
    and running number, the same at every table. What does not hold here is not there.
    """
    book: Any = BOOKS[options.variant]
    return {
        "variant": options.variant,
        "name": sentences.game_name(options.variant),
        "short": _told(book.IN_SHORT, options, "short"),
        "paragraphs": list(_paragraphs(book.PARAGRAPHS, options)),
        "questions": list(_questions(book.QUESTIONS, options)),
        "differences": _house_rules(rules.differences(options)),
    }


def choices_of(variant: str) -> list[Document]:
    """Return every house rule a table may choose instead of the default, by option."""
    defaults = rules.OPTIONS[variant]().to_json()
    return [
        {
            "name": house_rules.name(option),
            "sentences": _distinct(
                house_rules.sentence(option, value) for value in values if value != defaults[option]
            ),
        }
        for option, values in rules.OPTIONS[variant].choices().items()
    ]


def _distinct(texts: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _paragraphs(paragraphs: Sequence[Paragraph], options: Options) -> Iterator[Document]:
    pack = set(game_of(options).pack)
    for paragraph in paragraphs:
        told = _told(paragraph.rules, options, paragraph.id)
        cards = [card_from_code(code) for code in paragraph.cards]
        if told:
            yield {
                "id": paragraph.id,
                "title": _(paragraph.title),
                "rules": told,
                "cards": [face_of(card) for card in cards if card in pack],
                "points": _points(options) if paragraph.id == "points" else [],
            }


def _told(told: Sequence[Rule], options: Options, paragraph: str) -> list[Document]:
    return [
        {"id": f"{options.variant}.{paragraph}.{number}", "text": _text(each, options)}
        for number, each in enumerate(told, start=1)
        if each.holds(options)
    ]


def _text(told: Rule, options: Options) -> str:
    values = options.to_json() | {"most": most_players(options)}
    return _(told.text) % (values | {"n": values.get(told.option)})


def most_players(options: Options) -> int:
    """Return how many can play at a table with these options (MT-1, MT-3, MM-1, MM-3)."""
    return max(n for n in range(2, options.max_seats + 1) if not options.deals_too_many(n))


def _questions(questions: Sequence[Question], options: Options) -> Iterator[Document]:
    for number, question in enumerate(questions, start=1):
        for answer in _told(question.answers, options, f"question-{number}"):
            yield {"question": _(question.text), **answer}


def _house_rules(differences: dict[str, Any]) -> list[Document]:
    return [
        {"name": house_rules.name(option), "text": house_rules.sentence(option, value)}
        for option, value in differences.items()
    ]


# A card of each value, the dearest ranks first; the Ace of spades where it counts otherwise.
_COUNTED = (
    "JK1",
    "2H",
    "AH",
    "AS",
    "KH",
    "QH",
    "JH",
    "10H",
    "9H",
    "8H",
    "7H",
    "6H",
    "5H",
    "4H",
    "3H",
)


def _points(options: Options) -> list[Document]:
    """What each rank counts, by the engine's own table (MT-24)."""
    worth = {code: rules.card_points(options, card_from_code(code)) or 0 for code in _COUNTED}
    pack = set(game_of(options).pack)
    shown = [code for code in _COUNTED if card_from_code(code) in pack]
    if worth["AS"] == worth["AH"]:
        shown.remove("AS")
    return [
        {"card": face_of(card_from_code(code)), "text": sentences.points_text(worth[code])}
        for code in shown
    ]
