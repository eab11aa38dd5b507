from django_countries import countries

from contest.rendering import world_map
from contest.rendering.world_map import Shade


def test_every_country_of_the_map_has_an_iso_3166_code():
    assert len(world_map._world().paths) > 170
    assert set(world_map._world().paths) <= set(countries.countries)


def test_each_country_is_drawn_once_and_countries_missing_from_the_map_are_left_out():
    picture = world_map.draw_map({"CN": Shade(5, "China: <9"), "SG": Shade(1, "Singapore: 7")}, name="Visitors & co")
    path = world_map._world().paths["CN"]
    assert f'<path class="shade5" d="{path}"><title>China: &lt;9</title></path>' in picture
    assert picture.count(path) == 1
    assert "Singapore" not in picture  # too small to be visible on the map
    assert 'aria-label="Visitors &amp; co"' in picture
