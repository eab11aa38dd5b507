"""Every object of the API by its name: of these the OpenAPI file is made, and the tables of docs/api.md."""

from typing import Any

from contest.api.objects.desk import OF_DESK
from contest.api.objects.dumps import OF_DUMPS
from contest.api.objects.kinds import Schema, Shape, page_of
from contest.api.objects.library import COLLECTION, OF_LIBRARY
from contest.api.objects.people import GATHERED
from contest.api.objects.problems import FIELD_ERROR, PROBLEM
from contest.api.objects.rankings import ACCEPTED, PLAYER, RANKED, SOLUTION
from contest.api.objects.rounds import OF_ROUNDS, ROUND, SEALED_ANSWER
from contest.api.objects.searches import SEARCHED
from contest.api.objects.site import OF_SITE
from contest.api.objects.submissions import SENT, SENT_AND_ANSWERED
from contest.api.objects.webhooks import OF_WEBHOOKS

ROUND_PAGE = page_of(ROUND)
SENT_PAGE = page_of(SENT)
ACCEPTED_PAGE = page_of(ACCEPTED)
SOLUTION_PAGE = page_of(SOLUTION)
PLAYER_PAGE = page_of(PLAYER)
COLLECTION_PAGE = page_of(COLLECTION)
SEALED_PAGE = page_of(SEALED_ANSWER)
PAGES = (ROUND_PAGE, SENT_PAGE, ACCEPTED_PAGE, SOLUTION_PAGE, PLAYER_PAGE, COLLECTION_PAGE, SEALED_PAGE)

SHAPES: tuple[Shape[Any], ...] = (
    *SENT_AND_ANSWERED,
    *OF_ROUNDS,
    *RANKED,
    *GATHERED,
    *OF_LIBRARY,
    *SEARCHED,
    *OF_DUMPS,
    *OF_WEBHOOKS,
    *OF_DESK,
    *OF_SITE,
    FIELD_ERROR,
    PROBLEM,
    *PAGES,
)
COMPONENTS: dict[str, Schema] = {shape.name: shape.component for shape in SHAPES}
