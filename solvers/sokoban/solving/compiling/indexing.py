"""How kernels read and write their tables: one number of a C-contiguous array, or one row, by its address.

Numba asks at each place that reads an array whether the index counts from the end. No kernel counts from the end, and
what need not be compiled need not be optimized: it is most of what there is.
"""

import operator
from collections.abc import Callable
from typing import Any

from numba.core import cgutils, types
from numba.np.arrayobj import load_item, store_item


def index_directly(context: Any) -> None:
    """Let numba's *context* of one function index so; everything else stays as it is."""
    find = context.get_function

    def get_function(function: Any, signature: Any, **options: Any) -> Any:
        access = _ACCESS.get(getattr(function, "typing_key", None))
        if access is _read and _is_row(*signature.args):
            access = _row
        elif access and not _is_direct(*signature.args[:2]):
            access = None
        if access:
            return lambda builder, args: access(context, builder, signature, args)
        return find(function, signature, **options)

    context.get_function = get_function


def _is_direct(array: Any, index: Any) -> bool:
    """Whether *index* names one number of *array*, by whole numbers."""
    if not _is_table(array) or len(_kinds(index)) != array.ndim:
        return False
    return all(isinstance(kind, types.Integer) for kind in _kinds(index))


def _is_row(array: Any, index: Any) -> bool:
    """Whether *index* names one row of *array*."""
    return _is_table(array) and array.ndim == 2 and isinstance(index, types.Integer)


def _is_table(array: Any) -> bool:
    return isinstance(array, types.Array) and array.layout == "C" and isinstance(array.dtype, types.Integer)


def _kinds(index: Any) -> tuple[Any, ...]:
    return tuple(index) if isinstance(index, types.BaseTuple) else (index,)  # type: ignore[arg-type]  # numba iterates them


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind, kinds = signature.args[0], _kinds(signature.args[1])
    indices = [args[1]]
    if isinstance(signature.args[1], types.BaseTuple):
        indices = cgutils.unpack_tuple(builder, args[1], len(kinds))
    indices = [context.cast(builder, *pair, types.intp) for pair in zip(indices, kinds, strict=True)]
    place = context.data_model_manager[kind].get_field_position
    data = builder.extract_value(args[0], place("data"))
    # The length of the first axis is not needed to find a place.
    lengths = [builder.extract_value(args[0], [place("shape"), axis]) for axis in range(1, kind.ndim)]
    return cgutils.get_item_pointer2(context, builder, data, [None, *lengths], None, "C", indices)


def _read(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return load_item(context, builder, signature.args[0], _address(context, builder, signature, args))


def _write(context: Any, builder: Any, signature: Any, args: Any) -> None:
    kind, _, given = signature.args
    value = context.cast(builder, args[2], given, kind.dtype)
    store_item(context, builder, kind, value, _address(context, builder, signature, args))


def _row(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    zero = context.get_constant(types.intp, 0)
    whole = context.make_helper(builder, signature.args[0], value=args[0])
    length = builder.extract_value(whole.shape, 1)
    row = context.make_helper(builder, signature.return_type)
    number = context.cast(builder, args[1], signature.args[1], types.intp)
    row.data = cgutils.get_item_pointer2(context, builder, whole.data, [None, length], None, "C", [number, zero])
    row.shape = cgutils.pack_array(builder, [length])
    return row._getvalue()


_ACCESS: dict[Any, Callable[..., Any]] = {operator.getitem: _read, operator.setitem: _write}
