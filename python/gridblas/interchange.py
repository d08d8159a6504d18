"""Matrices from and to Python's lists, numpy's arrays and compressed rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .dtypes import lookup_dtype
from .index import places, pointer
from .operators import lookup
from .values import build, pairs_of
from .vector import _dense


class Interchange:
    """The part of Matrix that speaks with other formats."""

    __slots__ = ()

    @classmethod
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
    ) -> Any:
        """A matrix with values at these places, the same arrays on every process."""
        rows, columns = places(rows), places(columns)
        alike = np.ndim(values) == 0
        values, dtype = pairs_of(values, len(rows), dtype)
        nrows = nrows if nrows is not None else int(rows.max(initial=0)) + 1
        ncols = ncols if ncols is not None else int(columns.max(initial=0)) + 1
        made = cls(dtype, nrows, ncols, name=name)
        build(made, [rows, columns], values, dup_op, alike)
        return made

    @classmethod
    def from_edgelist(
        cls,
        edgelist: Any,
        values: Any = None,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
    ) -> Any:
        """A matrix of pairs (row, column) or triples (row, column, value)."""
        edges = list(edgelist)
        if values is None:
            values = [edge[2] for edge in edges] if edges and len(edges[0]) == 3 else 1.0
        lists = [edge[0] for edge in edges], [edge[1] for edge in edges]
        return cls.from_coo(*lists, values, dtype, nrows=nrows, ncols=ncols, dup_op=dup_op, name=name)

    @classmethod
    def from_dicts(
        cls,
        nested: Any,
        dtype: Any = None,
        *,
        order: str = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
    ) -> Any:
        """A matrix of {row: {column: value}}, or with order="columnwise" of {column: {row: value}}."""
        items = nested.items() if isinstance(nested, dict) else enumerate(nested)
        triples = [(i, j, x) for i, line in items for j, x in line.items()]
        major, minor, values = ([t[k] for t in triples] for k in range(3))
        rows, columns = (major, minor) if order == "rowwise" else (minor, major)
        return cls.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    def from_scalar(cls, value: Any, nrows: int, ncols: int, dtype: Any = None, *, name: str | None = None) -> Any:
        """A matrix with the same value everywhere."""
        from .scalar import Scalar

        made = cls(dtype or Scalar.from_value(value).dtype, nrows, ncols, name=name)
        made[:, :] << value
        return made

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Any:
        """A matrix of a two-dimensional array; what equals missing_value is no entry."""
        values = np.asarray(values, None if dtype is None else lookup_dtype(dtype).np_type)
        if values.ndim != 2:
            raise ValueError(f"a matrix is made of an array of 2 dimensions, not {values.ndim}")
        rows, columns = np.nonzero(np.ones(values.shape, bool) if missing_value is None else values != missing_value)
        return cls.from_coo(rows, columns, values[rows, columns], dtype, nrows=values.shape[0], ncols=values.shape[1], name=name)

    @classmethod
    def _import(cls, form: str, indptr: Any, indices: Any, values: Any, dtype: Any, shape: tuple[int, int], name: str | None) -> Any:
        indptr, indices = places(indptr), places(indices)
        values, dtype = pairs_of(values, len(indices), dtype)
        made = ffi.new("GrB_Matrix *")
        arrays = pointer(indptr, "GrB_Index"), pointer(indices, "GrB_Index"), pointer(values, dtype.c_type)
        lengths = len(indptr), len(indices), len(values)
        code = getattr(library.lib, f"GrB_{form}_FORMAT")
        library.call(f"GrB_Matrix_import_{dtype.name}", made, dtype, *shape, *arrays, *lengths, code)
        return cls._own(made, name)

    @classmethod
    def from_csr(
        cls, indptr: Any, col_indices: Any, values: Any = 1.0, dtype: Any = None, *, ncols: int | None = None, name: str | None = None
    ) -> Any:
        """A matrix of compressed rows, the same arrays on every process."""
        ncols = ncols if ncols is not None else int(np.max(col_indices, initial=0)) + 1
        return cls._import("CSR", indptr, col_indices, values, dtype, (len(indptr) - 1, ncols), name)

    @classmethod
    def from_csc(
        cls, indptr: Any, row_indices: Any, values: Any = 1.0, dtype: Any = None, *, nrows: int | None = None, name: str | None = None
    ) -> Any:
        """A matrix of compressed columns, the same arrays on every process."""
        nrows = nrows if nrows is not None else int(np.max(row_indices, initial=0)) + 1
        return cls._import("CSC", indptr, row_indices, values, dtype, (nrows, len(indptr) - 1), name)

    def _export(self, form: str, dtype: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        lengths = [ffi.new("GrB_Index *") for _ in range(3)]
        code = getattr(library.lib, f"GrB_{form}_FORMAT")
        library.call("GrB_Matrix_exportSize", *lengths, code, self)
        indptr, indices = (np.empty(n[0], np.uint64) for n in lengths[:2])
        values = np.empty(lengths[2][0], self.dtype.np_type)
        arrays = pointer(indptr, "GrB_Index"), pointer(indices, "GrB_Index"), pointer(values, self.dtype.c_type)
        library.call(f"GrB_Matrix_export_{self.dtype.name}", *arrays, *lengths, code, self)
        return indptr, indices, values if dtype is None else values.astype(lookup_dtype(dtype).np_type, copy=False)

    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """indptr, column indices and values, on every process."""
        return self._export("CSR", dtype)

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """indptr, row indices and values, on every process."""
        return self._export("CSC", dtype)

    def to_coo(
        self, dtype: Any = None, *, rows: bool = True, columns: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any, Any]:
        """Rows, columns and values of all entries, by row and column, on every process."""
        i, j, x = self._export("COO", dtype)
        return i if rows else None, j if columns else None, x if values else None

    def to_edgelist(self, dtype: Any = None, *, values: bool = True, sort: bool = True) -> tuple[np.ndarray, Any]:
        """An array of pairs (row, column), and values."""
        i, j, x = self.to_coo(dtype)
        return np.column_stack((i, j)), x if values else None

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """An array of all places; fill_value where there is no entry."""
        i, j, x = self.to_coo()
        return _dense(self.shape, (i, j), x, fill_value, dtype or self.dtype)

    def to_dicts(self, order: str = "rowwise") -> dict[int, dict[int, Any]]:
        """{row: {column: value}}, or with order="columnwise" {column: {row: value}}."""
        made: dict[int, dict[int, Any]] = {}
        for i, j, x in zip(*(part.tolist() for part in self.to_coo())):
            major, minor = (i, j) if order == "rowwise" else (j, i)
            made.setdefault(major, {})[minor] = x
        return dict(sorted(made.items()))

    # ---- each process its own share ----

    @classmethod
    def from_local(
        cls,
        rows: Any,
        columns: Any,
        values: Any = None,
        dtype: Any = None,
        *,
        nrows: int,
        ncols: int,
        dup_op: Any = None,
        mirror: bool = False,
        loops: bool = True,
    ) -> Any:
        """A matrix of tuples of which each process gives its own. Without values all are 1, stored once; `mirror` counts each tuple
        both ways, `loops=False` leaves those on the diagonal out."""
        rows, columns = places(rows), places(columns)
        array = None if values is None else np.ascontiguousarray(values, lookup_dtype(dtype or np.asarray(values).dtype).np_type)
        made = cls(dtype or ("BOOL" if array is None else array.dtype), nrows, ncols)
        dup = None if dup_op is None else lookup.typed(lookup.find(dup_op, "binary"), made.dtype)
        data = None if array is None else pointer(array, "void")
        flags = (library.lib.Grid_MIRROR if mirror else 0) | (0 if loops else library.lib.Grid_NO_LOOPS)
        indices = pointer(rows, "GrB_Index"), pointer(columns, "GrB_Index")
        library.call("Grid_Matrix_build", made, *indices, data, None if data is None else made.dtype, len(rows), dup, flags)
        return made

    def to_local(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of this process's own entries, in no particular order."""
        self.wait("complete")
        number = ffi.new("GrB_Index *")
        library.call("Grid_Matrix_extractLocal", None, None, None, number, self)
        i, j, x = np.empty(number[0], np.uint64), np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        library.call("Grid_Matrix_extractLocal", pointer(i, "GrB_Index"), pointer(j, "GrB_Index"), pointer(x, "void"), number, self)
        return i, j, x

    # ---- bytes ----

    def serialize(self) -> bytes:
        """The matrix as bytes, the same on every process."""
        size = ffi.new("GrB_Index *")
        library.call("GrB_Matrix_serializeSize", size, self)
        room = bytearray(size[0])
        library.call("GrB_Matrix_serialize", ffi.from_buffer(room), size, self)
        return bytes(room[: size[0]])

    @classmethod
    def deserialize(cls, data: bytes, *, name: str | None = None) -> Any:
        """The matrix whose bytes these are."""
        made = ffi.new("GrB_Matrix *")
        library.call("GrB_Matrix_deserialize", made, None, ffi.from_buffer(data), len(data))
        return cls._own(made, name)

    def __reduce__(self) -> Any:
        return type(self).deserialize, (self.serialize(),)
