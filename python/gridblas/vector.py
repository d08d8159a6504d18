"""gridblas.Vector."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import numpy as np

from . import grid, library
from ._declarations import ffi
from .core.arrays import as_host, new_view, values_of
from .core.collection import Collection, Indexed
from .dtypes import lookup_dtype
from .core.device_array import DeviceArray
from .core.entrywise import Entrywise
from .core.expression import Expression, calls, check_operand, recipe
from .core.index import Axis, dimension, index_array, pointer, single_index
from .core.operand import check_integer, describe_value
from .operators import lookup, namespaces
from .core.reduce import reduce_to_scalar
from .core.update import SubassignTarget
from .core.values import build, check_dense, check_tuples, pairs_of, present, to_number


class Vector(Entrywise, Collection):
    """A sparse vector, distributed over all processes.

    dtype  type of the entries: "FP64", "INT64", "BOOL", ..., or a numpy or Python type
    size   0 or more; indices are 0 to size - 1
    name   printed with the vector

    >>> v = gb.Vector(float, 5)
    >>> v[2] << 1.5
    >>> v.to_dict()
    {2: 1.5}
    """

    __slots__ = _dimensions = ("_size",)
    kind, letter = "Vector", "v"
    size: int = property(attrgetter("_size"), doc="The number of elements, with an entry or without.")  # type: ignore[assignment]

    def __init__(self, dtype: Any = "FP64", size: int = 1, *, name: str | None = None) -> None:
        self._dtype, self._size = lookup_dtype(dtype), check_integer("size", size)
        self._init(library.make("GrB_Vector", "GrB_Vector_new", self.dtype, self.size), name)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """The dimensions: (size,)."""
        return (self.size,)

    # ---- from and to Python ----

    @classmethod
    def from_coo(
        cls, indices: Any, values: Any = 1.0, dtype: Any = None, *, size: int | None = None, dup_op: Any = None, name: str | None = None
    ) -> Vector:
        """A vector with values at given indices, the same on every process.

        indices  array or list of integers, 0 to size - 1
        values   array or list of as many numbers, or one number for all
        dtype    default: the values' type
        size     default: the largest index + 1
        dup_op   combines values with the same index; None: these are an error

        >>> gb.Vector.from_coo([4, 1], [2.5, 3.0], size=6).to_dict()
        {1: 3.0, 4: 2.5}
        """
        indices, values = index_array(indices), as_host(values, "values")
        alike = values.ndim == 0
        values, dtype = pairs_of(values, len(indices), dtype)
        made = cls(dtype, dimension(size, indices, "size"), name=name)
        build(made, [indices], values, dup_op, alike)
        return made

    @classmethod
    def from_pairs(cls, pairs: Any, dtype: Any = None, *, size: int | None = None, dup_op: Any = None, name: str | None = None) -> Vector:
        """A vector of (index, value) pairs; see from_coo.

        >>> gb.Vector.from_pairs([(0, 1), (0, 2)], dup_op="plus").to_dict()
        {0: 3}
        """
        pairs = check_tuples("pairs", pairs, 2)
        return cls.from_coo([i for i, _ in pairs], [x for _, x in pairs], dtype, size=size, dup_op=dup_op, name=name)

    @classmethod
    def from_dict(cls, d: dict[int, Any], dtype: Any = None, *, size: int | None = None, name: str | None = None) -> Vector:
        """A vector of a dictionary {index: value}; see from_coo.

        >>> gb.Vector.from_dict({0: 1.0, 3: 2.0}).size
        4
        """
        if not hasattr(d, "items"):
            raise TypeError(f"d: a dictionary {{index: value}} is expected, not {describe_value(d)}")
        return cls.from_pairs(d.items(), dtype, size=size, name=name)

    @classmethod
    def from_scalar(cls, value: Any, size: int, dtype: Any = None, *, name: str | None = None) -> Vector:
        """A vector with an entry of the same value at every index.

        >>> gb.Vector.from_scalar(3, 4).to_dense().tolist()
        [3, 3, 3, 3]
        """
        from .scalar import Scalar

        made = cls(dtype or Scalar.from_value(value).dtype, size, name=name)
        made[:] << value
        return made

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Vector:
        """A vector of a one-dimensional array, the same on every process; values that equal missing_value, a number or NaN, are no entries.

        >>> gb.Vector.from_dense([1, 0, 2], missing_value=0).to_dict()
        {0: 1, 2: 2}
        """
        values = check_dense(values, 1, dtype)
        if missing_value is None:
            return cls._full(values, name)
        where = np.flatnonzero(present(values, missing_value))
        return cls.from_coo(where, values[where], dtype, size=len(values), name=name)

    @classmethod
    def _full(cls, values: np.ndarray, name: str | None) -> Vector:
        """A vector of the array, which the library copies once: each process its range."""
        dtype, size = lookup_dtype(values.dtype), len(values)
        made, local = cls(dtype, size, name=name), grid.local_range(size)
        share = np.ascontiguousarray(values[local.start : local.stop], dtype.np_type)
        memory = ffi.new("void **", pointer(share, "void"))
        library.call("GxB_Vector_load", made, memory, dtype, size, share.nbytes, library.lib.GxB_IS_READONLY, None)
        return made

    @classmethod
    def from_local(cls, indices: Any, values: Any = None, dtype: Any = None, *, size: int, dup_op: Any = None) -> Vector:
        """A vector of the entries that all processes pass, each any of them. Collective.

        indices  array of integers
        values   array of as many numbers; None: all are 1
        dup_op   combines values with the same index; None: these are an error

        >>> own = gb.local_range(100)
        >>> gb.Vector.from_local(own, np.arange(100.0)[own.start : own.stop], size=100).reduce().value
        4950.0
        """
        indices = index_array(indices)
        array = None if values is None else pairs_of(values, len(indices), dtype)[0]
        made = cls(dtype or ("FP64" if array is None else array.dtype), size)
        dup = None if dup_op is None else lookup.typed(lookup.find(dup_op, "binary", what="dup_op"), made.dtype)
        data = None if array is None else pointer(array, "void")
        library.call(
            "Grid_Vector_build", made, pointer(indices, "GrB_Index"), data, made.dtype if array is not None else None, len(indices), dup
        )
        return made

    def to_local(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices and values of the entries that this process owns, as two arrays. Collective.

        >>> indices, values = gb.Vector.from_scalar(2.0, 10).to_local()
        >>> len(indices) == len(values) == len(gb.local_range(10))
        True
        """
        self.wait()
        number = ffi.new("GrB_Index *", 0)
        first, count = ffi.new("GrB_Index *"), ffi.new("GrB_Index *")
        library.call("Grid_local_range", self.size, first, count)
        number[0] = min(count[0], self.nvals)
        indices, values = np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        library.call("Grid_Vector_extractLocal", pointer(indices, "GrB_Index"), pointer(values, "void"), number, self)
        return indices[: number[0]], values[: number[0]]

    def build(self, indices: Any, values: Any, *, dup_op: Any = None, clear: bool = False, size: int | None = None) -> None:
        """Sets the entries of an empty vector; clear=True empties it first, size resizes it. See from_coo.

        >>> v = gb.Vector(int, 4)
        >>> v.build([3, 1], [10, 20])
        >>> v.to_dict()
        {1: 20, 3: 10}
        """
        if clear:
            self.clear()
        if size is not None:
            self.resize(size)
        indices = index_array(indices)
        build(self, [indices], pairs_of(values, len(indices), self.dtype)[0], dup_op)

    def to_coo(self, dtype: Any = None, *, indices: bool = True, values: bool = True, sort: bool = True) -> tuple[Any, Any]:
        """The indices (uint64, ascending) and the values of all entries, as two arrays, on every process. Collective.

        dtype            type of the values; default: the vector's
        indices, values  False: None instead of the array

        >>> indices, values = gb.Vector.from_coo([4, 1], [2.5, 3.0]).to_coo()
        >>> indices.tolist(), values.tolist()
        ([1, 4], [3.0, 2.5])
        """
        number = ffi.new("GrB_Index *", self.nvals)
        where, what = np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        function = f"GrB_Vector_extractTuples_{self.dtype.name}"
        library.call(function, pointer(where, "GrB_Index"), pointer(what, self.dtype.c_type), number, self)
        if dtype is not None:
            what = what.astype(lookup_dtype(dtype).np_type, copy=False)
        return where if indices else None, what if values else None

    def to_dict(self) -> dict[int, Any]:
        """The dictionary {index: value} of all entries, on every process. Collective.

        >>> gb.Vector.from_coo([4, 1], [2.5, 3.0]).to_dict()
        {1: 3.0, 4: 2.5}
        """
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist()))

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """An array of length size with fill_value where there is no entry, on every process. Collective.

        >>> gb.Vector.from_coo([1], [2.5], size=3).to_dense(fill_value=0).tolist()
        [0.0, 2.5, 0.0]
        """
        indices, values = self.to_coo()
        return _dense((self.size,), (indices,), values, fill_value, dtype or self.dtype)

    # ---- the vector's own memory ----

    def view(self) -> np.ndarray:
        """The values of this process's local_range of a vector with an entry at every index, as an array of the vector's own memory, which
        cannot be written to. Collective.

        It stays valid when the vector is changed or freed, but after a change what it has is undefined. Where all values are one
        it is stored once, and the array has a stride of 0.

        >>> v = gb.Vector.from_dense(np.arange(10.0))
        >>> v.view().tolist() == np.arange(10.0)[gb.local_range(10)].tolist()
        True
        """
        return values_of(new_view(self), self.dtype.np_type, len(grid.local_range(self.size)))

    def device_view(self) -> DeviceArray:
        """The same values in the memory of this process's GPU, to which the vector moves: for CuPy, PyTorch and others by
        `__cuda_array_interface__` or DLPack, without a copy. Do not write to them. `device("cuda")` must have been called. Collective.

        It stays valid when the vector is changed or freed, but after a change what it has is undefined.

        >>> v = gb.Vector.from_dense(np.arange(10.0))
        >>> x = v.device_view() if gb.device() == "cuda" else v.view()
        >>> len(x) == len(gb.local_range(10))
        True
        """
        view = new_view(self, device=True)
        dtype = self.dtype.np_type
        return DeviceArray(view, view.values, dtype, len(grid.local_range(self.size)), 0 if view.iso else None)

    def unload(self) -> np.ndarray:
        """The same array as `view`, and nothing else has its memory then: it can be written to. The vector becomes one of size 0. Collective.

        >>> v = gb.Vector.from_dense(np.arange(10.0))
        >>> own = v.unload()
        >>> own += 1
        >>> v.size
        0
        """
        array = values_of(new_view(self), self.dtype.np_type, len(grid.local_range(self.size)), writable=True)
        library.call("GxB_Vector_load", self, ffi.new("void **"), self.dtype, 0, 0, library.lib.GrB_DEFAULT, None)
        self._size = 0
        return array if array.flags.writeable else array.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """numpy's array of a vector with an entry at every index: on one process its own memory, as `view`."""
        if self.nvals < self.size:
            super().__array__()
        array = self.view() if grid.size() == 1 else self.to_dense()
        return np.array(array, dtype) if copy else array.astype(array.dtype if dtype is None else dtype, copy=False)

    def __dlpack__(self, **options: Any) -> Any:
        """DLPack's capsule of the same array; a copy for packages and numpy's versions that take no array that cannot be written to."""
        array = np.ascontiguousarray(self)
        try:
            return array.__dlpack__(**options)
        except (BufferError, TypeError):
            return array.copy().__dlpack__(stream=options.get("stream"))

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the processor

    # ---- changes ----

    def resize(self, size: int) -> None:
        """Changes the size; entries beyond it are removed.

        >>> v = gb.Vector.from_coo([1, 4], [2.5, 3.0])
        >>> v.resize(3)
        >>> v.size, v.nvals
        (3, 1)
        """
        size = check_integer("size", size)
        library.call("GrB_Vector_resize", self, size)
        self._size = size

    def __getitem__(self, index: Any) -> Indexed:
        return Indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        SubassignTarget(self, Indexed(self, index).at, (), {}).update(value)

    def __delitem__(self, index: Any) -> None:
        at = Indexed(self, index).at
        if at[0].single is None:
            raise TypeError("del v[index]: a single index is expected")
        library.call("GrB_Vector_removeElement", self, at[0].single)

    def __contains__(self, index: Any) -> bool:
        return self.get(index) is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_coo()[0].tolist())

    def get(self, index: int, default: Any = None) -> Any:
        """The value at an index; the default where there is no entry. Collective.

        >>> gb.Vector.from_coo([1], [2.5]).get(0, default=-1)
        -1
        """
        value = self._extract([single_index(index, self.size)]).new().value
        return default if value is None else value

    def _extract(self, at: list[Axis]) -> Expression:
        if at[0].single is not None:
            return _element("GrB_Vector_extractElement_Scalar", self, at)
        return calls("Vector", self.dtype, (at[0].count,), "GrB_Vector_extract", self, at[0], at[0].number)

    # ---- operations ----

    def vxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product of this vector, as a row, with a matrix over a semiring: a Vector of size other.ncols. As `op(v @ A)`.

        other  Matrix with size rows
        op     a semiring

        >>> A = gb.Matrix.from_coo([0, 1], [1, 2], [5.0, 6.0], nrows=3, ncols=3)
        >>> gb.Vector.from_coo([0], [2.0], size=3).vxm(A, "plus_times").new().to_dict()
        {1: 10.0}
        """
        other = check_operand("vxm", other, "Matrix")
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        return calls("Vector", found.return_type, (other.ncols,), "GrB_vxm", found, self, other.parent, second=other.is_transposed)

    def inner(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a vector of the same size over a semiring: a Scalar, empty where the vectors have no index in common.

        >>> gb.Vector.from_coo([0, 1], [2.0, 3.0]).inner(gb.Vector.from_coo([0, 1], [5.0, 7.0])).new().value
        31.0
        """
        other = check_operand("inner", other, "Vector")
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        parts = namespaces.typed_parts(found)

        def make() -> Any:
            if parts is None:  # a multiplication by position, which stands in semirings alone
                return self.vxm(other._as_matrix(False), found).new()[0].new()
            plus, times = parts
            return self.ewise_mult(other, times).new().reduce(plus).new()

        return recipe("Scalar", found.return_type, (), make, f"inner({found!r})")

    def outer(self, other: Any, op: Any = "times") -> Expression:
        """op(x, y) for all pairs of entries of both vectors: a Matrix, size x other.size.

        other  Vector
        op     a binary operator, monoid or semiring (whose multiplication counts)

        >>> gb.Vector.from_coo([0, 1], [1, 2]).outer(gb.Vector.from_coo([0, 1], [5, 7])).new().to_dicts()
        {0: {0: 5, 1: 7}, 1: {0: 10, 1: 14}}
        """
        other = check_operand("outer", other, "Vector")
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)

        def make() -> Any:
            return self._as_matrix(False).kronecker(other._as_matrix(True), found).new()

        return recipe("Matrix", found.return_type, (self.size, other.size), make, f"outer({found!r})")

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """All entries, combined by a monoid or an aggregator of gridblas.agg: a Scalar.

        allow_empty  True: without entries the result is an empty Scalar; False: the monoid's identity

        >>> v = gb.Vector.from_coo([1, 4], [2.0, 4.0])
        >>> v.reduce("plus").value, v.reduce(gb.agg.mean).value
        (6.0, 3.0)
        """
        return reduce_to_scalar(self, op, allow_empty)

    def _reduce_all(self, op: Any) -> Any:
        return self.reduce(op, allow_empty=False).new().value

    def diag(self, k: int = 0, *, name: str | None = None) -> Any:
        """The square Matrix with this vector on diagonal k (above the main one where k > 0).

        >>> gb.Vector.from_coo([0, 1], [5, 6]).diag(1).to_dicts()
        {0: {1: 5}, 1: {2: 6}}
        """
        from .matrix import Matrix

        made = ffi.new("GrB_Matrix *")
        library.call("GrB_Matrix_diag", made, self, check_integer("k", k, -(2**63)))
        return Matrix._adopt(made, name)

    def __reduce__(self) -> Any:
        return _from_entries, (*self.to_coo(), self.dtype, self.size)

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


