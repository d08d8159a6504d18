"""C(mask, accum, replace) << value, and the same for C[rows, cols]."""

from __future__ import annotations

from typing import Any

from .. import library
from ..dtypes import DataType
from .expression import Deferred, compute
from .index import Axis, axes
from .mask import Mask, as_mask, check_mask, descriptor
from .operand import conversion_hint, describe_value
from ..operators import lookup
from ..operators.base import Operator, TypedOperator

replace = object()  # C(mask, replace) is C(mask, replace=True)
_replace = replace


class Updater:
    """An output with its mask, accumulator and replace."""

    __slots__ = ("target", "mask", "accum", "replace")

    def __init__(self, target: Any, words: tuple[Any, ...], mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        for word in words:
            if word is _replace:
                replace = True
            elif isinstance(word, (str, Operator, TypedOperator)):
                if accum is not None:
                    raise TypeError(f"C(mask, accum): one accumulator is expected, not two, {accum!r} and {word!r}")
                accum = word
            elif mask is not None:
                raise TypeError("C(mask, accum): one mask is expected, not two")
            else:
                mask = word
        self.target = target
        self.mask = as_mask(mask)
        self.accum = accumulator(accum, target.dtype)
        self.replace = replace
        if replace and mask is None:
            raise TypeError("C(mask, replace=True): a mask is expected with replace")
        if self.mask is not None and target.ndim == 0:
            raise TypeError("a Scalar has no mask")

    def __lshift__(self, value: Any) -> None:
        put(self.target, value, self.mask, self.accum, self.replace)

    update = __lshift__

    def __getitem__(self, index: Any) -> AssignTarget:
        return AssignTarget(self, axes(index, self.target.shape))

    def __setitem__(self, index: Any, value: Any) -> None:
        AssignTarget(self, axes(index, self.target.shape)).update(value)


class AssignTarget:
    """C(mask, accum, replace)[rows, cols]: the mask covers all of C."""

    __slots__ = ("out", "at")

    def __init__(self, out: Updater, at: list[Axis]) -> None:
        self.out = out
        self.at = at

    def __lshift__(self, value: Any) -> None:
        assign(self.out.target, self.at, value, self.out.mask, self.out.accum, self.out.replace)

    update = __lshift__


class SubassignTarget:
    """C[rows, cols](mask, accum, replace): the mask covers C[rows, cols] alone."""

    __slots__ = ("target", "at", "words", "options")

    def __init__(self, target: Any, at: list[Axis], words: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.target = target
        self.at = at
        self.words = words
        self.options = options

    def __lshift__(self, value: Any) -> None:
        out = Updater(self.target, self.words, **self.options)
        if out.mask is None:
            assign(self.target, self.at, value, None, out.accum, False)
            return
        part = self.target._extract(self.at).new(self.target.dtype)
        put(part, value, out.mask, out.accum, out.replace)
        assign(self.target, self.at, part, None, None, False)

    update = __lshift__


def accumulator(accum: Any, dtype: DataType) -> TypedOperator | None:
    """The operator that joins old and new values of an output of this type."""
    if accum is None:
        return None
    op = lookup.find(accum, "binary", "monoid", what="accum")
    if op.kind == "Monoid":
        op = (op.parent if isinstance(op, TypedOperator) else op).binaryop
    return lookup.typed(op, dtype)


def put(out: Any, value: Any, mask: Mask | None, accum: TypedOperator | None, replace: bool) -> None:
    """out<mask> accum= value."""
    check_mask(mask, out)
    if isinstance(value, Deferred):
        value.expression().write(out, mask, accum, replace)
    elif out.ndim == 0:
        out._put(value, accum)
    elif getattr(value, "is_transposed", False):
        library.call("GrB_transpose", out, mask, accum, value.parent, descriptor(mask, replace))
    else:
        assign(out, axes(..., out.shape), value, mask, accum, replace)


def assign(out: Any, at: list[Axis], value: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
    """out<mask>[at] accum= value."""
    from ..scalar import Scalar

    value = compute(value)
    ndim = getattr(value, "ndim", 0)
    if ndim == 0:
        if isinstance(value, (list, tuple)):
            raise TypeError(
                f"C[...] << x: a number or a gridblas object is expected, not {describe_value(value)}{conversion_hint(value, out.kind)}"
            )
        value = value if isinstance(value, Scalar) else Scalar.from_value(value, out.dtype if value is None else None)
        if mask is None and accum is None and all(axis.single is not None for axis in at):
            places = [axis.single for axis in at]
            library.call(f"GrB_{out.kind}_setElement_Scalar", out, value, *places)
            return
        check_mask(mask, out)
        _assign_call(f"GrB_{out.kind}_assign_Scalar", out, at, value, mask, accum, replace)
        return
    wanted = sum(axis.single is None for axis in at)
    if type(value).__name__ not in ("Vector", "Matrix", "TransposedMatrix") or ndim != wanted:
        kinds = ("a number", "a gridblas Vector or a number", "a gridblas Matrix or a number")[wanted]
        kind = ("Scalar", "Vector", "Matrix")[wanted]
        raise TypeError(
            f"C[...] << x: {kinds} is expected for {wanted} dimensions of a {out.kind}, not {describe_value(value)}{conversion_hint(value, kind)}"
        )
    if ndim == len(at):
        check_mask(mask, out)
        if getattr(value, "is_transposed", False):
            _assign_call("GrB_Matrix_assign", out, at, value.parent, mask, accum, replace, first=True)
        else:
            _assign_call(f"GrB_{out.kind}_assign", out, at, value, mask, accum, replace)
        return
    row = at[0].single is not None
    line, single = (at[1], at[0]) if row else (at[0], at[1])
    if mask is not None and mask.parent.ndim == 2:
        matrix = value._as_matrix(row)
        _assign_call("GrB_Matrix_assign", out, at, matrix, mask, accum, replace)
        return
    desc = descriptor(mask, replace)
    if row:
        library.call("GrB_Row_assign", out, mask, accum, value, single.single, line, line.number, desc)
    else:
        library.call("GrB_Col_assign", out, mask, accum, value, line, line.number, single.single, desc)


def _assign_call(function: str, out: Any, at: list[Axis], value: Any, mask: Any, accum: Any, replace: bool, first: bool = False) -> None:
    lists = [part for axis in at for part in (axis.as_list(), axis.number)]
    library.call(function, out, mask, accum, value, *lists, descriptor(mask, replace, first))
