"""gridblas.Matrix, and A.T, its transpose that is not made unless it must be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .collection import Collection, Indexed
from .dtypes import lookup_dtype
from .entrywise import Entrywise
from .expression import Expression, calls, compute, empty, recipe
from .index import Axis, places
from .interchange import Interchange
from .mask import as_mask
from .operators import lookup
from .reduce import reduce_to_scalar, reduce_to_vector
from .update import SubPlace, put
from .values import build, pairs_of
from .vector import _element


class MatrixOperations(Entrywise):
    """What a matrix and its transpose can do: both have `parent`, `is_transposed`, `nrows` and `ncols`."""

    __slots__ = ()
    kind = "Matrix"
    nrows: int
    ncols: int

    def mxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a matrix over a semiring."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls("Matrix", found.return_type, (self.nrows, other.ncols), "GrB_mxm", found, self.parent, other.parent, **flags)

    def mxv(self, other: Any, op: Any = "plus_times") -> Expression:
        """The product with a vector over a semiring."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "semiring"), self.dtype, other.dtype)
        return calls("Vector", found.return_type, (self.nrows,), "GrB_mxv", found, self.parent, other, first=self.is_transposed)

    def kronecker(self, other: Any, op: Any = "times") -> Expression:
        """The Kronecker product."""
        other = compute(other)
        found = lookup.typed(lookup.find(op, "binary", "monoid", "semiring"), self.dtype, other.dtype)
        shape = (self.nrows * other.nrows, self.ncols * other.ncols)
        flags = {"first": self.is_transposed, "second": other.is_transposed}
        return calls("Matrix", found.return_type, shape, f"GrB_Matrix_kronecker_{found.kind}", found, self.parent, other.parent, **flags)

    def reduce_rowwise(self, op: Any = "plus") -> Expression:
        """Each row's entries joined by a monoid or an aggregator: a vector."""
        return reduce_to_vector(self, op, by_column=False)

    def reduce_columnwise(self, op: Any = "plus") -> Expression:
        """Each column's entries joined by a monoid or an aggregator: a vector."""
        return reduce_to_vector(self, op, by_column=True)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """All entries joined by a monoid or an aggregator."""
        return reduce_to_scalar(self, op, allow_empty)

    def _reduce_all(self, op: Any) -> Any:
        return self.reduce_scalar(op, allow_empty=False).new().value

    def power(self, n: int, op: Any = "plus_times") -> Expression:
        """The n-th power over a semiring, by repeated squaring; n >= 1."""
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

        if n < 1:
            raise ValueError(f"power: n is {n}, not 1 or more")
        return recipe("Matrix", found.return_type, self.shape, make, f"power({n}, {found!r})")

    def __getitem__(self, index: Any) -> Indexed:
        return Indexed(self, index)

    def __contains__(self, index: Any) -> bool:
        return self.get(*index) is not None

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """The value at (row, col), or a default."""
        value = self[row, col].new().value
        return default if value is None else value

    def _extract(self, at: list[Axis]) -> Expression:
        rows, cols = at
        if rows.single is not None and cols.single is not None:
            return _element("GrB_Matrix_extractElement_Scalar", self.parent, [cols, rows] if self.is_transposed else at)
        if cols.single is not None:
            args = (self.parent, rows, rows.count, cols.single)
            return calls("Vector", self.dtype, (rows.count,), "GrB_Col_extract", *args, first=self.is_transposed)
        if rows.single is not None:
            args = (self.parent, cols, cols.count, rows.single)
            return calls("Vector", self.dtype, (cols.count,), "GrB_Col_extract", *args, first=not self.is_transposed)
        args = (self.parent, rows, rows.count, cols, cols.count)
        return calls("Matrix", self.dtype, (rows.count, cols.count), "GrB_Matrix_extract", *args, first=self.is_transposed)


