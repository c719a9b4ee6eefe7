"""In which browsers a person is signed in (allauth.usersessions), and how guests come in."""

from collections.abc import Iterable

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth import login
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from accounts import devices
from accounts.models import User
from accounts.sessions import SessionStore

# What a browser calls itself by, the more special first: most say they are Safari, too.
PROGRAMS = {
    "Opera Mini": "Opera Mini",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Edg": "Edge",
    "WhatsApp": "WhatsApp",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign `user` in, in this browser, and have it listed among theirs."""
    login(request, user)
    enlist(request)


def enlist(request: HttpRequest) -> None:
    """List this browser among those of whoever is signed in; twice is once."""
    UserSession.objects.create_from_request(request)


def name_of(user_agent: str) -> str:
    """Return what people call a browser: "Chrome · Android"; nothing for what is not known."""
    names = (
        next((name for sign, name in known.items() if sign in user_agent), "")
        for known in (PROGRAMS, SYSTEMS)
    )
    return " · ".join(filter(None, names))


def forget(request: HttpRequest) -> None:
    """List this browser no longer; before its session ends."""
    UserSession.objects.filter(session_key=request.session.session_key).delete()


def forget_ended() -> int:
    """Delete the sessions that have run out, and from the lists all that are none any more.

    Returns how many were listed.
    """
    SessionStore.clear_expired()
    ended = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    return ended.delete()[0]


class SessionsAdapter(DefaultUserSessionsAdapter):
    """A browser that is signed out from elsewhere shows no notices any more either."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """End these sessions; their sockets find out by themselves."""
        for session in sessions:
            devices.forget_of_session(session.session_key, session.user_id)
        super().end_sessions(sessions)
