"""Sessions in the database, for keys that can be ours."""

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore


class SessionStore(DatabaseStore):
    """Django's, which would ask PostgreSQL for whatever stands in the cookie, a NUL byte too."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and key.isascii() and key.isalnum() and len(key) >= 8
