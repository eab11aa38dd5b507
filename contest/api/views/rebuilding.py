"""Views that rebuild lost levels: they return the level that a solution's moves imply (as on `/lurd2xsb/`)."""

from http import HTTPStatus

from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.base import View
from contest.api.schema import reads, takes
from contest.api.serializers.bodies import read
from contest.api.serializers.submissions import RebuiltLevelSerializer, SolutionTextSerializer
from contest.api.throttling import TrialThrottle
from contest.infra.site_address import absolute_url
from contest.levels import rebuilding
from contest.submissions import Refused
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError


class Rebuilt(View):
    throttle_classes = [TrialThrottle]  # rule 5.9

    @reads(RebuiltLevelSerializer, "The smallest level on which the moves are a solution.", refusals=(422, 429))
    def get(self, request: Request, moves: str) -> Response:
        return _rebuild(request, moves)


class Rebuild(View):
    throttle_classes = [TrialThrottle]

    @takes(
        SolutionTextSerializer,
        {200: RebuiltLevelSerializer},
        "The same of moves that are too long for an address.",
        [400, 401, 413, 415, 422, 429],
    )
    def post(self, request: Request) -> Response:
        return _rebuild(request, read(SolutionTextSerializer, request.data)["moves"])


def _rebuild(request: Request, moves: str) -> Response:
    try:
        level = rebuilding.level_of(moves)
    except PuzzleError as error:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        raise Refused(error.code, describe_error(error), status=status, field="moves") from None
    address = rebuilding.address_of(moves)
    facts = {"board": str(level), "width": level.width, "height": level.height, "boxes": len(level.boxes)}
    return Response(RebuiltLevelSerializer({**facts, "url": address and absolute_url(request, address)}).data)
