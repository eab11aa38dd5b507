import pytest

from contest.models import LuckyNumber
from contest.rules import lucky_draw


@pytest.fixture
def round_(during_round):
    """The round of the worked examples; its lucky number is 17."""
    LuckyNumber.objects.filter(round=during_round).update(number=17)
    during_round.commitment = lucky_draw.commitment(during_round.number, 17, during_round.lucky_number.salt)
    during_round.save()
    return during_round
