"""The operators' view of games: no cards, no states, no seeds."""

from django.contrib import admin
from django.http import HttpRequest

from games.models import Game


@admin.register(Game)
class GameAdmin(admin.ModelAdmin):
    """Only what outsiders could know."""

    list_display = ("id", "variant", "preset", "status", "seat_count", "created_at", "deadline")
    list_filter = ["status", "variant"]
    fields = (
        "variant",
        "preset",
        "options",
        "status",
        "reason",
        "seat_count",
        "created_at",
        "started_at",
        "finished_at",
        "deadline",
    )
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Games are made at the door only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        """Games are changed at the door only."""
        return False

    has_delete_permission = has_change_permission
