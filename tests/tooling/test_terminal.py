import pytest

from tooling import terminal


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Resolving\nerror: Failed to build: x\n  hint: y\n", "error: Failed to build: x"),
        ("NewConnectionError ...\nERROR: No matching", "the package index cannot be reached; is there a network?"),
        ("Traceback:\n  x\ndb.OperationalError: readonly database", "db.OperationalError: readonly database"),
        ("", "no output"),
    ],
)
def test_the_output_of_an_installer_is_cut_to_its_cause(text, cause):
    assert terminal.cause(text) == cause
