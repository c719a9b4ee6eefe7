"""The operators' view of people."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import User


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """Names and rights; passwords are changed by their owners."""

    list_display = ["name", "email", "language", "is_active", "is_staff", "date_joined"]
    search_fields = ["name", "email"]
    fields = ["name", "email", "language", "time_zone", "is_active", "is_staff", "date_joined"]
    readonly_fields = ["date_joined"]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody is deleted here: their games would be left without them."""
        return False
