"""The admin as an application of its own: behind a second factor (accounts/operators.py)."""

from django.contrib.admin.apps import AdminConfig


class OperatorsConfig(AdminConfig):
    """Django's admin with our site."""

    default_site = "accounts.operators.OperatorsSite"
