"""The address of the page about friends, under a language's prefix."""

from django.urls import path

from games.friends import views

urlpatterns = [path("friends/", views.friends, name="friends")]
