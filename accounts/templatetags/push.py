"""What a page must know for notices on the device it is read on."""

from django import template

from accounts import push_key as key

register = template.Library()


@register.simple_tag
def push_key() -> str:
    """Return the public key by which push services know this site."""
    return key.public()
