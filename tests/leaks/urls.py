"""The site with a hole in it, for the test that the crawl finds it."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from contest.urls import urlpatterns as sound

leaked = ""  # what the test wants to escape


def leak(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(leaked)


urlpatterns = [path("leak/", leak), *sound]
