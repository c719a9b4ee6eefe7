"""Words as they stand on a line."""

from django import template

register = template.Library()
WORD_JOINER = "\u2060"


@register.filter
def unbroken(text: str) -> str:
    """Return `text` with no line ending after a hyphen: in a title "Mau-Mau" is one word."""
    return text.replace("-", f"-{WORD_JOINER}")
