"""Settings of the site: one file, safe by default, all that differs comes from the environment.

docs/operations.md lists the variables. Nothing secret stands here.
"""

import copy
import gc
from pathlib import Path

import django.conf.locale
import environ
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from config import celery  # noqa: F401  who reads these sends tasks to the site's own broker

# What is loaded at a start is no garbage: to look for some again and again took a quarter of the
# start's time. games.apps, which is ready last, has it looked for from then on.
gc.disable()

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# --- What differs between machines ------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")  # Django refuses to start without one
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])  # keys of before, see docs
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"] if DEBUG else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = env.str("SITE_URL", default="").rstrip("/")  # for links people share; else the request's
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
HTTPS = env.bool("HTTPS", default=not DEBUG)
TEST_CLOCK = env.bool("TEST_CLOCK", default=False)  # honour the clock's offset row (tests only)

DATABASES = {"default": env.db("DATABASE_URL", default="postgres:///ikarita")}
DATABASES["default"]["CONN_MAX_AGE"] = 0
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # else a pool hands out lines that were cut
# PostgreSQL keeps the plan of what a line has asked three times: planning what a push reads takes
# it longer than answering (decision 43).
DATABASES["default"].setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=3)
# Daphne runs one thread a request, so only a pool bounds the connections. config/asgi.py asks
# for one; Celery must not have one (it closes the whole pool around every task).
if pool_size := env.int("DB_POOL", default=0):
    DATABASES["default"]["OPTIONS"]["pool"] = {
        # Few, and always as many: after a restart of PostgreSQL psycopg's pool finds its dead
        # lines one by one, waiting 0, 1, 2, 4 s in between, and a request waits for 10 s at most.
        "min_size": pool_size,
        "max_size": pool_size,
        "timeout": 10,
    }

# --- The house --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config.operators.OperatorsConfig",  # the admin, behind a second factor
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.LanguageMiddleware",  # after authentication: an account has a language
    "accounts.middleware.ZoneMiddleware",  # after the language, which says where most live
    "accounts.middleware.VisitMiddleware",
    "accounts.light.LightMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.views.my_turns",
            ],
        },
    },
]

# --- Live updates, cache, background work: all on one Redis -----------------------------------
# A Redis that hangs must not hang the pages: soon it is as if it were down.
REDIS_TIMEOUTS = {"socket_timeout": 2, "socket_connect_timeout": 2}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [
                {
                    "address": REDIS_URL,
                    "socket_timeout": 5,
                    "socket_connect_timeout": 2,
                    # Else whoever speaks first after a restart of Redis finds the line dead.
                    "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
                }
            ]
        },
    }
}
CACHES = {
    "default": {
        "BACKEND": "config.cache.EnduringCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "ikarita",
        "OPTIONS": REDIS_TIMEOUTS,
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # however long it is away, at most 30 s in between
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # As above: neither the answer to a move nor a tick may wait for a Redis that hangs.
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    # A worker whose line is dead without a word finds out after 21 s instead of 51.
    "health_check_interval": 10,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# How often the clock asks for what, in seconds.
EVERY = {
    "games.tasks.serve_overdue_games": 1.0,
    "games.tasks.show_that_bots_can_think": 1.0,
    "accounts.tasks.show_that_notices_can_go": 1.0,
    "accounts.tasks.push_notices": 10.0,
    "accounts.tasks.deliver_notices": 20.0,
    "accounts.tasks.call_webhooks": 20.0,
    "accounts.tasks.end_suspensions": 60.0,
    # Seldom would do; the clock forgets at each restart when it last asked.
    "accounts.tasks.delete_who_has_left": 3600.0,
    "accounts.tasks.forget_old_notices": 3600.0,
    "accounts.tasks.forget_ended_sessions": 3600.0,
    "games.tasks.forget_old_seeks": 3600.0,
}
CELERY_BEAT_SCHEDULE = {
    # A tick is only a question: one that waited is asked again by the next.
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in EVERY.items()
}
# Thinking has a queue of its own, so that it never delays other games' deadlines; and so has what
# waits for the servers of others.
CELERY_TASK_ROUTES = {
    "games.tasks.think": {"queue": "bots"},
    "games.tasks.show_that_bots_can_think": {"queue": "bots"},
    "accounts.tasks.deliver_notices": {"queue": "notices"},
    "accounts.tasks.push_notices": {"queue": "notices"},
    "accounts.tasks.call_webhooks": {"queue": "notices"},
    "accounts.tasks.show_that_notices_can_go": {"queue": "notices"},
}

# --- People -----------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
# Names are unique, and more than that: without regard to case (a constraint of accounts.User).
SILENCED_SYSTEM_CHECKS = ["auth.W004"]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
USERSESSIONS_ADAPTER = "accounts.browsers.SessionsAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "request_login_code": "accounts.forms.RequestCodeForm",
    "confirm_login_code": "accounts.forms.ConfirmCodeForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmResetForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "accounts.models.NAME_VALIDATORS"
ACCOUNT_EMAIL_VERIFICATION = "optional"
# No page tells who has an account: an address counts once it was confirmed, and only once.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Ikarita: "  # not the host's name in brackets
ACCOUNT_SESSION_REMEMBER = True
# Wide by address, for a school behind one line; narrow by account, where guessing happens (there by
# account and address, see the adapter).
ACCOUNT_RATE_LIMITS = {
    "signup": "200/m/ip",
    "login": "300/m/ip",
    "login_failed": "100/m/ip,5/300s/key",
}
# Passkeys sign in by themselves; they and authenticator apps are asked for after a password.
MFA_ADAPTER = "accounts.factors.FactorsAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Ikarita"
MFA_TOTP_TOLERANCE = 1  # a code of the half minute before or after: clocks of phones differ
# An address that was not confirmed belongs to nobody here, so it need not keep a factor away.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # http://localhost, to try it
MFA_RATE_LIMITS = {"webauthn_login": "100/m/ip"}  # a school behind one line; nothing to guess
MFA_FORMS = {
    "activate_totp": "accounts.forms.ActivateAppForm",
    "authenticate": "accounts.forms.SecondFactorForm",
    "reauthenticate": "accounts.forms.SecondFactorAgainForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.RenamePasskeyForm",
}
# Who has no password, or has forgotten it, is mailed a code: a link would open in the browser of
# the mail program, where nobody is signed in.
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60  # seconds
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60  # seconds: mail takes its time
# Signing in by an account elsewhere (OpenID Connect), where an operator names some; else none.
SOCIAL_LOGINS = env.json("SOCIAL_LOGINS", default=[])
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [
            {
                "provider_id": each["id"],
                "name": each["name"],
                "client_id": each["client_id"],
                "secret": each["secret"],
                # No name, no address, no picture: only that it is the same person as before.
                "settings": {
                    "server_url": each["server"],
                    "scope": ["openid"],
                    "fetch_userinfo": False,
                    "oauth_pkce_enabled": True,
                },
            }
            for each in SOCIAL_LOGINS
        ]
    }
}
SOCIALACCOUNT_ADAPTER = "accounts.social.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.SocialSignupForm"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a name
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
LOGIN_REDIRECT_URL = "games"
LOGOUT_REDIRECT_URL = "home"
LOGIN_URL = "account_login"

