"""The addresses of those who make levels: drawing, proposing, and what they have published."""

from django.urls import path

from contest.web import editor

urlpatterns = [
    path("editor/", editor.editor_page, name="editor"),
    path("editor/picture/", editor.picture, name="editor_picture"),
]
