"""Shortcuts through numba's compiler: it asks the same questions again and again, and some that no kernel raises.

After most of its thirty passes it works out how long each variable lives, for each operator that it writes down what
two kinds of numbers give, and at each look into its memory it compares all of its options. A kernel is no generator,
nothing in it is counted, and the options stay what they are. So these questions are answered at once while a kernel is
compiled, and as ever for everybody else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import ir, postproc, targetconfig, transforms
from numba.core.compiler import DefaultPassBuilder
from numba.core.types.functions import BaseFunction

_BUILDER: Any = DefaultPassBuilder
_NEEDLESS = frozenset(
    {
        "with_lifting",
        "nopython_rewrites",  # of whole arrays
        "inline_overloads",
        "inline_closure_likes",
        "inline_inlinables",
        "literal_unroll",
        "find_literally",
        "dump_parfor_diagnostics",
        "nopython_supported_feature_validation",
    }
)


def passes(state: Any) -> Any:
    """Numba's passes over a function, without those that find nothing in a kernel."""
    manager = _BUILDER.define_nopython_pipeline(state)
    needed = [entry for entry in manager.passes if entry[0]._name not in _NEEDLESS]
    shorter = type(manager)(manager.pipeline_name)
    shorter.passes.extend(needed)
    shorter.finalize()
    return shorter


_types_of_calls: dict[Any, Any] = {}
_find_type = BaseFunction.get_call_type


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Find out what comes of an operator: the same as before, for the same types."""
    if kws or getattr(self.typing_key, "__module__", "") != "_operator":
        return _find_type(self, context, args, kws)
    if (self, args) not in _types_of_calls:
        _types_of_calls[self, args] = _find_type(self, context, args, kws)
    return _types_of_calls[self, args]


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:  # noqa: FBT001, FBT002, ARG001
    """Put the blocks in order, and ask not where each variable ends: nothing is freed there."""
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


def _list_variables(self: Any) -> list[Any]:
    """The variables of a statement, looked for where they can be."""
    return _variables_in(self.__dict__.values())


def _list_operands(self: Any) -> list[Any]:
    """The variables of an expression."""
    return _variables_in(self._kws.values())


def _variables_in(values: Any) -> list[Any]:
    found = []
    for value in values:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind is ir.Expr:
            found += _variables_in(value._kws.values())
        elif kind is tuple or kind is list:
            found += _variables_in(value)
        elif kind is dict:
            found += _variables_in(value.values())
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
    return found


def _is_equal(self: Any, other: Any) -> Any:
    if isinstance(other, targetconfig.TargetConfig):
        return self._values == other._values or self.values() == other.values()
    return NotImplemented


def _hash(self: Any) -> int:
    """Tell options apart by hardly anything: there are two sets of them, and equal ones must be alike."""
    return hash(tuple(sorted(self.options)))


_CHANGES: tuple[tuple[Any, str, Any], ...] = (
    (BaseFunction, "get_call_type", _get_call_type),
    (postproc.PostProcessor, "run", _post_process),
    (ir.Stmt, "list_vars", _list_variables),
    (ir.Expr, "list_vars", _list_operands),
    (targetconfig.TargetConfig, "__eq__", _is_equal),
    (targetconfig.TargetConfig, "__hash__", _hash),
)


@contextmanager
def shortcuts() -> Iterator[None]:
    """Take them meanwhile."""
    before = [(owner, name, owner.__dict__.get(name)) for owner, name, _ in _CHANGES]
    for owner, name, shorter in _CHANGES:
        setattr(owner, name, shorter)
    try:
        yield
    finally:
        for owner, name, was in before:
            if was is None:
                delattr(owner, name)
            else:
                setattr(owner, name, was)
