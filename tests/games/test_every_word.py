"""No word on any page, in any mail, refusal or told move stands outside a translatable message."""

import html
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
import requests
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.socialaccount.models import SocialAccount
from django.conf import settings as site
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver
from django.utils import translation
from icalendar import Calendar

from accounts import delivery, mailing, moderation, push_key, recovery, ties, zones
from accounts.models import Notice, User
from accounts.tasks import deliver_notices
from games import clock, house_rules, rules, sentences, series, services
from games.bots import LEVELS
from games.models import Game, Seek
from games.notices import KINDS
from games.presenters import deadlines
from games.rules.options import OPTIONS
from games.services.pairing import ALIVE
from tests.games.playing import fields_of, first_move, person_in_turn
from tests.games.test_sentences import GAMES, NAMES, REFUSALS
from tests.identity import named, provider
from tests.live import empty_cache
from tests.marked import LANGUAGE, spoken, unmarked, write_catalogue
from tests.passkeys import Passkey, options_of

RESIGN = rules.Move("resign")
PASSWORD = "a long pass phrase"
PEOPLE = ("Alice", "Bob", "Charlie", "Newcomer", "alice@example.com", "newcomer@example.com")
EXAMPLES = ("Keza", "Mugisha", "Uwase", "Ineza")  # who sits at the tables of the examples
A_CODE = re.compile(r"^[A-Z0-9-]{5,9}$", re.MULTILINE)  # that is mailed
NO_PAGES = {
    "manifest",  # for programs, too
    "service_worker",
    "replay_picture",  # without words
    "invitation_picture",
    "invitation_qr",
    "record",  # JSON, for programs
    "personal_data",  # likewise
    "calendar",  # likewise; its words are looked at on their own
    "set_language",  # leads back to the page
    "set_light",
    "mfa_list_webauthn",  # leads back to the other ways to sign in
    "mfa_login_webauthn",  # JSON, and back to the login
    "mfa_download_recovery_codes",  # digits alone
}


@pytest.fixture(autouse=True)
def marked_language(settings, tmp_path):
    """Kinyarwanda in marks for the time of a test."""
    write_catalogue(tmp_path)
    (tmp_path / "reviews.tsv").write_text(
        "language\ton\tby\tmessages\nzu\t2026-12-03\tNewcomer\t9\n"
    )
    settings.LOCALE_PATHS = [tmp_path]
    settings.SITE_URL = "https://ikarita.example"


def test_the_marks_find_what_is_no_message():
    page = "<p>⟦You and ⟦Bob⟧⟧ Alice 3<img alt='cat'><script>x</script><a title='⟦x⟧'>A</a></p>"
    assert unmarked(spoken(page), ["Alice"]) == ["cat"]


class Reader:
    """A person's browser that reads every answer for words outside marks."""

    def __init__(self, seen: set[str], person: User | None = None) -> None:
        self.client = Client()
        self.seen = seen
        self.faults: list[str] = []
        if person:
            self.client.force_login(person)

    def get(self, path: str, status: int = 200):
        return self._read(path, self.client.get(f"/{LANGUAGE}/{path}"), status)

    def post(self, path: str, sent: dict | None = None, status: int = 200):
        return self._read(path, self.client.post(f"/{LANGUAGE}/{path}", sent or {}), status)

    def _read(self, path: str, answer, status: int):
        assert answer.status_code == status, (path, answer.status_code, answer.text[:600])
        with suppress(Resolver404):
            self.seen.add(answer.resolver_match.url_name or "")
        words = unmarked(spoken(answer.text), (*PEOPLE, *EXAMPLES, *zones.names()))
        self.faults += [f"{path}: {text}" for text in words if not _is_data(text)]
        return answer


def _is_data(text: str) -> bool:
    """Whether this is a code of a table or a person, a seed or commitment, or the name of a
    browser or another site."""
    return text in ("Chrome · Android", "Elsewhere") or bool(
        re.fullmatch(
            r"[A-Z0-9]{6}|[A-Z0-9]{3}(-[A-Z0-9]{3}){6}|[0-9a-f]{64}|\d{8}|[A-Z2-7]{32}", text
        )
    )


@pytest.fixture
def readers(alice, bob, charlie) -> dict[str, Reader]:
    seen: set[str] = set()
    people = {"alice": alice, "bob": bob, "charlie": charlie, "nobody": None}
    return {name: Reader(seen, person) for name, person in people.items()}


