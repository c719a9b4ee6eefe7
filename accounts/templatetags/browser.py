"""What people call their browsers."""

from django import template

from accounts import browsers

register = template.Library()
register.filter("browser_name", browsers.name_of)
