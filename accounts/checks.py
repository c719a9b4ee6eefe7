"""What `manage.py check --deploy` asks beside Django's own questions."""

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register(checks.Tags.urls, deploy=True)
def links_lead_to_the_site(app_configs: Any, **_options: Any) -> list[checks.Warning]:
    """A warning if SITE_URL is not an https address: a worker has no request to take it from, and
    what it writes would lead nowhere."""
    if settings.SITE_URL.startswith("https://"):
        return []
    hint = "Set SITE_URL to what the site's addresses begin with: https://..."
    return [
        checks.Warning("Links in mails and notices lead nowhere.", hint=hint, id="accounts.W001")
    ]


@checks.register(checks.Tags.urls, deploy=True)
def somebody_is_responsible(app_configs: Any, **_options: Any) -> list[checks.Warning]:
    """A warning if nobody stands in the imprint."""
    if settings.OPERATOR["name"]:
        return []
    hint = "Set OPERATOR_NAME, OPERATOR_ADDRESS and OPERATOR_EMAIL."
    return [checks.Warning("The imprint names nobody.", hint=hint, id="accounts.W002")]
