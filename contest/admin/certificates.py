"""Certificates of the solver's proofs, read-only, for staff with access to vetting."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from contest import visibility
from contest.infra import clock
from contest.models import Certificate, SearchKind
from contest.organising.filters import ListedFilters


@admin.register(Certificate)
class CertificateAdmin(ListedFilters):
    list_display = ["search", "kind", "number", "size", "engine", "made_at"]
    list_filter = ["kind"]
    list_select_related = ["search"]
    fields = readonly_fields = ("search", "kind", "number", "size", "sha256", "engine", "made_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Certificate]:
        """Return those of vetting and the public ones: before the reveal an organiser may be a competitor."""
        public = Q(pk__in=visibility.certificates(clock.now()).order_by())
        found = super().get_queryset(request).filter(Q(search__kind=SearchKind.VETTING) | public)
        return found.defer("content")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("contest.change_librarylevel")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_delete_permission = has_change_permission
