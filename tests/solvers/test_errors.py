import pickle

from solvers.errors import NotWhole, TooLong


def test_an_error_survives_the_way_to_another_process():
    error = pickle.loads(pickle.dumps(TooLong(size=7, limit=5, index=1)))
    assert isinstance(error, TooLong)
    assert (str(error), error.index, error.values["size"]) == ("This is 7 long; the limit is 5. (character 2)", 1, 7)


def test_a_value_that_cannot_be_written_is_named_by_its_kind():
    itself = []
    itself.append(itself)
    assert str(NotWhole(name="rows", value=itself)) == "rows must be a whole number, not this list."
    assert str(NotWhole(name="rows", value=10**5000)) == "rows must be a whole number, not this int."
