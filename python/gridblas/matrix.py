"""gridblas.Matrix, and A.T, its transpose, which is computed only if necessary."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .core.collection import Collection, Indexed
from .dtypes import lookup_dtype
from .core.entrywise import Entrywise
from .core.expression import Expression, calls, check_operand, empty, recipe
from .core.index import Axis, index_array, single_index
from .interchange import Interchange
from .core.mask import as_mask
from .core.operand import check_integer, describe_value
from .exceptions import DimensionMismatch
from .operators import lookup
from .core.reduce import reduce_to_scalar, reduce_to_vector
from .core.update import SubassignTarget, put
from .core.values import build, pairs_of
from .vector import _element


class MatrixOperations(Entrywise):
    """What a matrix and its transpose can do: both have `parent`, `is_transposed`, `nrows` and `ncols`."""

    __slots__ = ()
    kind = "Matrix"
    nrows: int
    ncols: int

    def mxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a matrix over a semiring: a Matrix, nrows x other.ncols. As `op(A @ B)`.

        other  Matrix with as many rows as this one has columns
        op     a semiring

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0])
        >>> A.mxm(A, "min_plus").new().to_dicts()
        {0: {0: 5.0}, 1: {1: 5.0}}
        """
        other = check_operand("mxm", other, "Matrix")
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls("Matrix", found.return_type, (self.nrows, other.ncols), "GrB_mxm", found, self.parent, other.parent, **flags)

    def mxv(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a vector over a semiring: a Vector of size nrows. As `op(A @ v)`.

        other  Vector of size ncols
        op     a semiring

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0])
        >>> A.mxv(gb.Vector.from_coo([0, 1], [10.0, 100.0])).new().to_dict()
        {0: 200.0, 1: 30.0}
        """
        other = check_operand("mxv", other, "Vector")
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        return calls("Vector", found.return_type, (self.nrows,), "GrB_mxv", found, self.parent, other, first=self.is_transposed)

    def kronecker(self, other: Any, op: Any = "times") -> Expression:
        """The Kronecker product: a Matrix, nrows * other.nrows x ncols * other.ncols.

        other  Matrix
        op     a binary operator, monoid or semiring (whose multiplication counts)

        >>> A = gb.Matrix.from_coo([0, 1], [0, 1], [1, 2])
        >>> A.kronecker(A).new().to_dicts()
        {0: {0: 1}, 1: {1: 2}, 2: {2: 2}, 3: {3: 4}}
        """
        other = check_operand("kronecker", other, "Matrix")
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)
        shape = (self.nrows * other.nrows, self.ncols * other.ncols)
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls("Matrix", found.return_type, shape, f"GrB_Matrix_kronecker_{found.kind}", found, self.parent, other.parent, **flags)

    def reduce_rowwise(self, op: Any = "plus") -> Expression:
        """The entries of each row, combined by a monoid or an aggregator of gridblas.agg: a Vector of size nrows.

        >>> A = gb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
        >>> A.reduce_rowwise("plus").new().to_dict(), A.reduce_rowwise(gb.agg.count).new().to_dict()
        ({0: 3, 1: 3}, {0: 2, 1: 1})
        """
        return reduce_to_vector(self, op, by_column=False)

    def reduce_columnwise(self, op: Any = "plus") -> Expression:
        """The entries of each column, combined by a monoid or an aggregator of gridblas.agg: a Vector of size ncols.

        >>> gb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3]).reduce_columnwise("max").new().to_dict()
        {0: 1, 1: 3}
        """
        return reduce_to_vector(self, op, by_column=True)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """All entries, combined by a monoid or an aggregator of gridblas.agg: a Scalar.

        allow_empty  True: without entries the result is an empty Scalar; False: the monoid's identity

        >>> gb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3]).reduce_scalar("plus").value
        6
        """
        return reduce_to_scalar(self, op, allow_empty)

    def _reduce_all(self, op: Any) -> Any:
        return self.reduce_scalar(op, allow_empty=False).new().value

    @property
    def is_on_disk(self) -> bool:
        """Whether the rows are on disk, because they did not fit in memory: see gb.io.open and gb.memory_limit.

        >>> gb.Matrix(float, 3, 3).is_on_disk
        False
        """
        on_disk = ffi.new("bool *")
        library.lib.Grid_Matrix_bytes_read(on_disk, self.parent.handle)
        return on_disk[0]

    def power(self, n: int, op: Any = "plus_times") -> Expression:
        """The n-th power of a square matrix over a semiring, by repeated squaring; n is 1 or more.

        >>> gb.Matrix.from_coo([0, 1], [1, 0], [2, 3]).power(2).new().to_dicts()
        {0: {0: 6}, 1: {1: 6}}
        """
        n = check_integer("n", n, 1)
        if self.nrows != self.ncols:
            raise DimensionMismatch(f"power: a square matrix is expected, not {self.nrows} x {self.ncols}")
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype)

        def make() -> Any:
            square, result, left = self.new() if self.is_transposed else self, None, n
            while left:
                if left & 1:
                    result = square if result is None else result.mxm(square, found).new()
                left >>= 1
                if left:
                    square = square.mxm(square, found).new()
            return result

        return recipe("Matrix", found.return_type, self.shape, make, f"power({n}, {found!r})")

    def __getitem__(self, index: Any) -> Indexed:
        return Indexed(self, index)

    def __contains__(self, index: Any) -> bool:
        if not isinstance(index, tuple) or len(index) != 2:
            raise TypeError(f"(row, column) in A: two indices are expected, not {describe_value(index)}")
        return self.get(*index) is not None

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """The value at (row, col); the default where there is no entry. Collective.

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [2, 3])
        >>> A.get(0, 1), A.get(1, 1, default=0)
        (2, 0)
        """
        value = self._extract([single_index(row, self.nrows), single_index(col, self.ncols)]).new().value
        return default if value is None else value

    def _extract(self, at: list[Axis]) -> Expression:
        rows, cols = at
        if rows.single is not None and cols.single is not None:
            return _element("GrB_Matrix_extractElement_Scalar", self.parent, [cols, rows] if self.is_transposed else at)
        if cols.single is not None:
            args = (self.parent, rows, rows.number, cols.single)
            return calls("Vector", self.dtype, (rows.count,), "GrB_Col_extract", *args, first=self.is_transposed)
        if rows.single is not None:
            args = (self.parent, cols, cols.number, rows.single)
            return calls("Vector", self.dtype, (cols.count,), "GrB_Col_extract", *args, first=not self.is_transposed)
        args = (self.parent, rows, rows.number, cols, cols.number)
        return calls("Matrix", self.dtype, (rows.count, cols.count), "GrB_Matrix_extract", *args, first=self.is_transposed)


class Matrix(Interchange, MatrixOperations, Collection):
    """A sparse matrix, distributed over the grid of processes.

    dtype         type of the entries: "FP64", "INT64", "BOOL", ..., or a numpy or Python type
    nrows, ncols  0 or more; indices are 0 to nrows - 1 and 0 to ncols - 1
    name          printed with the matrix

    >>> A = gb.Matrix(int, 2, 3)
    >>> A[0, 2] << 7
    >>> A.shape, A.to_dicts()
    ((2, 3), {0: {2: 7}})
    """

    __slots__ = _dimensions = ("_nrows", "_ncols")
    letter = "M"
    nrows: int = property(attrgetter("_nrows"), doc="The number of rows.")  # type: ignore[assignment]
    ncols: int = property(attrgetter("_ncols"), doc="The number of columns.")  # type: ignore[assignment]

    def __init__(self, dtype: Any = "FP64", nrows: int = 1, ncols: int = 1, *, name: str | None = None) -> None:
        self._dtype, self._nrows, self._ncols = lookup_dtype(dtype), check_integer("nrows", nrows), check_integer("ncols", ncols)
        self._init(library.make("GrB_Matrix", "GrB_Matrix_new", self.dtype, self.nrows, self.ncols), name)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """The dimensions: (nrows, ncols)."""
        return (self.nrows, self.ncols)

    @property
    def T(self) -> TransposedMatrix:  # noqa: N802
        """The transpose: operations take it as it is, `.new()` makes a matrix of it.

        >>> gb.Matrix.from_coo([0], [2], [5], nrows=2).T.new().to_dicts()
        {2: {0: 5}}
        """
        return TransposedMatrix(self)

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> None:
        """Sets the entries of an empty matrix; clear=True empties it first, nrows and ncols resize it. See from_coo.

        >>> A = gb.Matrix(int, 2, 2)
        >>> A.build([0, 1], [1, 0], [5, 6])
        >>> A.to_dicts()
        {0: {1: 5}, 1: {0: 6}}
        """
        if clear:
            self.clear()
        if nrows is not None or ncols is not None:
            self.resize(self.nrows if nrows is None else nrows, self.ncols if ncols is None else ncols)
        rows, columns = index_array(rows, "rows"), index_array(columns, "columns")
        build(self, [rows, columns], pairs_of(values, len(rows), self.dtype)[0], dup_op)

    def resize(self, nrows: int, ncols: int) -> None:
        """Changes the dimensions; entries beyond them are removed.

        >>> A = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
        >>> A.resize(1, 4)
        >>> A.shape, A.nvals
        ((1, 4), 1)
        """
        nrows, ncols = check_integer("nrows", nrows), check_integer("ncols", ncols)
        library.call("GrB_Matrix_resize", self, nrows, ncols)
        self._nrows, self._ncols = nrows, ncols

    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Any:
        """Diagonal k (above the main one where k > 0) as a Vector.

        >>> gb.Matrix.from_dense([[1, 2], [3, 4]]).diag().to_dense().tolist()
        [1, 4]
        """
        k = check_integer("k", k, -(2**63))
        size = max(min(self.nrows + min(k, 0), self.ncols - max(k, 0)), 0)
        made = empty("Vector", dtype or self.dtype, (size,), name)
        line = self.select("diag", k).new().to_coo()
        if size:
            made.build(line[0].astype(np.int64) - max(-k, 0), line[2])
        return made

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Sets diagonal k to a number, or to the entries of a Vector of its length.

        >>> A = gb.Matrix.from_dense([[1, 2], [3, 4]])
        >>> A.setdiag(0)
        >>> A.to_dense().tolist()
        [[0, 2], [3, 0]]
        """
        k = check_integer("k", k, -(2**63))
        if 0 < k >= self.ncols or 0 > k <= -self.nrows:
            raise IndexError(f"setdiag: a matrix of {self.nrows} x {self.ncols} has no diagonal {k}")
        size = min(self.nrows + min(k, 0), self.ncols - max(k, 0))
        line = check_operand("setdiag", values, "Vector") if hasattr(values, "nvals") else empty("Vector", self.dtype, (size,))
        if not hasattr(values, "nvals"):
            line[:] << values
        if line.size != size:
            raise DimensionMismatch(f"setdiag: diagonal {k} has {size} positions, and the vector has size {line.size}")
        rest = self.select("offdiag", k).new()
        diagonal = line.dup(self.dtype).diag(k)
        diagonal.resize(self.nrows, self.ncols)
        self << rest.ewise_add(diagonal, "second")

    def __setitem__(self, index: Any, value: Any) -> None:
        SubassignTarget(self, Indexed(self, index).at, (), {}).update(value)

    def __delitem__(self, index: Any) -> None:
        rows, cols = Indexed(self, index).at
        if rows.single is None or cols.single is None:
            raise TypeError("del A[row, column]: a single row and column are expected")
        library.call("GrB_Matrix_removeElement", self, rows.single, cols.single)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        rows, cols, _ = self.to_coo(values=False)
        return zip(rows.tolist(), cols.tolist())

    def __repr__(self) -> str:
        from .display import matrix_text

        return matrix_text(self)

    def _repr_html_(self) -> str:
        from .display import matrix_html

        return matrix_html(self)


