"""Operations entry by entry, the same for matrices (transposed or not) and vectors."""

from __future__ import annotations

from typing import Any

from .dtypes import DataType, lookup_dtype
from .expression import Expression, calls, compute, recipe
from .operators import lookup


def _scalar(value: Any, dtype: DataType | None = None) -> Any:
    from .scalar import Scalar

    value = compute(value)
    return value if isinstance(value, Scalar) else Scalar.from_value(value, dtype)


class Entrywise:
    """Needs `shape`, `dtype`, `kind`, `parent` (the C object) and `is_transposed`."""

    __slots__ = ()
    is_transposed = False

    @property
    def parent(self) -> Any:
        return self

    def _ewise(self, other: Any, op: Any, name: str) -> Expression:
        other = compute(other)
        if getattr(other, "kind", None) != self.kind:
            raise TypeError(f"{name} wants two of a kind, a {self.kind} and not {type(other).__name__}")
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)
        result = found.return_type
        if found.kind == "Semiring" and name == "eWiseMult":
            result = found.parent.binaryop[found.type].return_type
        function = f"GrB_{self.kind}_{name}_{found.kind}"
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls(self.kind, result, self.shape, function, found, self.parent, other.parent, **flags)

    def ewise_add(self, other: Any, op: Any = "plus") -> Expression:
        """op on places where both have entries; a lone entry is copied."""
        return self._ewise(other, op, "eWiseAdd")

    def ewise_mult(self, other: Any, op: Any = "times") -> Expression:
        """op on places where both have entries; others have none."""
        return self._ewise(other, op, "eWiseMult")

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """op on places where either has an entry, with a default for what the other lacks."""
        other = compute(other)
        left, right = _scalar(left_default), _scalar(right_default)
        dtypes = (lookup_dtype("BOOL") if isinstance(d, bool) else s.dtype for d, s in ((left_default, left), (right_default, right)))
        from .dtypes import unify

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
        """f(x) of every entry; with a value beside it f(x, right) or f(left, x); of an index-unary operator f(x, i, j, right)."""
        bound = right is not None or left is not None
        found = lookup.find(op, "binary", "indexunary", "monoid", "unary") if bound else lookup.find(op, "unary", "indexunary", "binary")
        if found.kind == "Monoid":
            found = (found.parent if hasattr(found, "parent") else found).binaryop
        if found.kind == "UnaryOp":
            if bound:
                raise TypeError(f"{found!r} takes no value beside the entries")
            found = lookup.typed(found, self.dtype)
            return self._apply(found, "", found, self.parent, first=self.is_transposed)
        if found.kind == "IndexUnaryOp":
            found, thunk = self._thunk(found, right)
            return self._apply(found, "_IndexOp_Scalar", found, self.parent, thunk, first=self.is_transposed)
        if found.kind != "BinaryOp" or not bound or (left is not None and right is not None):
            raise TypeError(f"apply wants a unary operator, or a binary one with left= or right=, not {found!r}")
        value = _scalar(right if left is None else left)
        if left is None:
            found = lookup.typed(found, self.dtype, value.dtype)
            return self._apply(found, "_BinaryOp2nd_Scalar", found, self.parent, value, first=self.is_transposed)
        found = lookup.typed(found, value.dtype, self.dtype)
        return self._apply(found, "_BinaryOp1st_Scalar", found, value, self.parent, second=self.is_transposed)

    def _apply(self, op: Any, form: str, *args: Any, **flags: bool) -> Expression:
        return calls(self.kind, op.return_type, self.shape, f"GrB_{self.kind}_apply{form}", *args, **flags)

    def _thunk(self, op: Any, thunk: Any) -> tuple[Any, Any]:
        """An index-unary operator and its second operand, of a type that fits it."""
        value = _scalar(0 if thunk is None else thunk)
        by_value = op.name.startswith("value")
        return lookup.typed(op, self.dtype, value.dtype if by_value else None), value

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries for which op(x, i, j, thunk) is true."""
        op, thunk = self._thunk(lookup.find(op, "select", "indexunary"), thunk)
        function = f"GrB_{self.kind}_select_Scalar"
        return calls(self.kind, self.dtype, self.shape, function, op, self.parent, thunk, first=self.is_transposed)

    # ---- comparisons as a whole ----

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """The same shape, places and values (and type)."""
        other = compute(other)
        if self.shape != other.shape or (check_dtype and self.dtype is not other.dtype) or self.nvals != other.nvals:
            return False
        same = self.ewise_mult(other, "eq").new()
        return same.nvals == self.nvals and bool(same._reduce_all("land"))

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """The same shape and places, and values that differ by at most max(rel_tol * the larger, abs_tol)."""
        other = compute(other)
        if self.shape != other.shape or (check_dtype and self.dtype is not other.dtype) or self.nvals != other.nvals:
            return False
        if self.ewise_mult(other, "pair").new().nvals != self.nvals:
            return False
        x, y = self.dup("FP64"), other.dup("FP64")
        apart = (x - y).new().apply("abs").new()
        bound = x.apply("abs").new().ewise_mult(y.apply("abs").new(), "max").new()
        bound << bound.apply("times", right=rel_tol)
        bound << bound.apply("max", right=abs_tol)
        near = apart.ewise_mult(bound, "le").new()
        near("lor") << x.ewise_mult(y, "eq")  # infinities
        return bool(near._reduce_all("land"))
