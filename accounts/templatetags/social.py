"""The accounts elsewhere by which one can sign in here."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def social_logins() -> list[dict[str, str]]:
    """Return `id` and `name` of each, in the operator's order; none where none is configured."""
    return [{"id": each["id"], "name": each["name"]} for each in settings.SOCIAL_LOGINS]
