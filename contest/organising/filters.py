"""Allow-list of filters in the admin's lists: a yes-or-no answer about a hidden field would reveal its value."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.http import HttpRequest

_MOST_SEARCHED = 200


class ListedFilters(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """An admin list that accepts only the filters shown beside it. Django's accepts any lookup on own fields."""

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Search for the beginning of a long text only: each word is a condition, and databases limit their number."""
        return super().get_search_results(request, queryset, search_term[:_MOST_SEARCHED])

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse selected keys that no row can have: Django's list would fail on them."""
        if not all(map(self._is_key, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            raise BadRequest("A selected key is none of this list.")
        return super().response_action(request, queryset, *args, **kwargs)

    def _is_key(self, text: Any) -> bool:
        try:
            self.opts.pk.clean(text, None)
        except ValidationError:
            return False
        return True

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        listed = self.get_list_filter(request) if request else self.list_filter
        return any(lookup in self._lookups_of(entry) for entry in listed)

    def _lookups_of(self, entry: Any) -> tuple[str, ...]:
        """Return the lookups of Django's filter for *entry*: its own, by relation, by emptiness, or by value."""
        if isinstance(entry, type) and issubclass(entry, admin.SimpleListFilter):
            return (str(entry.parameter_name),)
        if isinstance(entry, tuple):
            return (f"{entry[0]}__isempty",)
        field: Any = self.opts.get_field(entry)
        key = f"__{field.target_field.name}" if field.is_relation else ""
        return f"{entry}{key}__exact", f"{entry}__isnull"
