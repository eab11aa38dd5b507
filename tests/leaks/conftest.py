import pytest

from tests.leaks import crawl
from tests.leaks.scene import scene


@pytest.fixture
def planted(db):
    """Yield a site full of hidden data, each piece with its mark; pictures are served as their text."""
    with scene() as made, crawl.pictures_as_text():
        yield made
