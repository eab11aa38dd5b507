"""URLs with a round's track and number in it (rule 2.1): `rounds/weekly-7/` redirects to `rounds/12/`."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import path, register_converter
from django.urls.converters import StringConverter

from contest import visibility
from contest.infra import clock
from contest.visibility import Viewer


class RoundName(StringConverter):
    """A track's name and a number within the track."""

    regex = "[a-z][a-z0-9-]{,29}-[1-9][0-9]{,8}"


register_converter(RoundName, "round_name")


def round_by_name(request: HttpRequest, round_name: str, **_rest: str) -> HttpResponse:
    """Redirect to the same URL with the round's number; 308 preserves method and body.

    A round may have a name long before its announcement; until then answer 404.
    """
    track, _, place = round_name.rpartition("-")
    found = visibility.rounds(Viewer(), clock.now()).filter(track=track, number_in_track=int(place))
    number = found.values_list("number", flat=True).first()
    if number is None:
        raise Http404(round_name)
    address = request.get_full_path().replace(f"/rounds/{round_name}/", f"/rounds/{number}/", 1)
    return HttpResponsePermanentRedirect(address, preserve_request=True)


urlpatterns = [
    path("rounds/<round_name:round_name>/", round_by_name, name="round-by-name"),
    path("rounds/<round_name:round_name>/<path:rest>", round_by_name, name="round-by-name"),
]
