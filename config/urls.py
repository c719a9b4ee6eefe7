"""All addresses (CONTRACTS section 2): pages under a language's prefix, the rest without."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, re_path

from accounts import social
from accounts.about import PAGES, about
from accounts.light import set_light
from accounts.views import languages, report_text, set_language
from config.health import healthz, readyz
from config.installable import manifest, offline, service_worker
from games.archive.views import replay_picture
from games.invitation.views import invitation_picture, invitation_qr
from games.views import calendar, game_record

handler400 = "accounts.views.bad_request"

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("sw.js", service_worker, name="service_worker"),
    path("games/<slug:game_id>/record.json", game_record, name="record"),
    path(
        "games/<slug:game_id>/table-<slug:fingerprint>.png", replay_picture, name="replay_picture"
    ),
    path("join/<slug:code>/qr.svg", invitation_qr, name="invitation_qr"),
    path(
        "join/<slug:code>/invitation-<int:design>.png",
        invitation_picture,
        name="invitation_picture",
    ),
    path("calendar/<slug:key>.ics", calendar, name="calendar"),
    # Without a language: an operator names this address at the other site, once.
    path("oidc/<slug:provider_id>/callback/", social.callback, name="openid_connect_callback"),
    path("language/", set_language, name="set_language"),
    path("light/", set_light, name="set_light"),
    path("admin/", admin.site.urls),
]
urlpatterns += i18n_patterns(
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/oidc/<slug:provider_id>/", social.login, name="openid_connect_login"),
    path("accounts/3rdparty/", include("allauth.socialaccount.urls")),
    path("offline/", offline, name="offline"),
    re_path(rf"^about/(?P<page>{'|'.join(PAGES)})/$", about, name="about"),
    path("languages/", languages, name="languages"),
    path("languages/report/", report_text, name="report_text"),
    path("", include("games.urls")),
)
