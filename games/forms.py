"""What people send: a new table, a move."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import house_rules, rules, sentences, series
from games.models import Game
from games.rules.cards import SUITS
from games.rules.options import OPTIONS, OptionValue
from games.services import Sought, Terms
from games.services.lobby import USUAL_PRESETS
from games.services.pairing import PACES, options_of

NOT_ENOUGH_CARDS = _("There are not enough cards for so many players.")


def preset_named(name: str) -> tuple[str, str] | None:
    """Return variant and preset of a name like "matatu/rwanda", None if there is no such preset."""
    variant, _, preset = name.partition("/")
    return (variant, preset) if preset in rules.PRESETS.get(variant, {}) else None


def _paces() -> list[tuple[str, str]]:
    """Every pace, the quickest first, in the reader's language."""
    timed = [pace for pace in Game.Pace if pace.seconds]
    return [(pace, sentences.pace(pace.seconds)) for pace in (*timed, Game.Pace.NONE)]


def _access() -> list[tuple[str, str]]:
    return [("0", sentences.access(public=False)), ("1", sentences.access(public=True))]


def _series(variant: str) -> list[tuple[str, str]]:
    """A single game, or several that count together; only Matatu's cards have points (MM-32)."""
    kinds = [kind for kind in series.KINDS if variant == "matatu" or kind != series.POINTS]
    several = [(kind, length) for kind in kinds for length in series.LENGTHS[kind]]
    return [
        ("", str(_("A single game"))),
        *((f"{kind}-{n}", sentences.series(kind, n)) for kind, n in several),
    ]


class NewGameForm(forms.Form):
    """The terms of a new table, for one preset: every option of its game, set as the preset says.

    What is not sent counts as the form shows it at first: two seats alone open a table.
    """

    seats = forms.TypedChoiceField(
        label=_("Number of players"), choices=[(n, n) for n in range(2, 7)], coerce=int
    )
    pace = forms.ChoiceField(label=_("Time per turn"), choices=_paces, required=False)
    series = forms.ChoiceField(label=_("Series"), required=False)
    public = forms.TypedChoiceField(
        label=_("Who can join"),
        choices=_access,
        widget=forms.RadioSelect,
        required=False,
        coerce=lambda sent: sent == "1",
    )

    def __init__(self, variant: str, preset: str, sent: Any = None) -> None:
        """Offer this preset; `sent` is what was posted, or None."""
        super().__init__(
            sent, initial={"seats": 2, "pace": Game.Pace.MINUTE, "series": "", "public": "0"}
        )
        self.variant, self.preset = variant, preset
        self.fields["series"].choices = _series(variant)  # type: ignore[attr-defined]
        promised = OPTIONS[variant]().to_json() | rules.PRESETS[variant][preset]
        for option, values in OPTIONS[variant].choices().items():
            self.fields[option] = _option_field(option, values)
            self.initial[option] = _code(promised[option])

    def main_fields(self) -> list[forms.BoundField]:
        """Return the fields that every game has."""
        return [self[name] for name in self.base_fields]

    def option_fields(self) -> list[forms.BoundField]:
        """Return the fields of the game's options."""
        return [self[name] for name in self.fields if name not in self.base_fields]

    def has_faulty_option(self) -> bool:
        """Return whether an option was refused, so that the page unfolds them."""
        return any(field.errors for field in self.option_fields())

    def clean(self) -> dict[str, Any]:
        """Fill in what was not sent; check that so many can sit there (MT-3, MM-1, MM-3)."""
        chosen = {name: sent for name, sent in self.cleaned_data.items() if sent not in (None, "")}
        self.cleaned_data = {name: self._shown_first(name) for name in self.fields} | chosen
        if not self.errors:
            self._check_seats()
        return self.cleaned_data

    def terms(self) -> Terms:
        """Return what a table is to be opened with; for a form that is valid."""
        chosen = self.cleaned_data
        options = {name: chosen[name] for name in OPTIONS[self.variant].choices()}
        kind, _, length = chosen["series"].partition("-")
        return Terms(
            self.variant,
            self.preset,
            chosen["seats"],
            options,
            chosen["pace"],
            chosen["public"],
            kind,
            int(length or 1),
        )

    def _shown_first(self, name: str) -> Any:
        return self.fields[name].clean(self.initial[name])

    def _check_seats(self) -> None:
        try:
            rules.options_for(self.variant, self.terms().options, self.cleaned_data["seats"])
        except rules.OptionError as refused:
            self.add_error(refused.option or "seats", NOT_ENOUGH_CARDS)


