"""What a page of rules is made of: rules, the clauses they tell, and where they hold.

Every text is one message of the catalogues: a whole sentence or two. Values of a table are named
placeholders, filled from its options; where another value asks for other words, it is another rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games import house_rules
from games.rules import Options
from games.rules.options import OptionValue


@dataclass(frozen=True)
class Rule:
    """One message, the clauses of the rules it tells, and the options under which it holds.

    `when` maps options to the values for which the message is true; what it does not name does not
    matter. `option` names the option whose value is `%(n)d`.
    """

    text: str
    clauses: tuple[str, ...] = ()
    when: Mapping[str, tuple[OptionValue, ...]] = field(default_factory=dict)
    option: str = ""

    def holds(self, options: Options) -> bool:
        """Whether this is true at a table with these options."""
        return all(getattr(options, name) in values for name, values in self.when.items())


@dataclass(frozen=True)
class Paragraph:
    """Rules about one thing. `id` is its anchor, `cards` are the codes of those pictured."""

    id: str
    title: str
    rules: Sequence[Rule]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """What people ask, and the answers, of which one holds at any table where one is asked it."""

    text: str
    answers: Sequence[Rule]


def rule(text: str, clauses: str = "", **when: OptionValue | tuple[OptionValue, ...]) -> Rule:
    """Make a rule: `rule(text, "MT-7 MM-6", jokers=2, stacking=("mixed", "same_rank"))`."""
    values = {name: v if isinstance(v, tuple) else (v,) for name, v in when.items()}
    return Rule(text, tuple(clauses.split()), values)


def each_value(
    option: str, clauses: str, **when: OptionValue | tuple[OptionValue, ...]
) -> Iterator[Rule]:
    """Yield what the house rules say of each value of an option, so that the words are the same."""
    base = rule("", clauses, **when)
    for text, values in _texts_of(option).items():
        kept = tuple(value for value in values if value in base.when.get(option, values))
        if kept or not values:
            only = {**base.when, option: kept} if kept else base.when
            yield Rule(text, base.clauses, only, option)


def _texts_of(option: str) -> dict[str, tuple[OptionValue, ...]]:
    """Each sentence with the values it serves; a sentence that serves all of them names none."""
    told = house_rules.SENTENCES[option]
    if isinstance(told, str):
        return {told: ()}
    texts: dict[str, tuple[OptionValue, ...]] = {}
    for value, text in told.items():
        texts[text] = (*texts.get(text, ()), value)
    return texts