def _from_entries(indices: np.ndarray, values: np.ndarray, dtype: Any, size: int) -> Vector:
    """The vector that was pickled."""
    return Vector.from_coo(indices, values, dtype, size=size)


def _element(function: str, parent: Any, at: list[Axis]) -> Expression:
    """One entry as a scalar."""

    def make() -> Any:
        from .scalar import Scalar

        found = Scalar(parent.dtype)
        library.call(function, found, parent, *(axis.single for axis in at))
        return found

    return recipe("Scalar", parent.dtype, (), make, "an entry")


def _dense(shape: tuple[int, ...], where: tuple[np.ndarray, ...], values: np.ndarray, fill: Any, dtype: Any) -> np.ndarray:
    """An array with values at some indices and `fill` at the others."""
    if fill is None and len(values) < np.prod(shape, dtype=object):
        raise TypeError("to_dense: fill_value is expected, for the positions without entries")
    dtype = lookup_dtype(dtype).np_type
    if fill is not None and not isinstance(fill, (bool, int, float, np.generic)):
        raise TypeError(f"fill_value: a number is expected, not {describe_value(fill)}")
    if fill is not None and np.asarray(fill).dtype.kind == "f":
        dtype = np.promote_types(dtype, np.min_scalar_type(fill) if dtype.kind == "f" else np.float64)
    made = np.full(shape, 0 if fill is None else to_number("fill_value", fill, lookup_dtype(dtype)), dtype)
    made[where] = values
    return made
