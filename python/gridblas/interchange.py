"""Matrices from and to Python's lists, numpy's arrays and compressed rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .dtypes import lookup_dtype
from .core.arrays import as_host, new_view, rows_of, table_columns
from .core.device_array import DeviceArray
from .core.index import dimension, index_array, index_array32, pointer
from .core.operand import check_integer, describe_value
from .operators import lookup
from .core.values import build, check_dense, check_tuples, pairs_of, present
from .vector import _dense


def _check_order(order: str) -> None:
    if order not in ("rowwise", "columnwise"):
        raise ValueError(f"order: 'rowwise' or 'columnwise' is expected, not {describe_value(order)}")


class Interchange:
    """The methods of Matrix that import and export."""

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
        """A matrix with values at given positions, the same on every process.

        rows, columns  arrays or lists of integers, of one length; arrays of numpy, PyTorch, CuPy, Arrow, pandas, ...
        values         array or list of as many numbers, or one number for all
        dtype          default: the values' type
        nrows, ncols   default: the largest index + 1
        dup_op         combines values at the same position; None: these are an error

        >>> gb.Matrix.from_coo([0, 1, 1], [1, 0, 2], [2.0, 3.0, 4.0]).to_dicts()
        {0: {1: 2.0}, 1: {0: 3.0, 2: 4.0}}
        """
        rows, columns, values = index_array(rows, "rows"), index_array(columns, "columns"), as_host(values, "values")
        alike = values.ndim == 0
        values, dtype = pairs_of(values, len(rows), dtype)
        nrows = dimension(nrows, rows, "nrows")
        ncols = dimension(ncols, columns, "ncols")
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
        """A matrix of a list of pairs (row, column), or of triples (row, column, value); see from_coo.

        edgelist  a list of tuples, or a table of Arrow (pyarrow, polars, ...) or pandas of two or three columns in this order
        values    of the pairs: a list, or one number for all; default: 1.0

        >>> gb.Matrix.from_edgelist([(0, 1, 5), (1, 0, 6)]).to_dicts()
        {0: {1: 5}, 1: {0: 6}}
        """
        table = table_columns(edgelist, "edgelist")
        if table is not None:
            if len(table) not in (2, 3):
                raise ValueError(f"edgelist: a table of 2 or 3 columns is expected, not of {len(table)}: select them first")
            if values is None:
                values = table[2] if len(table) == 3 else 1.0
            return cls.from_coo(*table[:2], values, dtype, nrows=nrows, ncols=ncols, dup_op=dup_op, name=name)
        edges = check_tuples("edgelist", edgelist, 2, 3)
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
        """A matrix of a dictionary {row: {column: value}}, or of a list of the rows' {column: value}; see from_coo.

        order  "rowwise", or "columnwise" for {column: {row: value}}

        >>> gb.Matrix.from_dicts({0: {1: 2.0}, 1: {0: 3.0}}).to_coo()[2].tolist()
        [2.0, 3.0]
        """
        _check_order(order)
        if not isinstance(nested, dict):
            nested = dict(enumerate(nested if isinstance(nested, (list, tuple)) else [nested]))
        items = nested.items()
        for line in nested.values():
            if not hasattr(line, "items"):
                raise TypeError(f"nested: a dictionary {{row: {{column: value}}}} is expected, and {describe_value(line)} stands for a row")
        triples = [(i, j, x) for i, line in items for j, x in line.items()]
        major, minor, values = ([t[k] for t in triples] for k in range(3))
        rows, columns = (major, minor) if order == "rowwise" else (minor, major)
        return cls.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    def from_scalar(cls, value: Any, nrows: int, ncols: int, dtype: Any = None, *, name: str | None = None) -> Any:
        """A matrix with an entry of the same value at every position.

        >>> gb.Matrix.from_scalar(7, 2, 3).nvals
        6
        """
        from .scalar import Scalar

        made = cls(dtype or Scalar.from_value(value).dtype, nrows, ncols, name=name)
        made[:, :] << value
        return made

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Any:
        """A matrix of a two-dimensional array, the same on every process; values that equal missing_value, a number or NaN, are no entries.

        >>> gb.Matrix.from_dense([[1, 0], [0, 2]], missing_value=0).to_dicts()
        {0: {0: 1}, 1: {1: 2}}
        """
        values = check_dense(values, 2, dtype)
        rows, columns = np.nonzero(present(values, missing_value))
        return cls.from_coo(rows, columns, values[rows, columns], dtype, nrows=values.shape[0], ncols=values.shape[1], name=name)

    @classmethod
    def _import(cls, form: str, indptr: np.ndarray, indices: np.ndarray, values: Any, dtype: Any, shape: tuple[int, int], name: str | None) -> Any:
        if len(indptr) == 0:
            raise ValueError("indptr: an offset for each row or column, and one more, are expected, not an empty array")
        values, dtype = pairs_of(values, len(indices), dtype)
        made = ffi.new("GrB_Matrix *")
        lengths = len(indptr), len(indices), len(values)
        code = getattr(library.lib, f"GrB_{form}_FORMAT")
        if indices.itemsize == 4:
            integers = [x for part in (indptr, indices) for x in (pointer(part, "void"), lookup_dtype(part.dtype))]
            library.call("Grid_Matrix_import32", made, dtype, *shape, *integers, pointer(values, "void"), *lengths, code)
        else:
            indptr = index_array(indptr, "indptr")
            arrays = pointer(indptr, "GrB_Index"), pointer(indices, "GrB_Index"), pointer(values, dtype.c_type)
            library.call(f"GrB_Matrix_import_{dtype.name}", made, dtype, *shape, *arrays, *lengths, code)
        return cls._adopt(made, name)

    @classmethod
    def from_csr(
        cls, indptr: Any, col_indices: Any, values: Any = 1.0, dtype: Any = None, *, ncols: int | None = None, name: str | None = None
    ) -> Any:
        """A matrix of compressed rows (CSR), the same arrays on every process.

        indptr       nrows + 1 integers of 32 or 64 bits: row i has the entries indptr[i] to indptr[i + 1] - 1
        col_indices  the entries' columns
        values       array of as many numbers, or one number for all
        ncols        default: the largest column + 1

        >>> gb.Matrix.from_csr([0, 1, 2], [1, 0], [5, 6]).to_dicts()
        {0: {1: 5}, 1: {0: 6}}
        """
        indptr, col_indices = index_array32(indptr, "indptr"), index_array32(col_indices, "col_indices")
        ncols = check_integer("ncols", ncols if ncols is not None else int(np.max(col_indices, initial=0)) + 1)
        return cls._import("CSR", indptr, col_indices, values, dtype, (len(indptr) - 1, ncols), name)

    @classmethod
    def from_csc(
        cls, indptr: Any, row_indices: Any, values: Any = 1.0, dtype: Any = None, *, nrows: int | None = None, name: str | None = None
    ) -> Any:
        """A matrix of compressed columns (CSC), the same arrays on every process; see from_csr.

        >>> gb.Matrix.from_csc([0, 1, 2], [1, 0], [5, 6]).to_dicts()
        {0: {1: 6}, 1: {0: 5}}
        """
        indptr, row_indices = index_array32(indptr, "indptr"), index_array32(row_indices, "row_indices")
        nrows = check_integer("nrows", nrows if nrows is not None else int(np.max(row_indices, initial=0)) + 1)
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
        """indptr, column indices (uint64) and values, as three arrays, on every process. Collective.

        >>> [part.tolist() for part in gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).to_csr()]
        [[0, 1, 2], [1, 0], [5, 6]]
        """
        return self._export("CSR", dtype)

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """indptr, row indices (uint64) and values, as three arrays, on every process. Collective.

        >>> [part.tolist() for part in gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).to_csc()]
        [[0, 1, 2], [1, 0], [6, 5]]
        """
        return self._export("CSC", dtype)

    def to_coo(
        self, dtype: Any = None, *, rows: bool = True, columns: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any, Any]:
        """Rows, columns (uint64) and values of all entries, ordered by row and column, as three arrays, on every process. Collective.

        rows, columns, values  False: None instead of the array

        >>> [part.tolist() for part in gb.Matrix.from_coo([1, 0], [0, 1], [6, 5]).to_coo()]
        [[0, 1], [1, 0], [5, 6]]
        """
        i, j, x = self._export("COO", dtype)
        return i if rows else None, j if columns else None, x if values else None

    def to_edgelist(self, dtype: Any = None, *, values: bool = True, sort: bool = True) -> tuple[np.ndarray, Any]:
        """An array of pairs (row, column), nvals x 2, and the array of values, on every process. Collective.

        >>> edges, values = gb.Matrix.from_coo([1, 0], [0, 1], [6, 5]).to_edgelist()
        >>> edges.tolist(), values.tolist()
        ([[0, 1], [1, 0]], [5, 6])
        """
        i, j, x = self.to_coo(dtype)
        return np.column_stack((i, j)), x if values else None

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """An array, nrows x ncols, with fill_value where there is no entry, on every process. Collective.

        >>> gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).to_dense(fill_value=0).tolist()
        [[0, 5], [6, 0]]
        """
        i, j, x = self.to_coo()
        return _dense(self.shape, (i, j), x, fill_value, dtype or self.dtype)

    def to_dicts(self, order: str = "rowwise") -> dict[int, dict[int, Any]]:
        """The dictionary {row: {column: value}} of all entries, or with order="columnwise" {column: {row: value}}, on every process.
        Collective.

        >>> gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).to_dicts("columnwise")
        {0: {1: 6}, 1: {0: 5}}
        """
        _check_order(order)
        made: dict[int, dict[int, Any]] = {}
        for i, j, x in zip(*(part.tolist() for part in self.to_coo())):
            major, minor = (i, j) if order == "rowwise" else (j, i)
            made.setdefault(major, {})[minor] = x
        return dict(sorted(made.items()))

    # ---- local entries of each process ----

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
        """A matrix of the entries that all processes pass, each any of them. Collective.

        rows, columns  arrays of integers, of one length
        values         array of as many numbers; None: all are 1, stored once
        dup_op         combines values at the same position; None: these are an error
        mirror         True: every entry counts also with row and column exchanged (a square matrix)
        loops          False: entries on the diagonal are left out

        >>> own = gb.local_range(100)
        >>> A = gb.Matrix.from_local(own, [(i + 1) % 100 for i in own], nrows=100, ncols=100, mirror=True)
        >>> A.nvals
        200
        """
        rows, columns = index_array(rows, "rows"), index_array(columns, "columns")
        if len(rows) != len(columns):
            raise ValueError(f"rows and columns: arrays of one length are expected, not of {len(rows)} and {len(columns)}")
        array = None if values is None else pairs_of(values, len(rows), dtype)[0]
        made = cls(dtype or ("BOOL" if array is None else array.dtype), nrows, ncols)
        dup = None if dup_op is None else lookup.typed(lookup.find(dup_op, "binary", what="dup_op"), made.dtype)
        data = None if array is None else pointer(array, "void")
        flags = (library.lib.Grid_MIRROR if mirror else 0) | (0 if loops else library.lib.Grid_NO_LOOPS)
        indices = pointer(rows, "GrB_Index"), pointer(columns, "GrB_Index")
        library.call("Grid_Matrix_build", made, *indices, data, None if data is None else made.dtype, len(rows), dup, flags)
        return made

    def to_local(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of the entries that this process holds, as three arrays in no particular order. Collective.

        >>> rows, columns, values = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).to_local()
        >>> len(rows) == len(columns) == len(values) <= 2
        True
        """
        self.wait("complete")
        number = ffi.new("GrB_Index *")
        library.call("Grid_Matrix_extractLocal", None, None, None, number, self)
        i, j, x = np.empty(number[0], np.uint64), np.empty(number[0], np.uint64), np.empty(number[0], self.dtype.np_type)
        library.call("Grid_Matrix_extractLocal", pointer(i, "GrB_Index"), pointer(j, "GrB_Index"), pointer(x, "void"), number, self)
        return i, j, x

    # ---- the matrix's own arrays ----

    def view(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The compressed rows of this process's local_range of the rows: indptr, column indices and values, as three arrays that
        cannot be written to. Collective.

        They are the matrix's own memory on a grid of one column, with indices of 32 bits; where most rows or columns are empty, or there
        are fewer than 8, offsets and indices are made, with 64 bits. They stay valid when the matrix is changed or freed, but after a
        change what they have is undefined. Where all entries have one value the third array has it once, with a stride of 0.

        >>> [part.tolist() for part in gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).view()] if gb.size() == 1 else [[0, 1, 2], [1, 0], [5, 6]]
        [[0, 1, 2], [1, 0], [5, 6]]
        """
        return rows_of(new_view(self), self.dtype.np_type)

    def device_view(self) -> tuple[DeviceArray, DeviceArray, DeviceArray]:
        """The same three arrays in the memory of this process's GPU, to which the matrix moves, with indices of 32 bits: for CuPy, PyTorch
        and others by `__cuda_array_interface__` or DLPack, without a copy. Do not write to them. `device("cuda")` must have been called, on
        a grid of one column. Collective.

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
        >>> indptr, indices, values = A.device_view() if gb.device() == "cuda" else A.view()
        >>> len(indices) == len(values)
        True
        """
        view = new_view(self, device=True)
        indptr = DeviceArray(view, view.indptr, np.uint32, view.n_indptr)
        indices = DeviceArray(view, view.indices, np.uint32, view.n_indices)
        return indptr, indices, DeviceArray(view, view.values, self.dtype.np_type, view.n_indices, 0 if view.iso else None)

    def unload(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same arrays as `view`; no other object has the values then, which can be written to. The matrix becomes one of 0 x 0. Collective.

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
        >>> indptr, indices, values = A.unload()
        >>> values += 1
        >>> A.shape
        (0, 0)
        """
        indptr, indices, values = rows_of(new_view(self), self.dtype.np_type, writable=True)
        self._init(library.make("GrB_Matrix", "GrB_Matrix_new", self.dtype, 0, 0), self.name)
        self._nrows = self._ncols = 0
        return indptr, indices, values if values.flags.writeable else values.copy()

    # ---- bytes ----

    def serialize(self) -> bytes:
        """The matrix as bytes, the same on every process. Collective.

        >>> type(gb.Matrix(int, 2, 2).serialize())
        <class 'bytes'>
        """
        size = ffi.new("GrB_Index *")
        library.call("GrB_Matrix_serializeSize", size, self)
        room = bytearray(size[0])
        library.call("GrB_Matrix_serialize", ffi.from_buffer(room), size, self)
        return bytes(room[: size[0]])

    @classmethod
    def deserialize(cls, data: bytes, *, name: str | None = None) -> Any:
        """The matrix whose bytes these are, the same on every process. Collective.

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
        >>> gb.Matrix.deserialize(A.serialize()).isequal(A)
        True
        """
        made = ffi.new("GrB_Matrix *")
        contents = ffi.from_buffer(data)
        library.call("GrB_Matrix_deserialize", made, None, contents, len(contents))
        return cls._adopt(made, name)

    def __reduce__(self) -> Any:
        return type(self).deserialize, (self.serialize(),)
