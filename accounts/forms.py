"""allauth's forms with our own words on their fields."""

from datetime import time
from typing import Any, ClassVar

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as FactorAgainForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from allauth.socialaccount.forms import SignupForm as SocialForm
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction
from django.forms import (
    BooleanField,
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    EmailField,
    Form,
    HiddenInput,
    ModelForm,
    MultipleChoiceField,
    PasswordInput,
    RadioSelect,
    Textarea,
    TextInput,
    TypedChoiceField,
    TypedMultipleChoiceField,
)
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import time_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import channels, endpoints, recovery, zones
from accounts.addresses import is_own_path
from accounts.channels import HOOK
from accounts.lookalikes import skeleton
from accounts.models import NAME_MAX_LENGTH, MailPace, Report, TextReport, User, normal_name
from accounts.quiet_hours import MOST, QuietHours

WAYS = list(channels.CHANNEL_NAMES.items())
LABELS = {
    "username": _("User name"),
    "login": _("User name"),
    "email": _("E-mail address"),
    "password": _("Password"),
    "oldpassword": _("Password"),
    "password1": _("New password"),
    "password2": _("Repeat the password"),
    "remember": _("Remember me"),
    "code": _("Code"),
    "name": _("Name of the passkey"),
}
PASSWORD_HELP = _("At least 8 characters, not only digits, nothing that is easy to guess.")


class _InOurWords:
    """A form of allauth's whose fields are named by LABELS."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)  # the label says it, and stays
        if "password1" in self.fields:
            self.fields["password1"].help_text = PASSWORD_HELP


class _SignsUp(_InOurWords):
    """A form of allauth's that makes a user; an address only for who wants one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address (optional)")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Store the user, or lead the second press of a form to the login.

        The form has been checked, but two presses can pass the check at once: then the
        database lets one of them through, and the other is sent to the login.
        """
        try:
            with transaction.atomic():
                return super().try_save(request)  # type: ignore[misc]
        except IntegrityError:
            return None, redirect("account_login")


class SignupForm(_SignsUp, forms.SignupForm):
    """A name and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password")


class SocialSignupForm(_SignsUp, SocialForm):
    """The name of somebody who signs in by an account elsewhere."""


class LoginForm(_InOurWords, forms.LoginForm):
    """The name and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""  # the page has its own link for a lost password


class AddEmailForm(_InOurWords, forms.AddEmailForm):
    """One more address."""


class ChangePasswordForm(_InOurWords, forms.ChangePasswordForm):
    """The old password and a new one."""


class SetPasswordForm(_InOurWords, forms.SetPasswordForm):
    """A first password makes an account of a guest, who may take another name with it."""

    username = CharField(max_length=NAME_MAX_LENGTH)
    field_order = ("username", "password1")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]  # typed once, as at the sign-up
        self.fields["username"].initial = self.user.name
        self.fields["password1"].label = _("Password")

    def clean_username(self) -> str:
        """Return the name in its normal form; raises ValidationError if it is somebody else's."""
        sent = normal_name(self.cleaned_data["username"])
        mine = self.user.name
        is_mine = sent.lower() == mine.lower() or skeleton(sent) == skeleton(mine)
        return str(get_adapter().clean_username(sent, shallow=is_mine))

    def save(self) -> None:
        """Store name and password; a name that was taken in this very moment is not changed."""
        kept, self.user.name = self.user.name, self.cleaned_data["username"]
        try:
            with transaction.atomic():
                self.user.save(update_fields=["name"])
        except IntegrityError:
            self.user.name = kept
        super().save()


class PasswordForm(Form):
    """The password once more, before something that matters; not of who has none."""

    password = CharField(
        label=_("Password"), widget=PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, user: User, sent: Any = None) -> None:
        """Ask `user`; `sent` is what was posted, or None."""
        super().__init__(sent)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """Return the password if it is the person's; raises ValidationError."""
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise ValidationError(_("This is not your password."), code="wrong")
        return password


class DeleteForm(PasswordForm):
    """The password; who has none says yes."""

    sure = BooleanField(label=_("Yes, delete all of it"))

    def __init__(self, user: User, sent: Any = None) -> None:
        super().__init__(user, sent)
        if user.has_usable_password():
            del self.fields["sure"]


