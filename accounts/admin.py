"""The operators' view of people."""

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.models import TextReport, User


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """Names and rights; the rest people set themselves, and perhaps while an operator looks."""

    list_display = ["name", "email", "language", "is_active", "is_staff", "date_joined"]
    search_fields = ["name", "email"]
    fields = ["name", "email", "language", "time_zone", "is_active", "is_staff", "date_joined"]
    readonly_fields = ["email", "language", "time_zone", "date_joined"]

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """Store what the operator has changed and nothing else."""
        obj.save(update_fields=form.changed_data if change else None)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody is deleted here: their games would be left without them."""
        return False


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