def test_every_page_and_every_answer_to_a_form(readers, alice, bob, mailoutbox, full):
    nobody, someone, other = readers["nobody"], readers["alice"], readers["charlie"]
    read_without_an_account(nobody)
    read_about_oneself(someone, alice)
    read_lobbies(someone, readers["bob"], other, nobody)
    read_quick(nobody, someone, readers["bob"])
    read_games(readers, full=full)
    read_a_series(readers)
    read_rules(nobody, other)
    read_allauth(readers, alice, mailoutbox)
    read_mails(readers["alice"], alice, bob, mailoutbox)
    faults = [fault for reader in readers.values() for fault in reader.faults]
    assert "\n".join(sorted(set(faults))) == ""
    assert set(_names(get_resolver())) - readers["nobody"].seen - NO_PAGES == set()


def _names(resolver: URLResolver) -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield from [each.name] if each.name else []
        elif each.app_name != "admin":
            yield from _names(each)


def read_without_an_account(reader: Reader) -> None:
    for path in ("", "lobbies/", "offline/", "languages/", "accounts/login/", "accounts/signup/"):
        reader.get(path)
    for page in ("privacy", "terms", "imprint"):
        reader.get(f"about/{page}/")
    reader.get("no/such/page/", 404)
    reader.get("join/?code=BCDFGH", 404)
    reader.get("accounts/inactive/")
    reader.get("accounts/password/reset/")
    reader.get("accounts/password/reset/done/")
    reader.get("accounts/password/reset/key/done/")
    reader.get("accounts/confirm-email/")
    reader.get("accounts/confirm-email/wrong/")
    reader.get("accounts/password/reset/key/1-wrong/")
    for sent in ({"game": "chess"}, {"game": "matatu"}, {"game": "matatu", "name": "a/b"}):
        reader.post("play/", sent, 400)
    reader.get("play/")
    reader.post("languages/report/", {"page": "/rw/"})
    reader.post("languages/report/", {"page": "//evil.test"}, 400)
    bad = {"username": "", "password1": ""}
    reader.post("accounts/signup/", bad)
    for name in ("x", "a" * 30, "a/b", "Ro\u043ea", "Alice"):
        for password in ("123", "12345678", "password", name):
            sent = {"username": name, "password1": password, "email": "no address"}
            reader.post("accounts/signup/", sent)
    reader.post("accounts/login/", {"login": "", "password": ""})
    reader.post("accounts/login/", {"login": "Alice", "password": "wrong"})
    reader.post("accounts/password/reset/", {"email": "no address"})
    reader.post("accounts/password/reset/", {"email": ""})
    strict = Reader(reader.seen)
    strict.client = Client(enforce_csrf_checks=True)
    strict.post("accounts/login/", {"login": "Alice", "password": "wrong"}, 403)
    reader.faults += strict.faults


def read_about_browsers(reader: Reader, person: User) -> None:
    """The list of browsers, with two of them, and the page after one was signed out."""
    for agent in ("", "Mozilla/5.0 (Linux; Android 10) Chrome/120.0"):
        sent = {"login": person.name, "password": PASSWORD}
        Client(headers={"user-agent": agent}).post("/en/accounts/login/", sent)
    reader.get("accounts/sessions/")
    reader.post("accounts/sessions/", {}, 302)
    reader.get("accounts/sessions/")


def read_about_friends(reader: Reader, person: User) -> None:
    """The page with each kind of people on it, and what is said of a wrong name."""
    bob, charlie = User.objects.get(name="Bob"), User.objects.get(name="Charlie")
    reader.get("friends/")
    ties.ask(bob, person)
    for path in ("accounts/inbox/", "accounts/notices/sent/", "games/", "friends/"):
        reader.get(path)
    for do in ("ask", "block"):
        reader.post("friends/", {"do": do, "name": "Bob"}, 302)
        ties.ask(person, charlie)
        reader.get("friends/")
    reader.post("friends/", {"do": "ask", "name": "Nobody"}, 404)
    reader.post("friends/", {"do": "marry", "name": "Bob"}, 400)
    for other in (bob, charlie):
        ties.part(person, other)


