"""Operations entry by entry, the same for matrices (transposed or not) and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import lookup_dtype
from .expression import Expression, Lazy, calls, check_operand, compute, recipe
from .mask import Mask
from .operand import check_real, describe_value
from ..operators import lookup

CALLS = {"ewise_add": "eWiseAdd", "ewise_mult": "eWiseMult"}  # the C API's names


def _scalar(value: Any, what: str) -> Any:
    """A Scalar; `what` names the argument."""
    from ..scalar import Scalar

    value = compute(value)
    if not isinstance(value, (Scalar, bool, int, float, np.generic)):
        raise TypeError(f"{what}: a number or a gridblas Scalar is expected, not {describe_value(value)}")
    return value if isinstance(value, Scalar) else Scalar.from_value(value)


class Entrywise:
    """Needs `shape`, `dtype`, `kind`, `parent` (the C object) and `is_transposed`."""

    __slots__ = ()
    is_transposed = False

    if TYPE_CHECKING:  # infix.py adds them

        def _infix(self, other: Any) -> Any: ...
        def _prefix(self) -> Any: ...

        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __xor__ = __or__ = __and__ = __matmul__ = _infix
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rxor__ = __ror__ = __rand__ = __rmatmul__ = _infix
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _infix  # type: ignore[assignment]
        __neg__ = __abs__ = __invert__ = _prefix

    @property
    def parent(self) -> Any:
        """The object itself; of a transpose the matrix that it is one of."""
        return self

    def _ewise(self, other: Any, op: Any, name: str) -> Expression:
        other = check_operand(name, other, self.kind)
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)
        result = found.return_type
        if found.kind == "Semiring" and name == "ewise_mult":
            result = found.parent.binaryop[found.type].return_type
        function = f"GrB_{self.kind}_{CALLS[name]}_{found.kind}"
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls(self.kind, result, self.shape, function, found, self.parent, other.parent, **flags)

    def ewise_add(self, other: Any, op: Any = "plus") -> Expression:
        """op of the two entries where both have one; where one has an entry, that entry. As `op(x | y)`.

        other  of this kind and shape
        op     a binary operator, monoid or semiring (whose monoid counts)

        >>> x, y = gb.Vector.from_coo([0, 1], [1, 2], size=3), gb.Vector.from_coo([1, 2], [10, 20])
        >>> x.ewise_add(y, "plus").new().to_dict()
        {0: 1, 1: 12, 2: 20}
        """
        return self._ewise(other, op, "ewise_add")

    def ewise_mult(self, other: Any, op: Any = "times") -> Expression:
        """op of the two entries where both have one; elsewhere there is none. As `op(x & y)`.

        other  of this kind and shape
        op     a binary operator, monoid or semiring (whose multiplication counts)

        >>> x, y = gb.Vector.from_coo([0, 1], [1, 2], size=3), gb.Vector.from_coo([1, 2], [10, 20])
        >>> x.ewise_mult(y, "times").new().to_dict()
        {1: 20}
        """
        return self._ewise(other, op, "ewise_mult")

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """op where either has an entry, with a default for the entry that the other lacks.

        other                        of this kind and shape
        op                           a binary operator, monoid or semiring
        left_default, right_default  numbers, for entries that this object and the other one lack

        >>> x, y = gb.Vector.from_coo([0, 1], [1, 2], size=3), gb.Vector.from_coo([1, 2], [10, 20])
        >>> x.ewise_union(y, "minus", 0, 0).new().to_dict()
        {0: 1, 1: -8, 2: -20}
        """
        other = check_operand("ewise_union", other, self.kind)
        left, right = _scalar(left_default, "left_default"), _scalar(right_default, "right_default")
        dtypes = (lookup_dtype("BOOL") if isinstance(d, bool) else s.dtype for d, s in ((left_default, left), (right_default, right)))
        from ..dtypes import unify

        one, two = (unify(x.dtype, dtype) for x, dtype in zip((self, other), dtypes))
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), one, two)
        if found.kind != "BinaryOp":
            found = found.parent.binaryop[found.type]

        def make() -> Any:
            made = self.apply(found, right=right).new()
            made("first") << other.apply(found, left=left)
            made("second") << self.ewise_mult(other, found)
            return made

        return recipe(self.kind, found.return_type, self.shape, make, f"ewise_union({found!r})")

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """op of every entry.

        op           a unary operator: op(x). A binary one with right=: op(x, right), or with left=: op(left, x). An index-unary one:
                     op(x, row, column, right)
        right, left  a number or a Scalar

        >>> v = gb.Vector.from_coo([0, 2], [1, -4])
        >>> v.apply("abs").new().to_dict(), v.apply("minus", left=10).new().to_dict(), v.apply("index").new().to_dict()
        ({0: 1, 2: 4}, {0: 9, 2: 14}, {0: 0, 2: 2})
        """
        bound = right is not None or left is not None
        found = lookup.find(op, "binary", "indexunary", "monoid", "unary") if bound else lookup.find(op, "unary", "indexunary", "binary")
        if found.kind == "Monoid":
            found = (found.parent if hasattr(found, "parent") else found).binaryop
        if found.kind == "UnaryOp":
            if bound:
                raise TypeError(f"apply: {found!r} is a unary operator, and takes no left= or right=")
            found = lookup.typed(found, self.dtype)
            return self._apply(found, "", found, self.parent, first=self.is_transposed)
        if found.kind == "IndexUnaryOp":
            found, thunk = self._thunk(found, right)
            return self._apply(found, "_IndexOp_Scalar", found, self.parent, thunk, first=self.is_transposed)
        if found.kind != "BinaryOp" or not bound or (left is not None and right is not None):
            raise TypeError(f"apply: a unary operator, or a binary one with either left= or right=, is expected, not {found!r}")
        value = _scalar(right, "right") if left is None else _scalar(left, "left")
        if left is None:
            found = lookup.typed(found, self.dtype, value.dtype)
            return self._apply(found, "_BinaryOp2nd_Scalar", found, self.parent, value, first=self.is_transposed)
        found = lookup.typed(found, value.dtype, self.dtype)
        return self._apply(found, "_BinaryOp1st_Scalar", found, value, self.parent, second=self.is_transposed)

    def _apply(self, op: Any, form: str, *args: Any, **flags: bool) -> Expression:
        return calls(self.kind, op.return_type, self.shape, f"GrB_{self.kind}_apply{form}", *args, **flags)

    def _thunk(self, op: Any, thunk: Any) -> tuple[Any, Any]:
        """An index-unary operator and its second operand, of a type that fits it."""
        value = _scalar(0 if thunk is None else thunk, "thunk")
        by_value = op.name.startswith("value")
        return lookup.typed(op, self.dtype, value.dtype if by_value else None), value

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries for which op(x, row, column, thunk) is true, or those that a mask allows.

        op     a select operator ("tril", "triu", "diag", "offdiag", "valuegt", ">", "rowle", ...) or an index-unary one; or a mask
        thunk  a number or a Scalar; default: 0

        >>> A = gb.Matrix.from_coo([0, 1, 1], [1, 0, 1], [5, 6, 7])
        >>> A.select("tril").new().to_dicts(), A.select(">", 5).new().to_dicts(), A.select(A > 5).new().to_dicts()
        ({1: {0: 6, 1: 7}}, {1: {0: 6, 1: 7}}, {1: {0: 6, 1: 7}})
        """
        if isinstance(op, (Mask, Entrywise, Lazy)):
            return self.dup(mask=op).apply("identity")
        op, thunk = self._thunk(lookup.find(op, "select", "indexunary"), thunk)
        function = f"GrB_{self.kind}_select_Scalar"
        return calls(self.kind, self.dtype, self.shape, function, op, self.parent, thunk, first=self.is_transposed)

    # ---- comparisons as a whole ----

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether the other object has the same shape, the same entries, and with check_dtype the same type.

        >>> gb.Vector.from_coo([0], [1]).isequal(gb.Vector.from_coo([0], [1.0]))
        True
        """
        other = check_operand("isequal", other, self.kind)
        if self.shape != other.shape or (check_dtype and self.dtype is not other.dtype) or self.nvals != other.nvals:
            return False
        same = self.ewise_mult(other, "eq").new()
        return same.nvals == self.nvals and bool(same._reduce_all("land"))

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Whether the other object has the same shape and positions of entries, and values that differ by at most
        max(rel_tol * the larger, abs_tol).

        >>> gb.Vector.from_coo([0], [1.0]).isclose(gb.Vector.from_coo([0], [1.0 + 1e-12]))
        True
        """
        other = check_operand("isclose", other, self.kind)
        rel_tol, abs_tol = check_real("rel_tol", rel_tol), check_real("abs_tol", abs_tol)
        if self.shape != other.shape or (check_dtype and self.dtype is not other.dtype) or self.nvals != other.nvals:
            return False
        if self.ewise_mult(other, "pair").new().nvals != self.nvals:
            return False
        x, y = self.dup("FP64"), other.dup("FP64")
        apart = (x - y).new().apply("abs").new()
        bound = x.apply("abs").new().ewise_mult(y.apply("abs").new(), "max").new()
        bound << bound.apply("times", right=rel_tol)
        bound << bound.apply("max", right=abs_tol)
        is_close = apart.ewise_mult(bound, "le").new()
        is_close("lor") << x.ewise_mult(y, "eq")  # infinities
        return bool(is_close._reduce_all("land"))
