"""The addresses of the desk, below the language prefix."""

from django.urls import path

from contest.desk import access as guard
from contest.desk import care, players, publishing, rejudgings, rounds, submissions, vetting
from contest.desk import collections as choosing
from contest.desk import level_import as bringing
from contest.desk import library as shelf
from contest.desk import posts as writing
from contest.desk import proposals as proposed

urlpatterns = [
    path("", rounds.home, name="desk"),
    path("second-factor/", guard.set_up, name="desk-second-factor"),
    path("second-factor/codes/", guard.recovery, name="desk-recovery"),
    # allauth leads whoever has a code for a second factor to a page of this name.
    path("confirm/", guard.confirm, name="mfa_reauthenticate"),
    path("rounds/new/", rounds.new, name="desk-round-new"),
    path("rounds/<int:number>/", rounds.round_page, name="desk-round"),
    path("rounds/<int:number>/edit/", rounds.edit, name="desk-round-edit"),
    path("rounds/<int:number>/preview/", rounds.preview, name="desk-preview"),
    path("rounds/<int:number>/preview/<slug:slot>/", rounds.preview, name="desk-preview-level"),
    path("rounds/<int:number>/publish/", rounds.publish, name="desk-publish"),
    path("rounds/<int:number>/clone/", rounds.clone, name="desk-clone"),
    path("rounds/<int:number>/clear/<slug:slot>/", rounds.clear_slot, name="desk-clear"),
    path("rounds/<int:number>/message/", rounds.message, name="desk-message"),
    path("rounds/<int:number>/do/<slug:name>/", rounds.act, name="desk-act"),
    path("rounds/<int:number>/submissions/", submissions.listed, name="desk-submissions"),
    path("submissions/<int:pk>/", submissions.submission, name="desk-submission"),
    path("submissions/<int:pk>/do/<slug:name>/", submissions.act, name="desk-submission-act"),
    path("rejudging/", rejudgings.listed, name="desk-rejudgings"),
    path("rejudging/<int:pk>/", rejudgings.one, name="desk-rejudging"),
    path("rejudging/<int:pk>/apply/", rejudgings.apply, name="desk-rejudging-apply"),
    path("rejudging/<int:pk>/cancel/", rejudgings.cancel, name="desk-rejudging-cancel"),
    path("levels/new/", bringing.new, name="desk-level-new"),
    path("levels/intake/<int:pk>/", choosing.intake, name="desk-intake"),
    path("levels/intake/<int:pk>/publish/", publishing.publish, name="desk-publish-collection"),
    path("collections/", publishing.collections, name="desk-collections"),
    path("collections/<int:pk>/", publishing.collection, name="desk-collection"),
    path("proposals/", proposed.listed, name="desk-proposals"),
    path("proposals/<int:pk>/", proposed.proposal, name="desk-proposal"),
    path("library/", shelf.levels, name="desk-library"),
    path("library/<int:pk>/", shelf.level, name="desk-library-level"),
    path("vetting/", vetting.listed, name="desk-vettings"),
    path("vetting/<int:pk>/", vetting.one, name="desk-vetting"),
    path("vetting/<int:pk>/moves.txt", vetting.moves, name="desk-vetting-moves"),
    path("series/", shelf.all_series, name="desk-all-series"),
    path("series/<int:pk>/", shelf.series, name="desk-series"),
    path("people/", care.people, name="desk-people"),
    path("people/questions/<int:pk>/", care.answer, name="desk-answer"),
    path("people/reports/<int:pk>/do/<slug:name>/", players.report, name="desk-report"),
    path("people/lookalikes/", care.lookalikes, name="desk-lookalikes"),
    path("people/all/", players.listed, name="desk-players"),
    path("people/<int:pk>/", players.player, name="desk-player"),
    path("people/<int:pk>/do/<slug:name>/", players.act, name="desk-player-act"),
    path("posts/", writing.all_posts, name="desk-posts"),
    path("posts/new/", writing.new, name="desk-post-new"),
    path("posts/<int:pk>/", writing.edit, name="desk-post"),
    path("posts/<int:pk>/mail/", writing.mail, name="desk-post-mail"),
    path("posts/<int:pk>/message/", writing.message, name="desk-post-message"),
    path("banner/", care.banner, name="desk-banner"),
    path("banner/<int:pk>/end/", care.end_banner, name="desk-banner-end"),
    path("health/", care.health_page, name="desk-health"),
    path("health/mail/", care.try_mail, name="desk-health-mail"),
    path("record/", care.record, name="desk-record"),
]