class Matrix(Interchange, MatrixOperations, Collection):
    """A sparse matrix of a type and two dimensions, dealt out over the grid of processes."""

    __slots__ = ("nrows", "ncols")
    letter = "M"

    def __init__(self, dtype: Any = "FP64", nrows: int = 1, ncols: int = 1, *, name: str | None = None) -> None:
        dtype = lookup_dtype(dtype)
        self._init(library.make("GrB_Matrix", "GrB_Matrix_new", dtype, nrows, ncols), dtype, name)

    def _init(self, owner: Any, dtype: Any, name: str | None) -> None:
        super()._init(owner, dtype, name)
        size = ffi.new("GrB_Index *")
        library.call("GrB_Matrix_nrows", size, self)
        self.nrows: int = size[0]
        library.call("GrB_Matrix_ncols", size, self)
        self.ncols: int = size[0]

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self.nrows, self.ncols)

    @property
    def T(self) -> TransposedMatrix:  # noqa: N802
        """The transpose: operations take it as it is, `.new()` makes a matrix of it."""
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
        """Puts values at places of an empty matrix."""
        if clear:
            self.clear()
        if nrows is not None or ncols is not None:
            self.resize(nrows or self.nrows, ncols or self.ncols)
        rows, columns = places(rows), places(columns)
        build(self, [rows, columns], pairs_of(values, len(rows), self.dtype)[0], dup_op)

    def resize(self, nrows: int, ncols: int) -> None:
        """Changes the dimensions; entries beyond them go."""
        library.call("GrB_Matrix_resize", self, nrows, ncols)
        self.nrows, self.ncols = nrows, ncols

    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Any:
        """Diagonal k as a vector."""
        size = min(self.nrows + min(k, 0), self.ncols - max(k, 0))
        start = np.arange(max(size, 0), dtype=np.int64)
        made = empty("Vector", dtype or self.dtype, (max(size, 1),), name)
        line = self.select("diag", k).new().to_coo()
        if len(start):
            made.build(line[0].astype(np.int64) - max(-k, 0), line[2])
        return made

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Sets diagonal k to a value or to a vector's entries."""
        size = min(self.nrows + min(k, 0), self.ncols - max(k, 0))
        line = values if hasattr(values, "nvals") else empty("Vector", self.dtype, (size,))
        if line is not values:
            line[:] << values
        rest = self.select("offdiag", k).new()
        whole = line.dup(self.dtype).diag(k)
        whole.resize(self.nrows, self.ncols)
        self << rest.ewise_add(whole, "second")

    def __setitem__(self, index: Any, value: Any) -> None:
        SubPlace(self, Indexed(self, index).at, (), {}).update(value)

    def __delitem__(self, index: Any) -> None:
        rows, cols = Indexed(self, index).at
        if rows.single is None or cols.single is None:
            raise TypeError("del is for a single entry")
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


class TransposedMatrix(MatrixOperations):
    """A.T of a matrix A."""

    __slots__ = ("_matrix",)
    is_transposed = True

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    @property
    def parent(self) -> Matrix:
        return self._matrix

    @property
    def T(self) -> Matrix:  # noqa: N802
        """The matrix itself."""
        return self._matrix

    @property
    def dtype(self) -> Any:
        return self._matrix.dtype

    @property
    def name(self) -> str:
        return self._matrix.name + ".T"

    @property
    def nrows(self) -> int:  # type: ignore[override]
        return self._matrix.ncols

    @property
    def ncols(self) -> int:  # type: ignore[override]
        return self._matrix.nrows

    @property
    def shape(self) -> tuple[int, int]:
        return (self.nrows, self.ncols)

    @property
    def ndim(self) -> int:
        return 2

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self._matrix.nvals

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **options: Any) -> Matrix:
        """Makes the transpose."""
        made = Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name)
        put(made, self, as_mask(mask), None, False)
        return made

    def dup(self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None) -> Matrix:
        """The same, or an empty one."""
        return Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name) if clear else self.new(dtype, mask=mask, name=name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("S", "V"):
            raise AttributeError(f"{name} of a transpose: make it first, by .new()")
        return getattr(self.new(), name)

    def __repr__(self) -> str:
        return f"gridblas.TransposedMatrix: {self.name}, {self.nrows} x {self.ncols}, {self.nvals} entries, {self.dtype}"

    def _repr_html_(self) -> str:
        from .display import matrix_html

        return matrix_html(self.new(name=self.name))