CHANGES = ("S", "V", "build", "clear", "resize", "setdiag", "unload", "update", "wait")  # what is for objects of their own


class TransposedMatrix(MatrixOperations):
    """The transpose A.T of a matrix A, which operations take as it is; `.new()` makes a Matrix of it.

    >>> A = gb.Matrix.from_coo([0], [2], [5], nrows=2)
    >>> A.T.shape, A.mxm(A.T).new().to_dicts()
    ((3, 2), {0: {0: 25}})
    """

    __slots__ = ("_matrix",)
    is_transposed = True

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    @property
    def parent(self) -> Matrix:
        """The matrix itself, as `T`."""
        return self._matrix

    @property
    def T(self) -> Matrix:  # noqa: N802
        """The matrix itself."""
        return self._matrix

    @property
    def dtype(self) -> Any:
        """Type of the entries."""
        return self._matrix.dtype

    @property
    def name(self) -> str:
        """Printed with the matrix."""
        return self._matrix.name + ".T"

    @property
    def nrows(self) -> int:  # type: ignore[override]
        """The number of rows."""
        return self._matrix.ncols

    @property
    def ncols(self) -> int:  # type: ignore[override]
        """The number of columns."""
        return self._matrix.nrows

    @property
    def shape(self) -> tuple[int, int]:
        """The dimensions: (nrows, ncols)."""
        return (self.nrows, self.ncols)

    @property
    def ndim(self) -> int:
        """The number of dimensions, 2."""
        return 2

    @property
    def nvals(self) -> int:
        """The number of entries. Collective."""
        return self._matrix.nvals

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **options: Any) -> Matrix:
        """A Matrix that is the transpose; of another type if one is given, of the entries that the mask allows."""
        made = Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name)
        put(made, self, as_mask(mask), None, False)
        return made

    def dup(self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None) -> Matrix:
        """The same as `new`; clear=True: without entries."""
        return Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name) if clear else self.new(dtype, mask=mask, name=name)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.new())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in CHANGES:
            raise AttributeError(f"{name}: A.T is no matrix of its own; A.T.new() makes one")
        return getattr(self.new(), name)

    def __repr__(self) -> str:
        return f"gridblas.TransposedMatrix: {self.name}, {self.nrows} x {self.ncols}, {self.nvals} entries, {self.dtype}"

    def _repr_html_(self) -> str:
        from .display import matrix_html

        return matrix_html(self.new(name=self.name))
