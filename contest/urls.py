"""Every address of the site. Pages stand under a language, everything for programs does not."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import include, path
from django.utils.translation import get_language

from contest.web import cards, crawling, feeds, films, links, oembed, offline, open_data, playing, probes, replays
from contest.web.api_docs import api_docs, api_try
from contest.web.level_files import level_gbk, level_sok, level_text
from contest.web.results import results_json
from contest.web.theme import choose_theme


def choose_language(_request: HttpRequest) -> HttpResponse:
    """The bare address leads to the reader's language (cookie, then Accept-Language, then Chinese)."""
    return HttpResponseRedirect(f"/{get_language()}/")


def choose_desk(_request: HttpRequest) -> HttpResponse:
    """The organisers' desk, in their language."""
    return HttpResponseRedirect(f"/{get_language()}/desk/")


def favicon(_request: HttpRequest) -> HttpResponse:
    """Pages that name no icon of their own, the admin's among them, are asked for one here."""
    return HttpResponseRedirect(static("contest/mark.svg"))


def no_such_page(_request: HttpRequest, rest: str) -> HttpResponse:
    raise Http404(rest)


urlpatterns = [
    path("", choose_language),
    path("healthz", probes.healthz),
    path("readyz", probes.readyz),
    path("metrics", probes.metrics_page),
    path("favicon.ico", favicon),
    path("play-worker.js", offline.worker, name="play-worker"),
    path("", include("contest.legacy.urls")),
    path("api/docs/", api_docs, name="api-docs"),
    path("api/docs/try/", api_try, name="api-try"),
    path("api/v1/", include("contest.api.urls")),
    path("rounds/<int:number>/results.json", results_json, name="results-json"),
    path("rounds/<int:number>/<slug:slot>/numbers.json", playing.numbers_json, name="numbers"),
    path("rounds/<int:number>/<slug:slot>.txt", level_text, name="level-text"),
    path("rounds/<int:number>/<slug:slot>.gbk.txt", level_gbk, name="level-gbk"),
    path("rounds/<int:number>/<slug:slot>.sok", level_sok, name="level-sok"),
    path("rounds/<int:number>/archive.zip", open_data.archive_zip, name="archive"),
    path("rounds/<int:number>/replays/<int:submission>.txt", replays.replay_text, name="replay-text"),
    path("rounds/<int:number>/replays/<int:submission>.sok", replays.replay_sok, name="replay-sok"),
    path("rounds/<int:number>/<slug:slot>/board.png", cards.board_picture, name="board-picture"),
    path("rounds/<int:number>/replays/<int:submission>/film.<slug:kind>", films.film_file, name="film-file"),
    path("letslogic/api/v1/", include("contest.letslogic.urls")),
    path("sokoplayer/", links.sokoplayer_page, name="sokoplayer"),
    path("robots.txt", crawling.robots_txt),
    path("sitemap.xml", crawling.sitemap_xml),
    path("oembed", oembed.oembed, name="oembed"),
    path("rounds.ics", feeds.calendar, name="calendar"),
    path("theme/", choose_theme, name="theme"),
    path("i18n/", include("django.conf.urls.i18n")),
    # The admin's "view on site" would lead staff to receipts, whose addresses are their senders' secrets (rule 7.5).
    path("admin/r/<path:rest>", no_such_page),
    path("admin/", admin.site.urls),
    path("desk/", choose_desk),
    *i18n_patterns(path("desk/", include("contest.desk.urls")), path("", include("contest.web.urls"))),
]
