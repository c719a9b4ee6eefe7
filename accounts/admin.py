"""The moderators' queue and log, and the operators' view of people."""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext, override
from django.utils.translation import gettext_lazy as _

from accounts import moderation
from accounts.guests import suggested_name
from accounts.models import NAME_MAX_LENGTH, Measure, Report, TextReport, User

DAYS = (1, 7, 30)


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """Names and rights; the rest people set themselves, and perhaps while an operator looks.

    Who is staff is a moderator. To rename, mute or suspend is a measure, which is logged.
    """

    list_display = ["name", "email", "language", "is_active", "is_staff", "date_joined"]
    search_fields = ["name", "email"]
    fields = ["name", "email", "language", "time_zone", "is_active", "is_staff", "date_joined"]
    readonly_fields = ["name", "email", "language", "time_zone", "is_active", "date_joined"]

    def save_model(
        self, request: HttpRequest, obj: User, form: forms.ModelForm, change: bool
    ) -> None:
        """Store what the operator has changed and nothing else."""
        obj.save(update_fields=form.changed_data if change else None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody is deleted here: their games would be left without them."""
        return False


class _OfModerators(admin.ModelAdmin):
    """What every moderator may look at, and nobody may change afterwards."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whoever is in here may look."""
        return True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever is in here may look."""
        return True

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Others write them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was said and done stays as it is."""
        return False

    has_delete_permission = has_change_permission


@admin.register(Report)
class ReportAdmin(_OfModerators):
    """The queue: what is open comes first, the oldest on top."""

    list_display = ["created_at", "person", "kind", "note", "by", "settled_at"]
    list_filter = [("settled_at", admin.EmptyFieldListFilter), "kind"]
    search_fields = ["person__name"]
    fields = ["person", "kind", "note", "table", "by", "created_at", "settled_at", "before", "next"]
    readonly_fields = ["before", "next"]

    @admin.display(description=_("What was done before"))
    def before(self, report: Report) -> str:
        """What moderators have done about this person, the latest first."""
        return "\n".join(
            f"{each.created_at:%Y-%m-%d} {each.get_kind_display()}: {each.reason}"
            for each in report.person.measures.all()
        )

    @admin.display(description=_("What is to be done?"))
    def next(self, report: Report) -> str:
        """The way to do something about it."""
        asked = urlencode({"person": report.person_id, "report": report.pk})
        page = f"{reverse('admin:accounts_measure_add')}?{asked}"
        return format_html('<a class="button" href="{}">{}</a>', page, _("Decide"))


def _how_long() -> list[tuple[int, str]]:
    days = [(n, ngettext("1 day", "%(n)d days", n) % {"n": n}) for n in DAYS]
    return [*days, (0, gettext("for good"))]


class MeasureForm(forms.ModelForm):
    """What is done about somebody."""

    days = forms.TypedChoiceField(
        label=_("For how long"), choices=_how_long, coerce=int, required=False, empty_value=None
    )
    new_name = forms.CharField(
        label=_("The new name (else one that says nothing)"),
        max_length=NAME_MAX_LENGTH,
        required=False,
    )

    class Meta:
        model = Measure
        fields = ("person", "report", "kind", "days", "new_name", "reason")
        widgets = {"reason": forms.Textarea({"rows": 3, "cols": 60})}

    def clean_person(self) -> User:
        """Refuse what moderators would do about each other."""
        person: User = self.cleaned_data["person"]
        if person.is_staff or person.leaving:
            raise forms.ValidationError(_("Nothing can be done about this person."))
        return person

    def clean_new_name(self) -> str:
        """Return a name as everybody's is checked, look-alikes too; nothing for none."""
        name = self.cleaned_data["new_name"]
        return str(get_adapter().clean_username(name)) if name else ""

    @property
    def deed(self) -> moderation.Deed:
        """What a valid form asks for."""
        sent = self.cleaned_data
        lasts = timedelta(days=sent["days"]) if sent["days"] else None
        with override(sent["person"].language or None):
            name = sent["new_name"] or suggested_name()
        return moderation.Deed(sent["kind"], sent["reason"], lasts, name)


@admin.register(Measure)
class MeasureAdmin(_OfModerators):
    """The log; to add a line is to do something."""

    form = MeasureForm
    list_display = ["created_at", "person", "old_name", "kind", "until", "reason", "by"]
    list_filter = ["kind"]
    search_fields = ["person__name", "old_name"]
    raw_id_fields = ["person", "report"]

    def get_fields(self, request: HttpRequest, obj: Measure | None = None) -> Any:
        """The form for a new line; all that is known of an old one."""
        if obj is None:
            return ["person", "report", "kind", "days", "new_name", "reason"]
        return ["person", "old_name", "report", "kind", "until", "reason", "by", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever is in here may do something."""
        return True

    def save_model(self, request: HttpRequest, obj: Measure, form: Any, change: bool) -> None:
        """Do it, and let the line be the one that says so."""
        assert isinstance(request.user, User)  # noqa: S101  for the types
        done = moderation.act(request.user, obj.person, form.deed, obj.report)
        obj.pk, obj.created_at = done.pk, done.created_at


@admin.register(TextReport)
class TextReportAdmin(admin.ModelAdmin):
    """What people say about our texts; an operator only notes what is settled."""

    list_display = ["created_at", "language", "page", "text", "better", "settled"]
    list_filter = ["settled", "language"]
    list_editable = ["settled"]
    fields = ["created_at", "language", "page", "text", "better", "settled"]
    readonly_fields = ["created_at", "language", "page", "text", "better"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Readers write them."""
        return False
