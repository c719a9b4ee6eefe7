"""What people send: a new table, a move."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import rules, sentences
from games.rules.cards import SUITS


def _presets() -> list[tuple[str, str]]:
    """Every preset as a choice: "matatu/rwanda" and its name in the reader's language."""
    return [
        (f"{variant}/{preset}", sentences.preset_name(variant, preset))
        for variant, presets in rules.PRESETS.items()
        for preset in presets
    ]


class NewGameForm(forms.Form):
    """Choose a game with its preset and the number of seats."""

    game = forms.ChoiceField(label=_("Game"), choices=_presets, widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(
        label=_("Number of players"), choices=[(n, n) for n in range(2, 7)], coerce=int
    )

    def clean(self) -> dict[str, Any]:
        """Split the choice into variant and preset; check that so many can sit there."""
        if self.errors:
            return self.cleaned_data
        variant, preset = self.cleaned_data["game"].split("/")
        try:
            rules.options_for(variant, rules.PRESETS[variant][preset], self.cleaned_data["seats"])
        except rules.OptionError:
            self.add_error("seats", _("There are not enough cards for so many players."))
        return self.cleaned_data | {"variant": variant, "preset": preset}


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
