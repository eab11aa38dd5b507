from django.urls import include, path
from rest_framework.routers import SimpleRouter

from bench.textbook import views

router = SimpleRouter()
router.register("submissions", views.Submissions)

urlpatterns = [
    path("", include(router.urls)),
    path("levels/<int:level>/leaderboard/", views.Leaderboard.as_view()),
]
