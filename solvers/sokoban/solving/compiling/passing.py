"""How a kernel is given its tables, and gives them to what it calls: the address and the lengths, nothing else.

Numba makes seven arguments and more of an array: who counts its references, whose it is, how many numbers it has, how
long each is, where they lie, the lengths and the strides. A kernel that gets a hundred tables moves them all about at
every call. Tables are C-contiguous here and keep nobody alive, so that two or three of these do.
"""

from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel.models import StructModel
from numba.core.datamodel.registry import default_manager
from numba.core.pythonapi import NativeValue, PythonAPI


class _TableModel(StructModel):
    """What is known of a table."""

    def __init__(self, manager: Any, kind: Any) -> None:
        address: Any = types.CPointer(kind.dtype)
        lengths: Any = types.UniTuple(types.intp, kind.ndim)
        fields = [("data", address), ("shape", lengths)]
        super().__init__(manager, kind, fields)  # type: ignore[no-untyped-call]


_MODELS: Any = default_manager.copy()
_MODELS.register(types.Array, _TableModel)


def pass_lightly(context: Any) -> None:
    """Let numba's *context* of one function hand tables on so; what Python gives is unpacked at the door."""
    context.data_model_manager = _MODELS
    context.get_python_api = lambda builder: _Door(context, builder)  # type: ignore[no-untyped-call]


class _Door(PythonAPI):
    """Where Python's values become those of a kernel."""

    def to_native_value(self, typ: Any, obj: Any) -> Any:
        if not isinstance(typ, types.Array):
            return super().to_native_value(typ, obj)  # type: ignore[no-untyped-call]
        builder: Any = self.builder
        model: Any = default_manager[typ]
        whole = cgutils.alloca_once(builder, model.get_value_type())
        error = self.numba_array_adaptor(obj, builder.bitcast(whole, self.voidptr))  # type: ignore[no-untyped-call]
        table = self.context.make_helper(builder, typ)
        for name in ("data", "shape"):
            place = model.get_field_position(name)
            field = cgutils.gep_inbounds(builder, whole, 0, place)
            setattr(table, name, builder.load(field))
        return NativeValue(table._getvalue(), is_error=cgutils.is_not_null(builder, error))
