"""The library has a call for each URL of the OpenAPI file, and a field for each member of the typed objects."""

import inspect
import re
from dataclasses import MISSING, fields, is_dataclass

import pytest
from leitai import Refused, calls, sealing, shapes

from contest.api import schema


def argument_for(parameter):
    kind = str(parameter.annotation)
    return {} if "Mapping" in kind else [] if "Iterable" in kind else "7"


def test_every_address_of_the_api_has_a_call():
    asked = {sealing.sealed_answers(7).path, sealing.open_sealed(sealing.sealed_text(7, "main", 1, "rR")).path}
    for name, function in inspect.getmembers(calls, inspect.isfunction):
        signature = inspect.signature(function)
        is_own = function.__module__ == calls.__name__ and not name.startswith("_")
        if is_own and "Call[" in str(signature.return_annotation):
            given = {name: argument_for(parameter) for name, parameter in signature.parameters.items()}
            asked.add(function(**given).path)
    paths = [path.removeprefix(schema.PREFIX) for path in schema.document()["paths"] if "/desk/" not in path]
    # Programs use this URL directly; the client sends the moves in a body, at any length.
    paths.remove("rebuild/{moves}/")
    assert {re.sub(r"{\w+}", "7", path) for path in paths} <= asked


@pytest.mark.parametrize("kind", [shapes.Champions, shapes.Player, shapes.ResultLine])
def test_a_typed_object_has_the_members_of_the_openapi_file(kind):
    members = schema.document()["components"]["schemas"][kind.__name__]["properties"]
    assert {field.name for field in fields(kind)} == {*members, "extra"}


def shown(kind):
    return [each.name for each in fields(kind) if each.repr]


def test_fields_that_an_answer_leaves_out_are_empty_and_neither_secrets_nor_moves_are_printed():
    kinds = [kind for kind in vars(shapes).values() if is_dataclass(kind)]
    assert all({*inspect.get_annotations(kind)} <= {each.name for each in fields(kind)} for kind in kinds)
    defaults = {(kind.__name__, each.name): each.default for kind in kinds for each in fields(kind)}
    named = {name: value for name, value in defaults.items() if value is not MISSING and value}
    assert named == {("Round", "track"): "main", ("Submission", "state"): "judged", ("Player", "league"): "human"}
    assert {"claim", "secret", "extra", "lurd"}.isdisjoint(name for kind in kinds for name in shown(kind))
    assert "board" not in shown(shapes.LibraryLevel)


@pytest.mark.parametrize("slot", ["..", "../solutions", "main/../../solutions", "main?next=", "main#", "%2e%2e", ""])
def test_a_slot_leads_to_no_other_address(slot):
    """A language model chooses it, and reading solutions makes a player a spectator (rule 20.3)."""
    for call in (calls.level, calls.standings, calls.pareto, calls.hint):
        given = dict.fromkeys(inspect.signature(call).parameters, "7")
        with pytest.raises(Refused, match="does not exist"):
            call(**given | {"slot": slot})