def read_about_factors(seen: set[str]) -> None:
    """The ways to sign in beside a password: none yet, each of them, and what is asked for them."""
    person = User.objects.create_user("Newcomer", password=PASSWORD)
    reader = Reader(seen, person)
    reader.get("accounts/2fa/")
    reader.get("accounts/2fa/totp/activate/", 302)
    reader.get("accounts/reauthenticate/")
    reader.post("accounts/reauthenticate/", {"password": PASSWORD}, 302)
    page = reader.get("accounts/2fa/webauthn/add/")
    reader.post("accounts/2fa/webauthn/add/", {"credential": "{}"})
    reader.get("accounts/2fa/totp/activate/")
    reader.post("accounts/2fa/totp/activate/", {"code": "1"})
    totp.TOTP.activate(person, totp.generate_totp_secret())
    RecoveryCodes.activate(person)
    made = Passkey().create(options_of(page.text)["creation_options"])
    data = {"name": "Newcomer", "credential": made}
    passkey = Authenticator.objects.create(user=person, type="webauthn", data=data)
    reader.get("accounts/2fa/")
    reader.get("accounts/2fa/totp/deactivate/")
    reader.get("accounts/2fa/recovery-codes/")
    reader.get("accounts/2fa/recovery-codes/generate/")
    for page in ("remove", "edit"):
        reader.get(f"accounts/2fa/webauthn/keys/{passkey.pk}/{page}/")
    reader.post("accounts/2fa/recovery-codes/generate/", {}, 302)
    reader.get("accounts/2fa/")
    reader.get("accounts/2fa/reauthenticate/")
    reader.get("accounts/2fa/webauthn/reauthenticate/")
    reader.post("accounts/2fa/reauthenticate/", {"code": "1"})
    read_a_second_step(seen, person)
    reader.post(f"accounts/2fa/webauthn/keys/{passkey.pk}/remove/", {}, 302)
    reader.post("accounts/2fa/totp/deactivate/", {}, 302)
    reader.get("accounts/2fa/")
    assert reader.faults == []
    person.delete()


def read_a_second_step(seen: set[str], person: User) -> None:
    """What is read on the way in: by a password and a code, and by a mailed code."""
    reader = Reader(seen)
    reader.post("accounts/login/", {"login": person.name, "password": PASSWORD}, 302)
    reader.get("accounts/2fa/authenticate/")
    reader.post("accounts/2fa/authenticate/", {"code": "1"})
    reader.post("accounts/2fa/authenticate/", {"credential": "{}"})
    reader = Reader(seen)
    reader.get("accounts/signup/without-password/")
    for sent in ({}, {"by": "passkey"}, {"name": "Newcomer", "email": "x"}):
        reader.post("accounts/signup/without-password/", sent, 400)
    reader.get("accounts/login/code/")
    reader.post("accounts/login/code/", {"email": "no address"})
    reader.post("accounts/login/code/", {"email": "newcomer@example.com"}, 302)
    reader.get("accounts/login/code/confirm/")
    reader.post("accounts/login/code/confirm/", {"code": "1"})
    EmailAddress.objects.create(user=person, email="newcomer@example.com", verified=True)
    by_mail = Reader(seen, person)
    by_mail.get("accounts/reauthenticate/code/")
    by_mail.post("accounts/reauthenticate/code/", {"recipient": "newcomer@example.com"}, 302)
    by_mail.get("accounts/reauthenticate/code/confirm/")
    assert reader.faults + by_mail.faults == []


def read_about_moderation(reader: Reader, person: User) -> None:
    """What is said against somebody, and all that can be done about them, as they read it."""
    bob = User.objects.get(name="Bob")
    reader.get("report/Bob/")
    reader.post("report/Bob/", {"person": "0"}, 400)
    reader.post("report/Bob/", {"person": bob.pk, "kind": "name"}, 302)
    reader.get("friends/")
    reader.get("accounts/measures/")
    for kind in moderation.SENTENCES:
        for days in (None, 1):
            lasts = timedelta(days) if days else None
            deed = moderation.Deed(kind, "[Newcomer]", lasts, person.name)
            moderation.act(bob, person, deed)
            if kind == "mute":
                reader.post("friends/", {"do": "ask", "name": "Bob"}, 403)
            if kind == "suspend":
                sent = {"login": person.name, "password": PASSWORD}
                Reader(reader.seen).post("accounts/login/", sent, 403)
                moderation.act(bob, person, moderation.Deed("lift", "[Newcomer]"))
    reader.client.force_login(person)
    for path in ("accounts/inbox/", "accounts/measures/", "accounts/settings/"):
        reader.get(path)
    seat = services.create(person, services.Terms("matatu", "rwanda", 2, pace="1d"))
    reader.get(f"games/{seat.pk}/report/")
    services.join(bob, seat.pk)
    reader.get(f"games/{seat.pk}/report/")
    reader.post(f"games/{seat.pk}/report/", {"person": bob.pk, "kind": "play"}, 302)
    reader.get("games/")
    services.act(person, seat.pk, rules.Move("resign"), Game.objects.get(pk=seat.pk).version)


