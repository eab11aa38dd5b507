"""What the lists of the admin may be asked: an allow-list, for an answer of yes or no about a hidden field tells it."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ListedFilters(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """An admin whose list takes the filters that stand beside it. Django's takes any look-up on any field of a row."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        listed = self.get_list_filter(request) if request else self.list_filter
        return any(lookup in self._asked_by(entry) for entry in listed)

    def _asked_by(self, entry: Any) -> tuple[str, ...]:
        """What Django's filter of *entry* asks: of a relation, of whether there is anything, of a value."""
        if isinstance(entry, tuple):
            return (f"{entry[0]}__isempty",)
        is_relation = self.opts.get_field(entry).is_relation
        return f"{entry}__id__exact" if is_relation else f"{entry}__exact", f"{entry}__isnull"
