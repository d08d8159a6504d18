"""gridblas.Vector."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .collection import Collection, Indexed
from .dtypes import lookup_dtype
from .entrywise import Entrywise
from .expression import Expression, calls, compute, recipe
from .index import Axis, places, pointer
from .operators import lookup
from .reduce import reduce_to_scalar
from .update import SubPlace
from .values import build, pairs_of


class Vector(Entrywise, Collection):
    """A sparse vector of a type and a size, dealt out over all processes."""

    __slots__ = ("size",)
    kind, letter = "Vector", "v"

    def __init__(self, dtype: Any = "FP64", size: int = 1, *, name: str | None = None) -> None:
        dtype = lookup_dtype(dtype)
        self._init(library.make("GrB_Vector", "GrB_Vector_new", dtype, size), dtype, name)

    def _init(self, owner: Any, dtype: Any, name: str | None) -> None:
        super()._init(owner, dtype, name)
        size = ffi.new("GrB_Index *")
        library.call("GrB_Vector_size", size, self)
        self.size: int = size[0]

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self.size,)

    # ---- from and to Python ----

    @classmethod
    def from_coo(
        cls, indices: Any, values: Any = 1.0, dtype: Any = None, *, size: int | None = None, dup_op: Any = None, name: str | None = None
    ) -> Vector:
        """A vector with values at these indices, the same arrays on every process."""
        indices = places(indices)
        alike = np.ndim(values) == 0
        values, dtype = pairs_of(values, len(indices), dtype)
        made = cls(dtype, size if size is not None else int(indices.max(initial=0)) + 1, name=name)
        build(made, [indices], values, dup_op, alike)
        return made

    @classmethod
    def from_pairs(cls, pairs: Any, dtype: Any = None, *, size: int | None = None, dup_op: Any = None, name: str | None = None) -> Vector:
        """A vector of (index, value) pairs."""
        pairs = list(pairs)
        return cls.from_coo([i for i, _ in pairs], [x for _, x in pairs], dtype, size=size, dup_op=dup_op, name=name)

    @classmethod
    def from_dict(cls, d: dict[int, Any], dtype: Any = None, *, size: int | None = None, name: str | None = None) -> Vector:
        """A vector of a dictionary {index: value}."""
        return cls.from_pairs(d.items(), dtype, size=size, name=name)

    @classmethod
    def from_scalar(cls, value: Any, size: int, dtype: Any = None, *, name: str | None = None) -> Vector:
        """A vector with the same value everywhere."""
        from .scalar import Scalar

        made = cls(dtype or Scalar.from_value(value).dtype, size, name=name)
        made[:] << value
        return made

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Vector:
        """A vector of an array; what equals missing_value is no entry."""
        values = np.asarray(values, None if dtype is None else lookup_dtype(dtype).np_type)
        where = np.arange(len(values)) if missing_value is None else np.flatnonzero(values != missing_value)
        return cls.from_coo(where, values[where], dtype, size=len(values), name=name)

    @classmethod
    def from_local(cls, indices: Any, values: Any = None, dtype: Any = None, *, size: int, dup_op: Any = None) -> Vector:
        """A vector of tuples of which each process gives its own; without values all are 1."""
        indices = places(indices)
        array = None if values is None else np.ascontiguousarray(values, lookup_dtype(dtype or np.asarray(values).dtype).np_type)
        made = cls(dtype or ("FP64" if array is None else array.dtype), size)
        dup = None if dup_op is None else lookup.typed(lookup.find(dup_op, "binary"), made.dtype)
        data = None if array is None else pointer(array, "void")
        library.call(
            "Grid_Vector_build", made, pointer(indices, "GrB_Index"), data, made.dtype if array is not None else None, len(indices), dup
        )
        return made

    def to_local(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices and values of this process's own entries."""
        self.wait()
        number = ffi.new("GrB_Index *", 0)
        first, count = ffi.new("GrB_Index *"), ffi.new("GrB_Index *")
        library.call("Grid_share", self.size, first, count)
        number[0] = min(count[0], self.nvals)
        indices, values = np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        library.call("Grid_Vector_extractLocal", pointer(indices, "GrB_Index"), pointer(values, "void"), number, self)
        return indices[: number[0]], values[: number[0]]

    def build(self, indices: Any, values: Any, *, dup_op: Any = None, clear: bool = False, size: int | None = None) -> None:
        """Puts values at indices of an empty vector."""
        if clear:
            self.clear()
        if size is not None:
            self.resize(size)
        indices = places(indices)
        build(self, [indices], pairs_of(values, len(indices), self.dtype)[0], dup_op)

    def to_coo(self, dtype: Any = None, *, indices: bool = True, values: bool = True, sort: bool = True) -> tuple[Any, Any]:
        """Indices and values of all entries, ascending, on every process."""
        number = ffi.new("GrB_Index *", self.nvals)
        where, what = np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        function = f"GrB_Vector_extractTuples_{self.dtype.name}"
        library.call(function, pointer(where, "GrB_Index"), pointer(what, self.dtype.c_type), number, self)
        if dtype is not None:
            what = what.astype(lookup_dtype(dtype).np_type, copy=False)
        return where if indices else None, what if values else None

    def to_dict(self) -> dict[int, Any]:
        """{index: value} of all entries."""
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist()))

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """An array of all places; fill_value where there is no entry."""
        indices, values = self.to_coo()
        return _dense((self.size,), (indices,), values, fill_value, dtype or self.dtype)

    # ---- changes ----

    def resize(self, size: int) -> None:
        """Changes the size; entries beyond it go."""
        library.call("GrB_Vector_resize", self, size)
        self.size = size

    def __getitem__(self, index: Any) -> Indexed:
        return Indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        SubPlace(self, Indexed(self, index).at, (), {}).update(value)

    def __delitem__(self, index: Any) -> None:
        at = Indexed(self, index).at
        if at[0].single is None:
            raise TypeError("del is for a single entry")
        library.call("GrB_Vector_removeElement", self, at[0].single)

    def __contains__(self, index: Any) -> bool:
        return self.get(index) is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_coo()[0].tolist())

    def get(self, index: int, default: Any = None) -> Any:
        """The value at an index, or a default."""
        value = self[index].new().value
        return default if value is None else value

    def _extract(self, at: list[Axis]) -> Expression:
        if at[0].single is not None:
            return _element("GrB_Vector_extractElement_Scalar", self, at)
        return calls("Vector", self.dtype, (at[0].count,), "GrB_Vector_extract", self, at[0], at[0].count)

    # ---- operations ----

    def vxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a matrix on the right."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        return calls("Vector", found.return_type, (other.ncols,), "GrB_vxm", found, self, other.parent, second=other.is_transposed)

    def inner(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a vector: a scalar."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)

        def make() -> Any:
            return self.vxm(other._as_matrix(False), found).new()[0].new()

        return recipe("Scalar", found.return_type, (), make, f"inner({found!r})")

    def outer(self, other: Any, op: Any = "times") -> Expression:
        """The matrix of op(x, y) for all entries of both."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)

        def make() -> Any:
            return self._as_matrix(False).kronecker(other._as_matrix(True), found).new()

        return recipe("Matrix", found.return_type, (self.size, other.size), make, f"outer({found!r})")

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """All entries, joined by a monoid or an aggregator."""
        return reduce_to_scalar(self, op, allow_empty)

    def _reduce_all(self, op: Any) -> Any:
        return self.reduce(op, allow_empty=False).new().value

    def diag(self, k: int = 0, *, name: str | None = None) -> Any:
        """The matrix with this vector on diagonal k."""
        from .matrix import Matrix

        made = ffi.new("GrB_Matrix *")
        library.call("GrB_Matrix_diag", made, self, k)
        return Matrix._own(made, name)

    def _as_matrix(self, row: bool) -> Any:
        """A matrix of one row or one column."""
        from .matrix import Matrix

        column = Matrix(self.dtype, self.size, 1)
        column[:, 0] << self
        return column.T.new() if row else column

    def __repr__(self) -> str:
        from .display import vector_text

        return vector_text(self)

    def _repr_html_(self) -> str:
        from .display import vector_html

        return vector_html(self)


def _element(function: str, parent: Any, at: list[Axis]) -> Expression:
    """One entry as a scalar."""

    def make() -> Any:
        from .scalar import Scalar

        found = Scalar(parent.dtype)
        library.call(function, found, parent, *(axis.single for axis in at))
        return found

    return recipe("Scalar", parent.dtype, (), make, "an entry")


def _dense(shape: tuple[int, ...], where: tuple[np.ndarray, ...], values: np.ndarray, fill: Any, dtype: Any) -> np.ndarray:
    """An array with values at some places and `fill` at the others."""
    if fill is None and len(values) < np.prod(shape, dtype=object):
        raise TypeError("there are places without entries: fill_value is wanted for them")
    dtype = lookup_dtype(dtype).np_type
    if fill is not None:
        dtype = np.promote_types(dtype, np.min_scalar_type(fill)) if np.asarray(fill).dtype.kind == "f" else dtype
    made = np.full(shape, 0 if fill is None else fill, dtype)
    made[where] = values
    return made
