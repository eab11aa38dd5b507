"""Enter Leitai's Sokoban rounds from a program.

>>> from leitai import Client
>>> client = Client("http://127.0.0.1:8000", token="leitai_...")      # doctest: +SKIP
>>> receipt = client.submit("rR")                                     # doctest: +SKIP
>>> client.verdict(receipt.id).verdict                                # doctest: +SKIP
'accepted'
"""

from leitai.client import Client
from leitai.errors import LeitaiError, NotReceived, Refused
from leitai.shapes import Level, Receipt, Round, Row, Submission

__all__ = ["Client", "LeitaiError", "Level", "NotReceived", "Receipt", "Refused", "Round", "Row", "Submission"]