def read_a_recovery(seen: set[str], guest: User) -> None:
    """What somebody reads who comes back by a code: wrong, right, and with a password."""
    reader = Reader(seen)
    reader.post("accounts/recover/", {"code": "ABC"}, 400)
    reader.post("accounts/recover/", {"code": recovery.make_code(guest)}, 302)
    reader.get("games/")
    other = User.objects.create_user("Other", password=PASSWORD)
    reader.post("accounts/recover/", {"code": recovery.make_code(other)}, 302)
    reader.get("accounts/password/reset/key/1-wrong/")
    assert reader.faults == []


def read_about_accounts_elsewhere(reader: Reader, person: User) -> None:
    """Signing in by one for the first time, connecting one, and all that can go wrong."""
    login, callback = "accounts/oidc/elsewhere/", "/oidc/elsewhere/callback/"
    newcomer, other = Reader(reader.seen), Reader(reader.seen, User.objects.get(name="Bob"))

    def come_back(who: Reader, process: str) -> None:
        there = who.post(f"{login}?process={process}", status=302)["Location"]
        back = requests.get(there, allow_redirects=False, timeout=5).headers["Location"]
        who.seen.add("openid_connect_callback")
        assert who.client.get(f"{callback}?{urlsplit(back).query}").status_code == 302

    with provider() as server, named(server):
        newcomer.get("about/privacy/")
        for path in ("login/", "signup/", "3rdparty/login/cancelled/"):
            newcomer.get(f"accounts/{path}")
        newcomer.get("accounts/3rdparty/login/error/", 401)
        newcomer.get(login)
        come_back(newcomer, "login")
        newcomer.get("accounts/3rdparty/signup/")
        newcomer.post("accounts/3rdparty/signup/", {"username": "Bob", "email": "x"})
        newcomer.post("accounts/3rdparty/signup/", {"username": "Nyamurasa"}, 302)
        newcomer.get("accounts/3rdparty/")
        newcomer.post("accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
        come_back(other, "connect")
        other.get("accounts/3rdparty/")
        server.person = "1002"
        come_back(other, "connect")
        other.get("accounts/2fa/")
        other.get("accounts/3rdparty/")
        mine = SocialAccount.objects.get(uid="1002")
        other.post("accounts/3rdparty/", {"account": mine.pk})
        server.is_broken = True
        other.post(f"{login}?process=connect", status=502)
    reader.faults += newcomer.faults + other.faults


def read_about_oneself(reader: Reader, person: User) -> None:
    reader.get("accounts/password/set/")
    reader.post("accounts/password/set/", {"username": "Bob", "password1": "1"})
    reader.get("accounts/delete/")
    reader.post("accounts/delete/", {}, 400)
    reader.get("accounts/recovery/")
    reader.post("accounts/recovery/")
    reader.get("accounts/recovery/")
    reader.get("accounts/recover/")
    reader.get("accounts/logout/")
    read_a_recovery(reader.seen, person)
    person.set_password(PASSWORD)
    person.save()
    reader.client.force_login(person)
    for path in ("games/", "accounts/inbox/", "accounts/email/", "accounts/password/change/"):
        reader.get(path)
    reader.get(f"players/{person.name}/")
    read_about_friends(reader, person)
    read_about_browsers(reader, person)
    read_about_factors(reader.seen)
    read_about_moderation(reader, person)
    read_about_accounts_elsewhere(reader, person)
    reader.get("accounts/delete/")
    reader.post("accounts/delete/", {"password": "wrong"}, 400)
    reader.get("accounts/recovery/")
    reader.post("accounts/recovery/", {"password": "wrong"}, 400)
    reader.get("accounts/settings/")
    reader.post("accounts/settings/", {"voice": "loud"}, 400)
    chosen = {"sort_hand": "rank", "slip_guard": "always", "voice": "mine"}
    reader.post("accounts/settings/", chosen, 400)
    chosen |= {"quiet_from": "20", "quiet_until": "8"}
    reader.post("accounts/settings/", chosen, 400)
    reader.post("accounts/settings/", chosen | {"quiet_until": "6"}, 302)
    reader.get("accounts/notices/")
    reader.post("accounts/notices/", {"mail_pace": "yearly", "turn": ["carrier pigeon"]}, 400)
    reader.post("accounts/notices/", {"mail_pace": "daily", "turn": ["mail"]}, 302)
    reader.get("accounts/notices/")
    for make in ("1", "0"):
        reader.post("accounts/notices/calendar/", {"make": make}, 302)
        reader.get("accounts/notices/")
    reader.get("accounts/notices/sent/")
    reader.post("accounts/notices/test-mail/", status=302)  # there is no address yet
    reader.get("accounts/notices/sent/")
    read_about_places(reader, person)
    for go in ("1", "0"):
        reader.post("holiday/", {"go": go}, 302)
        reader.get("games/")
    reader.get(f"accounts/mail-off/{mailing.off_token(person)}/")
    reader.post(f"accounts/mail-off/{mailing.off_token(person)}/")
    reader.post("accounts/mail-off/1:forged/", status=404)
    reader.get("accounts/logout/")
    for sent in ({}, {"oldpassword": "wrong", "password1": "1", "password2": "2"}):
        reader.post("accounts/password/change/", sent)


def read_lobbies(host: Reader, guest: Reader, other: Reader, nobody: Reader) -> None:
    for variant, presets in rules.PRESETS.items():
        for preset in presets:
            host.get(f"lobbies/new/?game={variant}/{preset}")
    host.post("lobbies/new/", {"game": "chess/blitz"}, 400)
    wrong = {"game": "matatu/rwanda", "seats": "99", "pace": "1y", "hand_size": "x", "cut": "?"}
    host.post("lobbies/new/", wrong, 400)
    host.post(
        "lobbies/new/", {"game": "matatu/rwanda", "seats": "2", "public": "1", "pace": "none"}, 400
    )
    sent = {"game": "maumau/deutsch", "seats": "4", "pace": "1d", "public": "1"}
    host.post("lobbies/new/", sent, 302)
    game = Game.objects.get(public=True)
    for reader in (host, guest, other):
        reader.get("lobbies/")
        reader.get(f"games/{game.pk}/")
        reader.get("games/")
    nobody.get(f"join/{game.code}/")
    nobody.post(f"join/{game.code}/", {"name": "Alice"}, 400)
    guest.get(f"join/{game.code}/")
    guest.post(f"join/{game.code}/", status=302)
    guest.post(f"games/{game.pk}/start/", status=409)
    guest.post(f"games/{game.pk}/watching/", {"allowed": "0"}, 409)
    for allowed in ("0", "1"):
        host.post(f"games/{game.pk}/watching/", {"allowed": allowed}, 302)
        host.get(f"games/{game.pk}/")
    host.post(f"games/{game.pk}/bots/", {"level": "?"}, 400)
    host.post(f"games/{game.pk}/remove/", {"seat": "?"}, 400)
    for level in LEVELS:
        host.post(f"games/{game.pk}/bots/", {"level": level}, 302)
    other.get(f"join/{game.code}/")
    other.post(f"join/{game.code}/", status=409)
    other.get(f"games/{game.pk}/")
    guest.post(f"games/{game.pk}/leave/", status=409)
    lonely = services.create(User.objects.get(name="Alice"), services.Terms("matatu", "rwanda", 2))
    host.post(f"games/{lonely.pk}/start/", status=409)
    host.post(f"games/{lonely.pk}/invite/", {"name": "?"}, 409)
    host.post(f"games/{lonely.pk}/invite/", {"name": "Bob"}, 302)
    host.get(f"games/{lonely.pk}/")
    services.leave(User.objects.get(name="Bob"), lonely.pk)
    host.post(f"games/{lonely.pk}/leave/", status=302)
    host.get(f"games/{lonely.pk}/", 404)
    host.get(f"join/{lonely.code}/")


def read_quick(nobody: Reader, one: Reader, another: Reader) -> None:
    """Looking for players: asked, wrong, waiting without bots and with, away, and at once."""
    nobody.get("quick/")
    nobody.post("quick/", {"game": "chess", "seats": "99"}, 400)
    sought = {"game": "matatu", "seats": "3", "pace": "60s"}
    nobody.post("quick/", sought | {"name": "Alice"}, 400)
    for bots in ("0", "1"):
        one.post("quick/", sought | {"bots": bots}, 302)
        one.get("quick/")
        another.get("quick/")
    Seek.objects.update(seen_at=clock.now() - ALIVE)
    one.get("quick/")
    for reader in (one, another):
        reader.post("quick/", sought | {"seats": "2", "bots": "0"}, 302)
    one.post("quick/", {"do": "stop"}, 302)
    one.post("quick/", sought, 409)  # awaited at the table of before
    one.get(f"games/{Seek.objects.first().game_id}/")
    Game.objects.filter(seek__isnull=False).delete()


def read_a_series(readers: dict[str, Reader]) -> None:
    """Both kinds, from the first game to the one after a deciding one."""
    alice, bob = (User.objects.get(name=name) for name in ("Alice", "Bob"))
    for kind, losers in ((series.WINS, [alice, bob, alice]), (series.POINTS, [bob] * 3)):
        terms = services.Terms("matatu", "rwanda", 2, pace="1h", public=True, series=kind, length=3)
        game_id = services.create(alice, terms).pk
        services.join(bob, game_id)
        for loser in losers:
            for reader in readers.values():
                reader.get(f"games/{game_id}/")
            version = Game.objects.get(pk=game_id).version
            services.act(loser, game_id, RESIGN, version)
            for reader in readers.values():
                reader.get(f"games/{game_id}/")
            services.rematch(bob, game_id)
            game_id = services.rematch(alice, game_id)
        Game.objects.filter(pk=game_id).update(series_game=4)
        readers["bob"].get(f"games/{game_id}/")
        services.act(bob, game_id, RESIGN, 1)


def read_games(readers: dict[str, Reader], *, full: bool) -> None:
    """Play a game of every preset, reading the table of both sides and of a watcher."""
    alice, bob = (User.objects.get(name=name) for name in ("Alice", "Bob"))
    by_user = {alice.pk: readers["alice"], bob.pk: readers["bob"]}
    for variant, presets in rules.PRESETS.items():
        for preset in presets:
            empty_cache()  # nobody may move so often
            terms = services.Terms(variant, preset, 2, pace="1h", public=True)
            game = services.create(alice, terms)
            services.join(bob, game.pk)
            game.refresh_from_db()
            play_and_read(game, by_user, readers["charlie"], full=full)
    read_about_time(by_user, readers["charlie"])


def read_about_time(by_user: dict[int, Reader], watcher: Reader) -> None:
    """A table of days: nights, a holiday, a line that failed, a vote about who is absent."""
    alice, bob = (User.objects.get(pk=pk) for pk in by_user)
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1d", public=True))
    services.join(bob, game.pk)
    game.refresh_from_db()
    mover = by_user[person_in_turn(game).pk]
    everybody = [*by_user.values(), watcher]
    mover.post("holiday/", {"go": "1"}, 302)
    _read_all_at(game, everybody)
    mover.post("holiday/", {"go": "0"}, 302)
    Game.objects.filter(pk=game.pk).update(night=["UTC", (clock.now().hour - 1) % 24, 9])
    _read_all_at(game, everybody)
    Game.objects.filter(pk=game.pk).update(night=None)
    mover.post(f"games/{game.pk}/line/", status=302)
    _read_all_at(game, everybody)
    for reader in by_user.values():
        reader.get("games/")
        reader.post(f"games/{game.pk}/vote/", {"vote": "?"}, 400)
        reader.post(f"games/{game.pk}/vote/", {"vote": "wait"}, 409)
    game.seats.exclude(number=game.turn).update(absent=True)
    _read_all_at(game, everybody)
    for muted in ("1", "0"):
        mover.post(f"games/{game.pk}/mute/", {"muted": muted}, 302)
        mover.get(f"games/{game.pk}/")
    watcher.post(f"games/{game.pk}/mute/", {"muted": "1"}, 409)
    mover.post(f"games/{game.pk}/vote/", {"vote": "wait"}, 302)
    _read_all_at(game, everybody)


def play_and_read(game: Game, by_user: dict[int, Reader], watcher: Reader, *, full: bool) -> None:
    for number in range(30):
        game.refresh_from_db()
        if game.status != Game.Status.PLAYING:
            break
        mover = by_user[person_in_turn(game).pk]
        if number % 8 == 0:
            _read_all_at(game, [*by_user.values(), watcher], mover)
        sent = fields_of(first_move(game), game.version)
        mover.post(f"games/{game.pk}/moves/", sent, 303)
    game.refresh_from_db()
    if game.status == Game.Status.PLAYING:
        game.seats.filter(number=0).update(absent=True)
        _read_all_at(game, [*by_user.values(), watcher])
        by_user[game.seats.get(number=0).user_id].post(f"games/{game.pk}/back/", status=302)
        game.refresh_from_db()
        by_user[person_in_turn(game).pk].get("accounts/inbox/")
        sent = {"version": game.version, "do": "resign"}
        mover.post(f"games/{game.pk}/moves/", sent, 303)
    _read_all_at(game, [*by_user.values(), watcher])
    readers = [*by_user.values(), watcher]
    for step in range(0, game.move_count + 1, 3):
        for reader in readers if full else readers[step // 3 % 3 :][:1]:
            reader.get(f"games/{game.pk}/replay/?step={step}")
    watcher.post(f"games/{game.pk}/replay/share/", status=404)
    mover.post(f"games/{game.pk}/replay/share/", status=302)
    mover.post(f"games/{game.pk}/replay/withdraw/", status=302)
    mover.post(f"games/{game.pk}/replay/share/", status=302)
    mover.post(f"games/{game.pk}/moves/", {"version": "1", "do": "draw"}, 422)
    mover.post(f"games/{game.pk}/rematch/", status=302)
    watcher.post(f"games/{game.pk}/rematch/", status=409)
    following = Game.objects.get(rematch_of=game)
    for reader in by_user.values():
        reader.get(f"games/{following.pk}/")
        reader.get(f"games/{game.pk}/")
    for user in (following.seats.get(number=number).user for number in (0, 1)):
        services.leave(user, following.pk)


def _read_all_at(game: Game, readers: list[Reader], mover: Reader | None = None) -> None:
    for reader in readers:
        reader.get(f"games/{game.pk}/")
    if mover is None:
        return
    moves = f"games/{game.pk}/moves/"
    mover.post(moves, {"version": game.version, "do": "fly"}, 400)
    mover.post(moves, {"version": game.version, "do": "accuse", "target": "5"}, 422)
    card = random.Random(game.version).choice(["AS", "7H", "JK1", "9C"])
    mover.post(moves, {"version": game.version, "do": "play", "card": card, "cut": "1"}, 422)
    readers[-1].post(moves, {"version": game.version, "do": "draw"}, 403)


def read_rules(reader: Reader, player: Reader) -> None:
    """Read the rules of every preset, try every answer of every example, play the first games."""
    reader.get("rules/")
    for slug, variant in (("matatu", "matatu"), ("mau-mau", "maumau")):
        page = reader.get(f"rules/{slug}/").text
        for query in set(re.findall(r'href="\?([^"#]*try=[^"#]*)', page)):
            reader.get(f"rules/{slug}/?{html.unescape(query)}")
        for preset in rules.PRESETS[variant]:
            reader.get(f"rules/{slug}/{preset}/")
        play_first_game(reader, f"rules/{slug}/first-game/")
    over = Game.objects.filter(status=Game.Status.FINISHED)
    table = over.filter(public=True).earliest("created_at")
    player.get(f"games/{table.pk}/rules/")
    player.get(f"join/{table.code}/rules/")


def play_first_game(reader: Reader, path: str) -> None:
    luck, query = random.Random(3), ""
    for _ in range(40):
        page = reader.get(path + query).text
        ways = re.findall(r'href="(?:[^"?]*)(\?m=[^"#]*)', page)
        if not ways:
            break
        query = html.unescape(luck.choice(ways))
    reader.get(path + "?m=nonsense")
    reader.get(path + "?m=KS-QS")


def read_allauth(readers: dict[str, Reader], person: User, mailoutbox) -> None:
    reader = readers["alice"]
    reader.client.force_login(person)
    reader.post("accounts/email/", {"action_add": "", "email": "no address"})
    reader.post("accounts/email/", {"action_add": "", "email": "alice@example.com"}, 302)
    reader.get("accounts/email/")
    address = EmailAddress.objects.get(user=person)
    for action in ("action_send", "action_primary", "action_remove"):
        reader.post("accounts/email/", {action: "", "email": address.email}, 302)
        reader.get("accounts/email/")
    EmailAddress.objects.update_or_create(
        user=person, email=address.email, defaults={"primary": True, "verified": False}
    )
    key = EmailConfirmationHMAC.create(EmailAddress.objects.get(user=person)).key
    reader.get(f"accounts/confirm-email/{key}/")
    reader.post(f"accounts/confirm-email/{key}/", status=302)
    reader.get("games/")  # shows the message
    reader.post("accounts/reauthenticate/", {"password": "wrong"})
    reader.get("accounts/reauthenticate/")
    for address in ("unknown@example.com", "alice@example.com"):
        readers["nobody"].post("accounts/password/reset/", {"email": address}, 302)
    readers["nobody"].get("accounts/password/reset/confirm/")
    readers["nobody"].post("accounts/password/reset/confirm/", {"code": "1"})
    code = A_CODE.search(mailoutbox[-1].body)[0]
    readers["nobody"].post("accounts/password/reset/confirm/", {"code": code}, 302)
    readers["nobody"].get("accounts/password/reset/complete/")
    wrong = {"password1": "123", "password2": "456"}
    readers["nobody"].post("accounts/password/reset/complete/", wrong)
    new = {"password1": PASSWORD + "!", "password2": PASSWORD + "!"}
    readers["nobody"].post("accounts/password/reset/complete/", new, 302)
    readers["nobody"].get("accounts/password/reset/done/")
    person.refresh_from_db()
    reader.client.force_login(person)
    changed = {"oldpassword": PASSWORD + "!", "password1": PASSWORD, "password2": PASSWORD}
    reader.post("accounts/password/change/", changed, 302)
    reader.get("accounts/password/change/")
    guest = User.objects.create_user("Newcomer")
    without = Reader(reader.seen, guest)
    without.get("accounts/password/set/")
    without.post("accounts/password/set/", {"password1": "1", "password2": "2"})
    reader.faults += without.faults
    reader.post("accounts/logout/", status=302)
    reader.get("")
    reader.post("accounts/login/", {"login": "Alice", "password": PASSWORD}, 302)
    reader.get("")
    assert EmailAddress.objects.exists()


def read_about_places(reader: Reader, person: User) -> None:
    """Devices and webhooks: what is wrong with them, and how they are listed."""
    reader.post("accounts/notices/trial/", status=302)  # there is no place yet
    reader.get("accounts/notices/sent/")
    device = {"endpoint": "https://fcm.googleapis.com/1", "key": "?", "p256dh": "?", "auth": "?"}
    for wrong in ({"endpoint": "https://example.org/"}, {}):
        reader.post("accounts/notices/devices/", device | wrong, 400)
    for address, status in (("http://example.org/", 400), ("https://example.org/", 302)):
        reader.post("accounts/notices/webhooks/", {"address": address}, status)
    key = push_key.public()
    kept = person.endpoints.create(channel="push", address=device["endpoint"], server_key=key)
    person.endpoints.create(channel="push", address="https://fcm.googleapis.com/2", refused=9)
    reader.get("accounts/notices/")
    reader.post("accounts/notices/trial/", status=302)
    reader.get("accounts/notices/sent/")
    reader.post(f"accounts/notices/places/{kept.pk}/remove/", status=302)
    reader.get("accounts/notices/")


def read_mails(reader: Reader, alice: User, bob: User, mailoutbox) -> None:
    """Every kind of notice, each in the inbox, in a mail and in the list of what was sent."""
    wanted = {"mail_pace": "once", "mail_turns": True, "channels": {}}
    User.objects.update(email="alice@example.com", language=LANGUAGE, **wanted)
    alice.refresh_from_db()
    reader.client.force_login(alice)
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="1d"))
    services.join(bob, game.pk)
    deliver_notices()
    reader.get("accounts/notices/sent/")
    reader.get("accounts/inbox/")
    reader.post("accounts/inbox/", status=302)
    reader.post("accounts/notices/test-mail/", status=302)
    reader.get("accounts/notices/sent/")
    with translation.override(LANGUAGE):
        for person in (alice, bob):
            feed = Calendar.from_ical(deadlines(person, "https://ikarita.example"))
            assert unmarked([str(event["summary"]) for event in feed.walk("VEVENT")]) == []
        for kind in KINDS:
            notice = Notice(user=alice, kind=kind, about=game.pk, version=game.version)
            notice.variant = game.variant
            assert unmarked(delivery.letter(notice)[:2]) == []
    names = (*PEOPLE, "testserver", "example.com", "unknown@example.com")
    for mail in mailoutbox:
        texts = [mail.subject, A_CODE.sub("", mail.body)]
        texts += [text for page, _ in getattr(mail, "alternatives", ()) for text in spoken(page)]
        assert unmarked(texts, names) == [], texts
    assert len({mail.subject for mail in mailoutbox}) > 3


