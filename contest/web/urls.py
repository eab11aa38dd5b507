"""The addresses of the pages, below the language prefix."""

from django.urls import include, path

from contest.models import Metric
from contest.web import boards, feeds, me, my_tokens, people, playing, practice, questions, results, views, webhooks

urlpatterns = [
    path("", views.home, name="home"),
    path("rounds/", views.rounds, name="rounds"),
    path("rounds/<int:number>/", views.round_page, name="round"),
    path("rounds/<int:number>/submissions/", views.accepted, name="submissions"),
    path("rounds/<int:number>/questions/", questions.questions_page, name="questions"),
    path("rounds/<int:number>/results/", results.results_page, name="results"),
    path("rounds/<int:number>/virtual/", practice.virtual_page, name="virtual"),
    path("rounds/<int:number>/<slug:slot>/", views.level_page, name="level"),
    path("rounds/<int:number>/<slug:slot>/play/", playing.play_page, name="play"),
    path("rounds/<int:number>/<slug:slot>/moves/", boards.ranking, {"metric": Metric.MOVES}, name="by_moves"),
    path("rounds/<int:number>/<slug:slot>/pushes/", boards.ranking, {"metric": Metric.PUSHES}, name="by_pushes"),
    path("rounds/<int:number>/<slug:slot>/pareto/", boards.front, name="pareto"),
    path("submit/", views.submit, name="submit"),
    path("s/<str:receipt_id>/", views.receipt, name="receipt"),
    path("s/<str:receipt_id>/send/", views.send_offer, name="send_offer"),
    path("hall/", people.hall_page, name="hall"),
    path("seasons/", people.seasons_page, name="seasons"),
    path("seasons/<slug:slug>/", people.season_page, name="season"),
    path("countries/", people.countries_page, name="countries"),
    path("records/", people.records_page, name="records"),
    path("ratings/", people.ratings_page, name="ratings"),
    path("players/<int:number>/", people.player_page),
    path("players/<int:number>-<str:slug>/", people.player_page, name="player"),
    path("players/<int:number>/report/", me.report_page, name="report"),
    path("claim/", me.claim_page, name="claim"),
    path("claim/<str:token>/", me.claim_link, name="claim_link"),
    path("me/", me.my_nicknames, name="me"),
    path("me/export.json", me.export, name="export"),
    path("me/account/", me.close_account, name="close_account"),
    path("me/<int:number>/", me.my_nickname, name="my_nickname"),
    path("me/<int:number>/erase/", me.erase, name="erase"),
    path("account/", include("contest.web.account_urls")),
    path("feeds/<slug:feed>.atom", feeds.atom, name="feed-atom"),
    path("feeds/<slug:feed>.json", feeds.json_feed, name="feed-json"),
    path("me/tokens/", my_tokens.tokens_page, name="tokens"),
    path("me/tokens/<slug:public_id>/end/", my_tokens.end_token, name="token-end"),
    path("me/webhooks/", webhooks.webhooks_page, name="webhooks"),
    path("me/webhooks/<int:hook>/end/", webhooks.end, name="webhook-end"),
    path("me/webhooks/deliveries/<int:delivery>/again/", webhooks.again, name="webhook-again"),
    path("help/", views.help_page, name="help"),
]
