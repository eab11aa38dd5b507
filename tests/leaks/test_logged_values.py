import dataclasses
import importlib
import pkgutil

import contest

# Fields that hold a secret, a solution or an address if they are text.
PROTECTED = {"claim", "secret", "moves", "lurd", "solution", "email"}
# Made-up people.
LEFT_OUT = ("contest.management.demo", "contest.migrations")


def dataclasses_of_site():
    for found in pkgutil.walk_packages(contest.__path__, "contest."):
        if found.name.startswith(LEFT_OUT) or found.name.endswith(("__main__", "wsgi")):
            continue
        for value in vars(importlib.import_module(found.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == found.name:
                yield value


def shown_fields(kind):
    fields = dataclasses.fields(kind) if kind.__dataclass_params__.repr else ()
    names = {field.name for field in fields if field.repr and str(field.type) in ("str", "str | None", str(str))}
    received = {field.name for field in fields if field.repr and field.type in (bytes, "bytes")}
    return names & PROTECTED | received & {"text", "salt"}


def test_no_value_shows_a_secret_a_solution_or_a_received_text():
    kinds = list(dataclasses_of_site())
    assert len(kinds) > 200
    assert {f"{kind.__module__}.{kind.__name__}": shown for kind in kinds if (shown := shown_fields(kind))} == {}
