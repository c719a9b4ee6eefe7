"""The address of quick games, under a language's prefix."""

from django.urls import path

from games.quick import views

urlpatterns = [path("quick/", views.quick, name="quick")]
