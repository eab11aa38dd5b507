"""URLs of votes, comments, following, notifications and sponsors, below the language prefix."""

from django.urls import path

from contest.web.community import news, sponsors, stars, talk

urlpatterns = [
    path("rounds/<int:number>/<slug:slot>/talk/", talk.round_talk, name="talk"),
    path("rounds/<int:number>/<slug:slot>/star/", stars.star_round_level, name="star-level"),
    path("collections/<slug:slug>/<int:place>/talk/", talk.collection_talk, name="collected-talk"),
    path("collections/<slug:slug>/<int:place>/star/", stars.star_collection_level, name="star-collected"),
    path("posts/<slug:slug>/comments/", talk.post_talk, name="post-talk"),
    path("players/<int:number>/star/", stars.star_player, name="star-player"),
    path("comments/<int:pk>/delete/", talk.delete, name="comment-delete"),
    path("comments/<int:pk>/report/", talk.report, name="comment-report"),
    path("sponsors/", sponsors.sponsors, name="sponsors"),
    path("me/news/", news.news_page, name="news"),
    path("me/news/count.json", news.unread_count, name="news-count"),
    path("me/news/read/", news.mark_read, name="news-read"),
    path("me/following/", stars.following, name="following"),
]
