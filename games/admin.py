"""The operators' view of games: no cards, no states, no seeds."""

from django.contrib import admin

from games.models import Game


@admin.register(Game)
class GameAdmin(admin.ModelAdmin):
    """Only what outsiders could know."""

    list_display = ["id", "variant", "preset", "status", "seat_count", "created_at", "deadline"]
    list_filter = ["status", "variant"]
    fields = readonly_fields = [
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
    ]

    def has_add_permission(self, request) -> bool:
        """Games are made at the door only."""
        return False

    has_delete_permission = has_add_permission

    def has_change_permission(self, request, obj=None) -> bool:
        """Games are changed at the door only."""
        return False
