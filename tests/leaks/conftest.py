import pytest

from tests.leaks import crawl
from tests.leaks.scene import scene


@pytest.fixture
def planted(db):
    with scene() as made, crawl.pictures_as_text():
        yield made
