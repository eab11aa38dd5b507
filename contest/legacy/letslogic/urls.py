"""URLs below /letslogic/api/v1/; the programs request them without the trailing slash."""

from django.urls import path

from contest.legacy.letslogic import views

urlpatterns = [
    path("collections", views.collections, name="letslogic-collections"),
    path("collection/<int:number>", views.collection, name="letslogic-collection"),
    path("level/<int:key>", views.level_, name="letslogic-level"),
    path("records", views.records, name="letslogic-records"),
]
