"""URLs for level authors: the editor, proposals, and the authors' published levels."""

from django.urls import path

from contest.web.account import proposing
from contest.web.pages import authors
from contest.web.play import editor

urlpatterns = [
    path("editor/", editor.editor_page, name="editor"),
    path("editor/picture/", editor.picture, name="editor_picture"),
    path("propose/", proposing.propose_page, name="propose"),
    path("propose/<int:pk>/", proposing.proposal_page, name="proposal"),
    path("authors/", authors.authors_page, name="authors"),
    path("authors/<path:author>/", authors.author_page, name="author"),
]
