"""The addresses of the pages, below the language prefix."""

from django.urls import path

from contest.web import views

urlpatterns = [
    path("", views.home, name="home"),
    path("rounds/", views.rounds, name="rounds"),
    path("rounds/<int:number>/", views.round_page, name="round"),
    path("rounds/<int:number>/submissions/", views.accepted, name="submissions"),
    path("rounds/<int:number>/<slug:slot>/", views.level_page, name="level"),
    path("submit/", views.submit, name="submit"),
    path("s/<str:receipt_id>/", views.receipt, name="receipt"),
    path("s/<str:receipt_id>/send/", views.send_offer, name="send_offer"),
    path("help/", views.help_page, name="help"),
]