class RecoveryForm(Form):
    """A recovery code; `.person` is whose it is once the form is valid."""

    code = CharField(
        label=_("Recovery code"),
        max_length=60,
        widget=TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    person: User

    def clean_code(self) -> str:
        """Find the person; raises ValidationError for a code that is nobody's."""
        person = recovery.person_of(self.cleaned_data["code"])
        if person is None:
            raise ValidationError(_("This recovery code is not valid."), code="nobody")
        self.person = person
        return str(self.cleaned_data["code"])


TOO_MANY = "too_many"


class NicknameForm(ModelForm):
    """The name of a guest: all that is asked before a first game."""

    class Meta:
        model = User
        fields = ("name",)
        labels: ClassVar = {"name": _("Your name at the table")}

    def clean_name(self) -> str:
        """Return the name in its normal form; raises ValidationError if nobody can have it."""
        return str(get_adapter().clean_username(self.cleaned_data["name"]))

    @property
    def status(self) -> int:
        """The status of an answer that shows this form again."""
        return 429 if self.has_error(NON_FIELD_ERRORS, TOO_MANY) else 400


class LeanSignupForm(NicknameForm):
    """A name, and an address to which a code is mailed; who has a passkey needs none."""

    email = EmailField(label=_("E-mail address"), required=False)

    class Meta(NicknameForm.Meta):
        labels: ClassVar = {"name": LABELS["username"]}


class ResetPasswordForm(_InOurWords, forms.ResetPasswordForm):
    """The address to which a code is sent."""


class ResetPasswordKeyForm(_InOurWords, forms.ResetPasswordKeyForm):
    """A new password, by such a code or a recovery code."""


class ReauthenticateForm(_InOurWords, forms.ReauthenticateForm):
    """The password again, before something that matters."""


class RequestCodeForm(_InOurWords, forms.RequestLoginCodeForm):
    """The address to which a code is sent that signs in: only one that its owner has confirmed.

    Else somebody could make an account with the address of another, who would then play in it.
    """

    _user: User | None

    def clean_email(self) -> str:
        """Return the address, whether somebody has it or not: the page does not tell."""
        email = str(super().clean_email())
        confirmed = EmailAddress.objects.filter(user=self._user, verified=True)
        if not confirmed.filter(email__iexact=email).exists():
            self._user = None
        return email

    @property
    def owner(self) -> User | None:
        """Whose address it is, of a valid form."""
        return self._user


class ConfirmCodeForm(_InOurWords, forms.ConfirmLoginCodeForm):
    """The code that was mailed."""


class ConfirmResetForm(_InOurWords, forms.ConfirmPasswordResetCodeForm):
    """The code that was mailed to who has forgotten the password."""


class ActivateAppForm(_InOurWords, ActivateTOTPForm):
    """A first code of an authenticator app."""


class SecondFactorForm(_InOurWords, AuthenticateForm):
    """A code of the app, or a spare one, after the password."""


class SecondFactorAgainForm(_InOurWords, FactorAgainForm):
    """Such a code again, before something that matters."""


class AddPasskeyForm(_InOurWords, AddWebAuthnForm):
    """A new passkey, which always signs in by itself: it asks for a finger, a face or a PIN."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = CharField(label=LABELS["name"], max_length=40, required=False)
        self.fields["passwordless"].widget = HiddenInput()
        self.fields["passwordless"].initial = True


class RenamePasskeyForm(_InOurWords, EditWebAuthnForm):
    """What a passkey is called."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = CharField(label=LABELS["name"], max_length=40)


class WrongTextForm(ModelForm):
    """The one tap below a page: where it was, and the words that were marked there, if any."""

    class Meta:
        model = TextReport
        fields = ("page", "text")

    def clean_page(self) -> str:
        """Return the page if it is one of this site's paths; raises ValidationError."""
        page = self.cleaned_data["page"]
        if not is_own_path(page):
            raise ValidationError(_("This page is not on this site."), code="foreign")
        return page


class ReportForm(Form):
    """What somebody says against one of these people."""

    person = TypedChoiceField(label=_("Who is it about?"), widget=RadioSelect)
    kind = ChoiceField(label=_("What is wrong?"), choices=Report.Kind.choices, widget=RadioSelect)
    note = CharField(
        label=_("What we should know"),
        max_length=500,
        required=False,
        widget=Textarea({"rows": 3}),
    )

    def __init__(self, people: list[User], sent: Any = None) -> None:
        """Ask about `people`; `sent` is what was posted, or None."""
        super().__init__(sent, initial={"person": people[0].pk} if len(people) == 1 else None)
        by_key = {str(each.pk): each for each in people}
        field: Any = self.fields["person"]
        field.choices = [(key, each.name) for key, each in by_key.items()]
        field.coerce = by_key.get


class BetterTextForm(ModelForm):
    """What more a reader can say about the report that the tap has made."""

    class Meta:
        model = TextReport
        fields = ("text", "better")
        labels: ClassVar = {
            "text": _("Which text is wrong?"),
            "better": _("How should it read?"),
        }
        widgets: ClassVar = {"text": Textarea({"rows": 2}), "better": Textarea({"rows": 2})}


class SettingsForm(ModelForm):
    """What people set for themselves.

    Each field brings along what it was when the page was read, so that only what was changed there
    is stored: what another tab has set meanwhile stays.
    """

    class Meta:
        model = User
        fields = (
            "sort_hand",
            "slip_guard",
            "four_colours",
            "left_handed",
            "letter_keys",
            "sounds",
            "vibration",
            "voice",
            "time_zone",
            "quiet_from",
            "quiet_until",
            "holidays_by_themselves",
            "mail_turns",
        )
        widgets: ClassVar = dict.fromkeys(("sort_hand", "slip_guard", "voice"), RadioSelect)

    time_zone = ChoiceField(label=_("Time zone"), required=False)
    quiet_from = TypedChoiceField(label=_("Quiet hours begin"), coerce=int)
    quiet_until = TypedChoiceField(label=_("Quiet hours end"), coerce=int)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["time_zone"].choices = [("", _("As this device says"))]
        fields["time_zone"].choices += [(name, name) for name in zones.names()]
        for name in ("quiet_from", "quiet_until"):
            fields[name].choices = [(hour, time_format(time(hour))) for hour in range(24)]
        fields["quiet_until"].help_text = _(
            "No notice disturbs you then, and your clock stands still at tables where a turn has "
            "an hour or more: at most %(n)d hours a day, from your next turn on. The same hour "
            "twice means none."
        ) % {"n": MOST}
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        """Refuse a night that is longer than others have to wait."""
        cleaned = super().clean() or self.cleaned_data
        hours = QuietHours("UTC", cleaned.get("quiet_from", 0), cleaned.get("quiet_until", 0)).hours
        if hours > MOST:
            self.add_error("quiet_until", _("Quiet hours are at most %(n)d a day.") % {"n": MOST})
        return cleaned

    def store(self) -> None:
        """Store what was changed on this page; for a form that is valid."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data}
        User.objects.filter(pk=self.instance.pk).update(**changed)


class NoticesForm(Form):
    """By which ways a person is told what, and how often; like the settings it stores only what
    was changed on its page."""

    mail_pace = ChoiceField(
        label=_("How often mails may come"), choices=MailPace.choices, widget=RadioSelect
    )
    reminders = TypedMultipleChoiceField(
        label=_("Remind me when so much of my turn is over"),
        coerce=int,
        widget=CheckboxSelectMultiple,
        required=False,
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        fields: dict[str, Any] = self.fields
        fields["mail_pace"].initial = user.mail_pace
        fields["reminders"].initial = user.reminders
        fields["reminders"].choices = [(part, _percent(part)) for part in channels.PARTS]
        # Few have webhooks: who has none is not asked about them, and the choice stays as it is.
        self.unasked = set() if endpoints.of(user, HOOK).exists() else {HOOK}
        for kind, name in channels.NAMES.items():
            fields[kind] = MultipleChoiceField(
                label=name,
                choices=[(way, shown) for way, shown in WAYS if way not in self.unasked],
                initial=[way for way in channels.ways_of(user, kind) if way not in self.unasked],
                widget=CheckboxSelectMultiple,
                required=False,
            )
        for field in fields.values():
            field.show_hidden_initial = True

    def store(self) -> None:
        """Store what was changed on this page; for a form that is valid."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data}
        with transaction.atomic():
            user = User.objects.select_for_update(no_key=True).get(pk=self.user.pk)
            kinds = {
                kind: [*changed.pop(kind), *self.unasked.intersection(channels.ways_of(user, kind))]
                for kind in list(changed)
                if kind in channels.NAMES
            }
            changed["channels"] = user.channels | kinds
            User.objects.filter(pk=user.pk).update(**changed)


def _percent(part: int) -> str:
    return gettext("%(n)d %%") % {"n": part}
