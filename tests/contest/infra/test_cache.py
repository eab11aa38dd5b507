from contest.infra.cache import CachedList


def test_a_long_list_is_computed_once_and_read_in_parts(cache_of_its_own):
    made = []

    def make():
        made.append(1)
        return list(range(1234))

    for start, stop in ((0, 100), (450, 550), (1200, 1300), (1234, 1300), (0, 1234)):
        assert CachedList("numbers", make).part(start, stop) == list(range(1234))[start:stop]
        assert len(CachedList("numbers", make)) == 1234
    assert len(made) == 1
    assert CachedList("other", list).part(0, 9) == []
