"""URLs of votes, comments, following and notifications, below the language prefix."""

from django.urls import path

from contest.web.community import news, stars, talk

urlpatterns = [
    path("rounds/<int:number>/<slug:slot>/talk/", talk.of_round, name="talk"),
    path("rounds/<int:number>/<slug:slot>/star/", stars.level_of_round, name="star-level"),
    path("collections/<slug:slug>/<int:place>/talk/", talk.of_collection, name="collected-talk"),
    path("collections/<slug:slug>/<int:place>/star/", stars.level_of_collection, name="star-collected"),
    path("players/<int:number>/star/", stars.player, name="star-player"),
    path("comments/<int:pk>/delete/", talk.delete, name="comment-delete"),
    path("comments/<int:pk>/report/", talk.report, name="comment-report"),
    path("me/news/", news.news_page, name="news"),
    path("me/news/count.json", news.count, name="news-count"),
    path("me/news/read/", news.mark_read, name="news-read"),
    path("me/following/", stars.following, name="following"),
]
