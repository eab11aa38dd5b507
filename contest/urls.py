"""All URLs of the site. Pages have a language prefix; URLs for programs have none."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import include, path
from django.utils.http import urlencode
from django.utils.translation import get_language

from contest.api.views.hint import show_hint
from contest.infra.identity import mark_url
from contest.infra.kept import keep
from contest.rankings import board_versions
from contest.web.collections import files
from contest.web.collections import playing as collected
from contest.web.lab import answers as lab_answers
from contest.web.pages import posts, replays
from contest.web.pages.reading import api_docs, api_try
from contest.web.pages.results import results_json
from contest.web.play import links, offline, playing
from contest.web.sharing import animations as films
from contest.web.sharing import cards, checkpoints, crawling, feeds, oembed, open_data, thumbnails, tiles
from contest.web.sharing.level_files import level_gbk, level_sok, level_text
from contest.web.shell import app, probes, round_names
from contest.web.shell.theme import choose_theme


def choose_language(_request: HttpRequest) -> HttpResponse:
    """Redirect the bare URL to the reader's language (cookie, then Accept-Language, then LANGUAGE_CODE)."""
    return HttpResponseRedirect(f"/{get_language()}/")


def choose_desk(_request: HttpRequest) -> HttpResponse:
    """Redirect to the organisers' desk, in their language."""
    return HttpResponseRedirect(f"/{get_language()}/desk/")


def sign_in_at_the_desk(request: HttpRequest) -> HttpResponse:
    """Redirect signed-out users of the plain admin to the desk's sign-in page."""
    next_ = urlencode({"next": request.GET.get("next", "")})
    return HttpResponseRedirect(f"/{get_language()}/desk/confirm/?{next_}")


def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect to the icon: browsers request it for pages without an icon of their own, such as the admin's."""
    return HttpResponseRedirect(mark_url())


def no_such_page(_request: HttpRequest, rest: str) -> HttpResponse:
    raise Http404(rest)


handler500 = "contest.web.shell.trouble.our_fault"

urlpatterns = [
    path("", choose_language),
    path("healthz", probes.healthz),
    path("readyz", probes.readyz),
    path("metrics", probes.metrics_page),
    path("favicon.ico", favicon),
    path("app/<slug:shape>.png", app.icon, name="app-icon"),
    path("app/accent-<slug:pair>.css", app.accent_css, name="app-accent"),
    path("lab/klotski/exit.bin", lab_answers.atlas_file, name="lab-klotski-atlas"),
    path("play-worker.js", offline.worker, name="play-worker"),
    path("", include("contest.legacy.urls")),
    path("api", show_hint),
    path("api/", show_hint, name="api-root"),
    path("api/docs/", api_docs, name="api-docs"),
    path("api/docs/try/", api_try, name="api-try"),
    path("api/v1/", include(round_names)),
    path("api/v1/", include("contest.api.urls")),
    path("rounds/<int:number>/results.json", results_json, name="results-json"),
    path(
        "rounds/<int:number>/<slug:slot>/numbers.json",
        keep(playing.numbers_json, board_versions.of_its_round, reads="practice"),
        name="numbers",
    ),
    path("rounds/<int:number>/<slug:slot>.txt", level_text, name="level-text"),
    path("rounds/<int:number>/<slug:slot>.gbk.txt", level_gbk, name="level-gbk"),
    path("rounds/<int:number>/<slug:slot>.sok", level_sok, name="level-sok"),
    path("rounds/<int:number>/archive.zip", open_data.archive_zip, name="archive"),
    path("checkpoint", checkpoints.newest, name="checkpoint"),
    path("checkpoint/keys", checkpoints.public_keys, name="checkpoint-keys"),
    path("checkpoints/<int:size>", checkpoints.of_size, name="checkpoint-of-size"),
    path("checkpoints/<int:size>/signatures", checkpoints.sign, name="checkpoint-sign"),
    path("checkpoints/proof/<int:old>/<int:size>", checkpoints.proof, name="checkpoint-proof"),
    path("tile/<str:level>/<path:tile>", tiles.serve, name="tile"),
    path("add-checkpoint", checkpoints.add, name="add-checkpoint"),
    path("certificates/<slug:sha256>.xz", open_data.certificate_xz, name="level-certificate"),
    path("check_certificate.py", open_data.checker_py, name="certificate-checker"),
    path("witness.py", open_data.witness_py, name="witness-program"),
    path("verify.pyz", open_data.verifier_pyz, name="verifier"),
    path("rounds/<int:number>/replays/<int:submission>.txt", replays.replay_text, name="replay-text"),
    path("rounds/<int:number>/replays/<int:submission>.sok", replays.replay_sok, name="replay-sok"),
    path("rounds/<int:number>/<slug:slot>/board.png", cards.board_picture, name="board-picture"),
    path("rounds/<int:number>/replays/<int:submission>/film.<slug:kind>", films.film_file, name="film-file"),
    path("collections/<slug:slug>.<slug:kind>", files.download, name="collection-file"),
    path("collections/<slug:slug>/<int:place>/<slug:look>.svg", thumbnails.collection_thumbnail, name="thumbnail"),
    path("rounds/<int:number>/<slug:slot>/<slug:look>.svg", thumbnails.round_thumbnail, name="round-thumbnail"),
    path("collections/<slug:slug>/<int:place>/numbers.json", keep(collected.numbers_json), name="collected-numbers"),
    path("pictures/<int:pk>.webp", posts.post_picture, name="picture"),
    path("letslogic/api/v1/", include("contest.legacy.letslogic.urls")),
    path("sokoplayer/", links.sokoplayer_page, name="sokoplayer"),
    path("lurd2xsb/", links.rebuilt_page, name="rebuilt"),
    path("lurd2xsb/<str:moves>", links.rebuilt_page, name="rebuilt"),
    path("robots.txt", crawling.robots_txt),
    path(".well-known/security.txt", crawling.security_txt),
    path("sitemap.xml", crawling.sitemap_xml),
    path("sitemap-<slug:section>.xml", crawling.sitemap_sheet, name="sitemap-sheet"),
    path("oembed", oembed.oembed, name="oembed"),
    path("rounds.ics", keep(feeds.calendar), name="calendar"),
    path("tracks/<slug:slug>.ics", keep(feeds.calendar), name="track-calendar"),
    path("theme/", choose_theme, name="theme"),
    path("i18n/", include("django.conf.urls.i18n")),
    # The admin's "view on site" would show staff the URLs of receipts, which are their senders' secrets (rule 7.5).
    path("admin/r/<path:rest>", no_such_page),
    # Staff sign in only at the desk, which limits attempts and requires the second factor.
    path("admin/login/", sign_in_at_the_desk),
    path("admin/", admin.site.urls),
    path("desk/", choose_desk),
    path("", include(round_names)),
    *i18n_patterns(
        path("desk/", include("contest.desk.urls")),
        path("", include("contest.web.urls")),
        path("", include(round_names)),
    ),
]