def test_every_told_move_and_every_refusal():
    with translation.override(LANGUAGE):
        texts = {
            sentences.event(rules.redact(event, viewer, state), NAMES, viewer)
            for state, _, _, events in GAMES
            for event in events
            for viewer in (None, 0)
        }
        texts |= {
            sentences.refusal(no.code, {**no.values, "player": "Keza"}, rules.observe(state, seat))
            for state, seat, no in REFUSALS
        }
    assert unmarked(texts, NAMES) == []


def test_every_code_has_its_words():
    with translation.override(LANGUAGE):
        texts = [sentences.card_name(code) for code in sentences.CARDS]
        texts += [sentences.reason(code) for code in sentences.REASONS]
        texts += [sentences.lobby_refusal(code) for code in sentences.LOBBY_REFUSALS]
        texts += [sentences.pace(seconds) for seconds in (None, 30, 60, 3600, 86400 * 3)]
        texts += [sentences.level_name(level) for level in LEVELS]
        texts += [sentences.access(public=public) for public in (True, False)]
        for variant, options in OPTIONS.items():
            for name, values in options.choices().items():
                texts.append(house_rules.name(name))
                texts += [house_rules.sentence(name, value) for value in values]
            texts.append(sentences.game_name(variant))
    assert unmarked(texts) == []
    assert site.LANGUAGE_CODE == "en"
