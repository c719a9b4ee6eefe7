"""Addresses of invitations, under a language's prefix."""

from django.urls import path

from games.invitation import views

urlpatterns = [
    path("join/", views.join_by_code, name="join_by_code"),
    path("join/<slug:code>/", views.join, name="join"),
]
