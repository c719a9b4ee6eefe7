"""Sessions in the database, for keys that can be ours."""

from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest


class SessionStore(DatabaseStore):
    """Django's, which would ask PostgreSQL for whatever stands in the cookie, a NUL byte too."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and key.isascii() and key.isalnum() and len(key) >= 8


def is_still_signed_in(key: str | None) -> bool:
    """Return whether the session of this key signs somebody in as of now: not if it was ended, the
    password was changed elsewhere, or the person may not use the site any more."""
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request).is_authenticated
