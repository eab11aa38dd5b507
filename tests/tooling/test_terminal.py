"""What is said where something fails."""

from tooling import terminal


def test_what_an_installer_says_is_cut_to_its_cause():
    assert terminal.cause("Resolving\nerror: Failed to build: x\n  hint: y\n") == "error: Failed to build: x"
    assert terminal.cause("a\nx: No space left on device (os error 28)\nb") == "the disk is full"
    assert "network" in terminal.cause(
        "WARNING: ... NewConnectionError ...\nERROR: No matching distribution found for amqp"
    )
    assert terminal.cause("Traceback:\n  x\ndjango.db.utils.OperationalError: readonly database") == (
        "django.db.utils.OperationalError: readonly database"
    )
    assert terminal.cause("") == "it said nothing"