class QuickForm(forms.Form):
    """What somebody would like to play now; `.sought()` once it is valid."""

    game = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [(name, sentences.game_name(name)) for name in USUAL_PRESETS],
    )
    seats = forms.TypedChoiceField(
        label=_("Number of players"), choices=[(n, n) for n in range(2, 7)], coerce=int
    )
    pace = forms.ChoiceField(
        label=_("Time per turn"),
        choices=lambda: [(pace, sentences.pace(pace.seconds)) for pace in PACES],
    )
    bots = forms.TypedChoiceField(
        choices=[("0", ""), ("1", "")], coerce=lambda sent: sent == "1", required=False
    )

    def __init__(self, sent: Any = None) -> None:
        """`sent` is what was posted, or None."""
        first = {"game": "matatu", "seats": 2, "pace": Game.Pace.MINUTE}
        super().__init__(sent, initial=first)

    def clean(self) -> dict[str, Any]:
        """Check that so many can play it."""
        if not self.errors:
            try:
                options_of(self.cleaned_data["game"], self.cleaned_data["seats"])
            except rules.OptionError:
                self.add_error("seats", NOT_ENOUGH_CARDS)
        return self.cleaned_data

    def shown_fields(self) -> list[forms.BoundField]:
        """Return the fields that are filled in; the buttons say the rest."""
        return [self[name] for name in ("game", "seats", "pace")]

    def sought(self) -> Sought:
        """Return what is looked for; for a form that is valid."""
        said = self.cleaned_data
        return Sought(said["game"], said["seats"], said["pace"], bool(said["bots"]))


def _option_field(option: str, values: Sequence[OptionValue]) -> forms.TypedChoiceField:
    """Let people choose among the sentences that explain the values."""
    meant = {_code(value): value for value in values}
    return forms.TypedChoiceField(
        label=house_rules.name(option),
        choices=[(code, house_rules.sentence(option, value)) for code, value in meant.items()],
        widget=forms.RadioSelect,
        required=False,
        coerce=meant.__getitem__,
    )


def _code(value: OptionValue) -> str:
    """How an option's value is written in a form."""
    return str(value).lower()


class MoveForm(forms.Form):
    """A move as CONTRACTS section 3 spells it; `.move()` and `.version` once it is valid."""

    version = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    do = forms.ChoiceField(
        choices=[(do, do) for do in ("play", "draw", "pass", "mau", "accuse", "resign")]
    )
    card = forms.CharField(required=False, max_length=3)
    suit = forms.ChoiceField(required=False, choices=[(s, s) for s in SUITS])
    cut = forms.ChoiceField(required=False, choices=[("1", "1")])
    mau = forms.ChoiceField(required=False, choices=[("1", "1")])
    target = forms.IntegerField(required=False, min_value=0, max_value=5)

    def clean(self) -> dict[str, Any]:
        """Read the fields as one move; whatever cannot be one is an error of the form."""
        if self.errors:
            return self.cleaned_data
        try:
            move = rules.Move.from_json(self._fields_of_the_move())
        except ValueError:
            raise forms.ValidationError("unreadable") from None
        return self.cleaned_data | {"move": move}

    def _fields_of_the_move(self) -> dict[str, Any]:
        """What was sent and belongs to this kind of move."""
        sent = self.cleaned_data
        fields: dict[str, Any] = {"do": sent["do"]}
        if sent["do"] == "play":
            fields |= {key: sent[key] for key in ("card", "suit") if sent[key]}
            fields |= {key: True for key in ("cut", "mau") if sent[key]}
        if sent["do"] == "accuse" and sent["target"] is not None:
            fields["target"] = sent["target"]
        return fields
