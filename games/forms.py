"""What people send: a new table, a move."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games import rules, sentences


class NewGameForm(forms.Form):
    """Choose a game with its preset and the number of seats."""

    game = forms.ChoiceField(label=_("Game"), widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(
        label=_("Number of players"), choices=[(n, n) for n in range(2, 7)], coerce=int
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [
            (f"{variant}/{preset}", sentences.preset_name(variant, preset))
            for variant, presets in rules.PRESETS.items()
            for preset in presets
        ]

    def clean(self) -> dict:
        """Split the choice into variant and preset; check that so many can sit there."""
        cleaned = super().clean()
        if "game" not in cleaned or "seats" not in cleaned:
            return cleaned
        variant, preset = cleaned["game"].split("/")
        try:
            rules.options_for(variant, rules.PRESETS[variant][preset], cleaned["seats"])
        except rules.OptionError:
            self.add_error("seats", _("There are not enough cards for so many players."))
        return cleaned | {"variant": variant, "preset": preset}


class MoveForm(forms.Form):
    """A move as CONTRACTS section 3 spells it; `.move()` and `.version` once it is valid."""

    version = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    do = forms.ChoiceField(
        choices=[(do, do) for do in ("play", "draw", "pass", "mau", "accuse", "resign")]
    )
    card = forms.CharField(required=False, max_length=3)
    suit = forms.ChoiceField(required=False, choices=[(s, s) for s in rules.SUITS])
    cut = forms.ChoiceField(required=False, choices=[("1", "1")])
    mau = forms.ChoiceField(required=False, choices=[("1", "1")])
    target = forms.IntegerField(required=False, min_value=0, max_value=5)

    def clean(self) -> dict:
        """Read the fields as one move; whatever cannot be one is an error of the form."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        fields = {"do": cleaned["do"]}
        if cleaned["do"] == "play":
            fields |= {key: cleaned[key] for key in ("card", "suit") if cleaned[key]}
            fields |= {key: True for key in ("cut", "mau") if cleaned[key]}
        if cleaned["do"] == "accuse" and cleaned["target"] is not None:
            fields["target"] = cleaned["target"]
        try:
            move = rules.Move.from_json(fields)
        except ValueError:
            raise forms.ValidationError("unreadable") from None
        return cleaned | {"move": move}
