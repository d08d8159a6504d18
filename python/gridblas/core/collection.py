"""What matrices, vectors and scalars share: outputs with `<<`, operators between them, expressions by index."""

from __future__ import annotations

import itertools
from operator import attrgetter
from typing import Any

from .. import library
from .._declarations import ffi
from ..dtypes import BOOL, DataType, lookup_dtype, type_of_code
from .expression import Deferred, Expression, Lazy, compute
from .index import Axis, axes
from .mask import Mask
from .operand import describe_value
from .update import SubassignTarget, Updater, put

_numbers = itertools.count()


class Collection:
    """A C object with a type and a name; operators between two of them make expressions."""

    __slots__ = ("_owner", "_dtype", "name", "__weakref__")
    kind = ""
    letter = ""
    _dimensions: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: DataType = property(attrgetter("_dtype"), doc="The type of the entries.")  # type: ignore[assignment]

    def _init(self, owner: Any, name: str | None) -> None:
        self._owner = owner
        self.name = name or f"{self.letter}_{next(_numbers)}"

    @classmethod
    def _adopt(cls, pointer: Any, name: str | None = None) -> Any:
        """The Python object of a handle that the library has written to pointer[0]."""
        made = cls.__new__(cls)
        made._init(library.owned("GrB_" + cls.kind, pointer), name)
        return made

    def __getattr__(self, name: str) -> Any:
        """The type and the dimensions of an object that the library has made, which are read when they are first wanted."""
        if name == "_dtype":
            code = ffi.new("int32_t *")
            library.call(f"GrB_{self.kind}_get_INT32", self, code, library.lib.GrB_EL_TYPE_CODE)
            self._dtype = type_of_code(code[0])
        elif name in self._dimensions:
            number = ffi.new("GrB_Index *")
            library.call(f"GrB_{self.kind}{name}", number, self)
            setattr(self, name, number[0])
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return getattr(self, name)

    @property
    def handle(self) -> Any:
        """The object of the C library."""
        return self._owner[0]

    @property
    def ndim(self) -> int:
        """The number of dimensions: 2 of a Matrix, 1 of a Vector, 0 of a Scalar."""
        return len(self.shape)

    @property
    def nvals(self) -> int:
        """The number of entries. Collective.

        >>> gb.Vector.from_coo([1, 4], [2.0, 3.0]).nvals
        2
        """
        number = ffi.new("GrB_Index *")
        library.call(f"GrB_{self.kind}_nvals", number, self)
        return number[0]

    def _like(self, dtype: Any) -> Any:
        """An empty object of this shape."""
        return type(self)(lookup_dtype(dtype), *self.shape)

    def clear(self) -> None:
        """Removes all entries.

        >>> v = gb.Vector.from_coo([1, 4], [2.0, 3.0])
        >>> v.clear()
        >>> v.nvals, v.size
        (0, 5)
        """
        library.call(f"GrB_{self.kind}_clear", self)

    def wait(self, how: str = "materialize") -> Any:
        """Finishes what the library has put off, and returns the object; how: "materialize" or "complete", as in the C API.

        >>> gb.Vector.from_coo([1], [2.0]).wait().nvals
        1
        """
        if how not in ("materialize", "complete"):
            raise ValueError(f"how: 'materialize' or 'complete' is expected, not {describe_value(how)}")
        mode = library.lib.GrB_COMPLETE if how == "complete" else library.lib.GrB_MATERIALIZE
        library.call(f"GrB_{self.kind}_wait", self, mode)
        return self

    def dup(self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None) -> Any:
        """A copy.

        dtype  another type; values are cast
        clear  True: without entries
        mask   the entries that are copied: M.S, M.V, ~M.S, ~M.V or a BOOL object

        >>> v = gb.Vector.from_coo([0, 1], [1.5, 2.5])
        >>> v.dup(int).to_dict(), v.dup(clear=True).nvals
        ({0: 1, 1: 2}, 0)
        """
        dtype = lookup_dtype(dtype or self.dtype)
        if dtype is self.dtype and not clear and mask is None:
            made = type(self).__new__(type(self))
            made._init(library.make("GrB_" + self.kind, f"GrB_{self.kind}_dup", self), name)
            return made
        made = self._like(dtype)
        made.name = name or made.name
        if not clear:
            put(made, self, Updater(made, (mask,)).mask if mask is not None else None, None, False)
        return made

    def __copy__(self) -> Any:
        return self.dup()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.dup()

    # ---- outputs ----

    def __call__(self, *words: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> Updater:
        """The output with a mask, an accumulator and replace, for `C(mask, accum, replace=True) << x`."""
        return Updater(self, words, mask, accum, replace)

    def __lshift__(self, value: Any) -> None:
        put(self, value, None, None, False)

    def update(self, value: Any) -> None:
        """The same as `C << value`: an expression, an object, or a number for all positions.

        >>> s = gb.Scalar(int)
        >>> s.update(gb.Vector.from_coo([0, 1], [1, 2]).reduce("plus"))
        >>> s.value
        3
        """
        put(self, value, None, None, False)

    @property
    def S(self) -> Mask:  # noqa: N802
        """The mask of the positions with entries; ~A.S its complement.

        >>> v, w = gb.Vector.from_coo([0], [0], size=2), gb.Vector(int, 2)
        >>> w(v.S) << 7
        >>> w.to_dict()
        {0: 7}
        """
        return Mask(self, True)

    @property
    def V(self) -> Mask:  # noqa: N802
        """The mask of the positions with entries that are not 0; ~A.V its complement.

        >>> v, w = gb.Vector.from_coo([0, 1], [0, 3]), gb.Vector(int, 2)
        >>> w(v.V) << 7
        >>> w.to_dict()
        {1: 7}
        """
        return Mask(self, False)

    def __bool__(self) -> bool:
        raise TypeError(f"a {self.kind} is neither true nor false; .nvals counts its entries")

    def __array__(self, *args: Any, **options: Any) -> Any:
        raise TypeError(f"a {self.kind} has positions without entries; .to_dense(fill_value) and .to_coo() give arrays")

    __hash__ = None  # type: ignore[assignment]


class Indexed(Lazy):
    """A[rows, cols]: a region to extract or to assign to."""

    __slots__ = ("parent", "at")

    def __init__(self, parent: Any, index: Any) -> None:
        self.parent = parent
        self.at: list[Axis] = axes(index, parent.shape)

    def expression(self) -> Expression:
        """The extraction."""
        return self.parent._extract(self.at)

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **options: Any) -> Any:
        """Extracts into a new object: a Matrix, a Vector, or for a single position a Scalar."""
        return self.expression().new(dtype, mask=mask, name=name)

    dup = new

    def __call__(self, *words: Any, **options: Any) -> SubassignTarget:
        return SubassignTarget(self.parent, self.at, words, options)

    def __lshift__(self, value: Any) -> None:
        SubassignTarget(self.parent, self.at, (), {}).update(value)

    update = __lshift__

    @property
    def ndim(self) -> int:
        """The dimensions of the extracted object."""
        return sum(axis.single is None for axis in self.at)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.new(), name)

    def __bool__(self) -> bool:
        return bool(self.new())

    def __int__(self) -> int:
        return int(self.new())

    def __float__(self) -> float:
        return float(self.new())

    def __repr__(self) -> str:
        return f"gridblas: entries of {self.parent.name} by index; `.new()` extracts them"


