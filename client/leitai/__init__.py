"""Enter Leitai's Sokoban rounds from a program.

>>> from leitai import Client
>>> client = Client("http://127.0.0.1:8000", token="leitai_...")      # doctest: +SKIP
>>> receipt = client.submit("rR")                                     # doctest: +SKIP
>>> client.verdict(receipt.id).verdict                                # doctest: +SKIP
'accepted'

`AsyncClient` has the same methods for asyncio. Long lists are iterators; result classes are in `leitai.shapes`.
"""

from leitai.async_client import AsyncClient
from leitai.client import Client
from leitai.errors import LeitaiError, NotReceived, Refused
from leitai.shapes import Champions, Event, Level, Player, Receipt, Results, Round, Row, Submission
from leitai.version import __version__

__all__ = [
    "AsyncClient",
    "Champions",
    "Client",
    "Event",
    "LeitaiError",
    "Level",
    "NotReceived",
    "Player",
    "Receipt",
    "Refused",
    "Results",
    "Round",
    "Row",
    "Submission",
    "__version__",
]