vars().update(env.email("EMAIL_URL", default="consolemail://"))
# Who delivers to browsers: Chrome and its kin, Firefox, Safari, Edge. Nobody else is called.
PUSH_SERVICES = env.list(
    "PUSH_SERVICES",
    default=[
        "fcm.googleapis.com",
        "jmt17.google.com",
        "updates.push.services.mozilla.com",
        ".push.apple.com",
        ".notify.windows.com",
    ],
)
VAPID_SECRET = env.str("VAPID_SECRET", default=SECRET_KEY)  # what the key for push is made of
TEST_LOOPBACK = env.bool("TEST_LOOPBACK", default=False)  # let notices go to this machine (tests)
EMAIL_TIMEOUT = 10  # seconds; a mail server that hangs must not keep a worker from its other work
# Who runs the site, for its imprint: a name, an address whose lines are parted by ";", an e-mail.
OPERATOR = {
    "name": env.str("OPERATOR_NAME", default=""),
    "address": [
        line.strip() for line in env.str("OPERATOR_ADDRESS", default="").split(";") if line.strip()
    ],
    "email": env.str("OPERATOR_EMAIL", default=""),
}
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Ikarita <noreply@localhost>")

# --- Languages --------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("rw", "Ikinyarwanda"),
    ("de", "Deutsch"),
    ("zu", "isiZulu"),
]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "libraries"]  # ours first
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
# Django knows neither Kinyarwanda nor isiZulu; its language tags look them up here.
django.conf.locale.LANG_INFO.update(
    copy.deepcopy(
        {
            "rw": {
                "bidi": False,
                "code": "rw",
                "name": "Kinyarwanda",
                "name_local": "Ikinyarwanda",
            },
            "zu": {"bidi": False, "code": "zu", "name": "Zulu", "name_local": "isiZulu"},
        }
    )
)

# --- Files ------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=str(BASE_DIR / "var" / "static"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG

# --- Safety -----------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked from inside, without a certificate
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if header := env.str("PROXY_SSL_HEADER", default=""):  # say, HTTP_X_FORWARDED_PROTO
    SECURE_PROXY_SSL_HEADER = (header, "https")
CSRF_FAILURE_VIEW = "accounts.views.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        # A form that leads on to another site's sign-in needs that site here.
        "form-action": [
            "'self'",
            *{"/".join(each["server"].split("/", 3)[:3]) for each in SOCIAL_LOGINS},
        ],
        "frame-ancestors": ["'none'"],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    # Django's own logger would say everything a second time.
    "loggers": {"django": {"handlers": [], "propagate": True}, "daphne": {"level": "WARNING"}},
}