class Infix(Deferred):
    """A | B, A & B, A @ B: the operator is still missing, as in binary.plus(A | B)."""

    __slots__ = ("left", "right", "sign")

    def __init__(self, left: Any, right: Any, sign: str) -> None:
        self.left = compute(left)
        self.right = compute(right)
        self.sign = sign

    def _with(self, op: Any, *, left_default: Any = None, right_default: Any = None) -> Expression:
        if self.sign == "@":
            return matmul(self.left, self.right, op)
        if self.sign == "&":
            return self.left.ewise_mult(self.right, op)
        if left_default is None and right_default is None:
            return self.left.ewise_add(self.right, op)
        return self.left.ewise_union(self.right, op, left_default, right_default)

    def expression(self) -> Expression:
        """Without an operator: of BOOL objects, or plus_times."""
        if self.sign == "@":
            return self._with("plus_times")
        if self.left.dtype is not BOOL or self.right.dtype is not BOOL:
            raise TypeError(f"x {self.sign} y by itself is for BOOL objects; say the operator: binary.plus(x {self.sign} y)")
        return self._with("lor" if self.sign == "|" else "land")

    def __repr__(self) -> str:
        if self.sign == "@":
            return "gridblas: x @ y; `.new()` computes it by plus_times, `semiring.min_plus(x @ y)` names another semiring"
        return f"gridblas: x {self.sign} y; `binary.plus(x {self.sign} y)` names the operator"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.expression(), name)


def matmul(left: Any, right: Any, op: Any) -> Expression:
    """mxm, mxv, vxm or the inner product, by what the operands are."""
    if left.ndim == 2:
        return left.mxm(right, op) if right.ndim == 2 else left.mxv(right, op)
    return left.vxm(right, op) if right.ndim == 2 else left.inner(right, op)
