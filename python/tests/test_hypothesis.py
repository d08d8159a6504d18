"""Random matrices of all types, with duplicates and empty shapes, against dense arrays of numpy. hypothesis looks for the smallest that differs."""

import numpy as np
import pytest

import gridblas as gb

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

TYPES = [name for name in gb.dtypes.__all__ if name.isupper()]
# Derandomized: all processes, and all runs, draw the same.
quickly = settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
sizes = st.integers(0, 8)


class Dense:
    """The model: values, and where there are entries."""

    def __init__(self, values, present):
        self.values, self.present = np.where(present, values, 0).astype(values.dtype), present


def semiring_of(A):
    """(name, its monoid): what numpy's products and sums are."""
    return ("lor_land", "lor") if A.dtype == "BOOL" else ("plus_times", "plus")


@st.composite
def tuples(draw, nrows, ncols, dtype):
    """Rows, columns and values of up to 20 entries; positions may occur several times."""
    least = 0 if dtype.kind in "bu" else -3
    count = draw(st.integers(0, 20)) if nrows and ncols else 0
    entries = [(draw(st.integers(0, nrows - 1)), draw(st.integers(0, ncols - 1)), draw(st.integers(least, 3))) for _ in range(count)]
    rows, cols, values = ([e[k] for e in entries] for k in range(3))
    return np.array(rows, np.int64), np.array(cols, np.int64), np.array(values, np.int64).astype(dtype)


@st.composite
def matrices(draw, nrows=None, ncols=None, dtype=None):
    """A matrix of a random type, and its model. Duplicates are combined by "second": the last one counts."""
    nrows = draw(sizes) if nrows is None else nrows
    ncols = draw(sizes) if ncols is None else ncols
    dtype = gb.dtypes.lookup_dtype(dtype or draw(st.sampled_from(TYPES)))
    rows, cols, values = draw(tuples(nrows, ncols, dtype.np_type))
    model = Dense(np.zeros((nrows, ncols), dtype.np_type), np.zeros((nrows, ncols), bool))
    for i, j, x in zip(rows, cols, values):
        model.values[i, j], model.present[i, j] = x, True
    return gb.Matrix.from_coo(rows, cols, values, dtype, nrows=nrows, ncols=ncols, dup_op="second"), model


@st.composite
def pairs(draw, product=False):
    """Two matrices of a type: of the same shape, or that can be multiplied."""
    dtype, m, n = draw(st.sampled_from(TYPES)), draw(sizes), draw(sizes)
    return draw(matrices(m, n, dtype)), draw(matrices(n, draw(sizes), dtype) if product else matrices(m, n, dtype))


def check(got, values, present):
    """Entries, values and type of the result."""
    assert got.shape == values.shape and got.dtype.np_type == values.dtype
    where = got.to_coo()[:-1]
    found = np.zeros(values.shape, bool)
    found[where] = True
    assert np.array_equal(found, present) and np.array_equal(got.to_coo()[-1], values[where])


@quickly
@given(st.data())
def test_duplicates_are_combined(data):
    dtype = data.draw(st.sampled_from([t for t in TYPES if t != "BOOL"]))
    m, n = data.draw(sizes), data.draw(sizes)
    rows, cols, values = data.draw(tuples(m, n, gb.dtypes.lookup_dtype(dtype).np_type))
    expected, present = np.zeros((m, n), values.dtype), np.zeros((m, n), bool)
    np.add.at(expected, (rows, cols), values)
    present[rows, cols] = True
    check(gb.Matrix.from_coo(rows, cols, values, nrows=m, ncols=n, dup_op="plus"), expected, present)
    if len(values) > present.sum():
        with pytest.raises(gb.exceptions.InvalidValue):
            gb.Matrix.from_coo(rows, cols, values, nrows=m, ncols=n)


@quickly
@given(matrices())
def test_transpose_and_apply(pair):
    A, a = pair
    check(A.T.new(), a.values.T, a.present.T)
    check(A.apply("identity").new(), a.values, a.present)
    if a.values.dtype.kind in "if":
        check(A.apply("ainv").new(), -a.values, a.present)
        check(A.apply("abs").new(), np.abs(a.values), a.present)


@quickly
@given(pairs())
def test_element_wise(pair):
    (A, a), (B, b) = pair
    check(A.ewise_add(B, "first").new(), np.where(a.present, a.values, b.values), a.present | b.present)
    check(A.ewise_add(B, semiring_of(A)[1]).new(), a.values + b.values, a.present | b.present)
    check(A.ewise_mult(B, "land" if A.dtype == "BOOL" else "times").new(), a.values * b.values, a.present & b.present)
    check(A.ewise_mult(B, "second").new(), b.values, a.present & b.present)


@quickly
@given(pairs(product=True))
def test_products(pair):
    (A, a), (B, b) = pair
    present = (a.present.astype(int) @ b.present.astype(int)) > 0
    check(A.mxm(B, semiring_of(A)[0]).new(), a.values @ b.values, present)
    full = gb.Vector.from_dense(np.ones(A.ncols, a.values.dtype)) if A.ncols else gb.Vector(A.dtype, 0)
    check(A.mxv(full, semiring_of(A)[0]).new(), a.values @ np.ones(A.ncols, a.values.dtype), a.present.any(1))


@quickly
@given(matrices(), st.data())
def test_masks(pair, data):
    A, a = pair
    M, m = data.draw(matrices(*A.shape))
    C = A.dup()
    C(M.S) << 1
    check(C, np.where(m.present, 1, a.values).astype(a.values.dtype), a.present | m.present)
    C = A.dup()
    C(~M.V, replace=True) << A
    check(C, np.where(m.values != 0, 0, a.values).astype(a.values.dtype), a.present & ~(m.present & (m.values != 0)))


@quickly
@given(matrices())
def test_reductions(pair):
    A, a = pair
    lowest = a.values.min(initial=0) if a.values.dtype.kind != "b" else False
    check(A.reduce_rowwise(semiring_of(A)[1]).new(), np.add.reduce(a.values, 1, a.values.dtype), a.present.any(1))
    expected = np.where(a.present, a.values, lowest).max(0, initial=lowest)
    check(A.reduce_columnwise("lor" if A.dtype == "BOOL" else "max").new(), np.where(a.present.any(0), expected, 0).astype(a.values.dtype), a.present.any(0))
    total = A.reduce_scalar(semiring_of(A)[1], allow_empty=False).new().value
    assert total == np.add.reduce(a.values, None, a.values.dtype)


@quickly
@given(matrices(), st.integers(0, 3))
def test_select(pair, than):
    A, a = pair
    check(A.select(">", than).new(), a.values, a.present & (a.values > than))
    check(A.select("tril").new(), a.values, np.tril(a.present))


@quickly
@given(matrices(), st.data())
def test_extract_and_assign(pair, data):
    A, a = pair
    rows = data.draw(st.lists(st.integers(0, A.nrows - 1), max_size=6)) if A.nrows else []
    cols = data.draw(st.lists(st.integers(0, A.ncols - 1), max_size=6, unique=True)) if A.ncols else []
    at = np.ix_(np.array(rows, int), np.array(cols, int))
    check(A[rows, cols].new(), a.values[at], a.present[at])
    at = np.ix_(np.unique(np.array(rows, int)), np.array(cols, int))
    A[at[0].ravel().tolist(), cols] << 1
    a.values[at], a.present[at] = 1, True
    check(A, a.values, a.present)


@quickly
@given(matrices(), sizes, sizes)
def test_resize_and_cast(pair, m, n):
    A, a = pair
    check(A.dup("FP64"), a.values.astype(float), a.present)
    check(A.dup("BOOL"), a.values.astype(bool), a.present)
    A.resize(m, n)
    values, present, rows, cols = np.zeros((m, n), a.values.dtype), np.zeros((m, n), bool), min(m, len(a.values)), min(n, a.values.shape[1])
    values[:rows, :cols], present[:rows, :cols] = a.values[:rows, :cols], a.present[:rows, :cols]
    check(A, values, present)


@quickly
@given(pairs())
def test_kronecker(pair):
    (A, a), (B, b) = pair
    check(A.kronecker(B, "land" if A.dtype == "BOOL" else "times").new(), np.kron(a.values, b.values).astype(a.values.dtype), np.kron(a.present, b.present).astype(bool))


@quickly
@given(matrices())
def test_arrays(pair):
    A, a = pair
    nrows, ncols = A.shape
    for index in (np.int32, np.uint64):
        indptr, cols, values = (part.astype(index) if part.dtype == np.uint64 and k < 2 else part for k, part in enumerate(A.to_csr()))
        check(gb.Matrix.from_csr(indptr, cols, values, A.dtype, ncols=ncols), a.values, a.present)
        indptr, rows, values = (part.astype(index) if part.dtype == np.uint64 and k < 2 else part for k, part in enumerate(A.to_csc()))
        check(gb.Matrix.from_csc(indptr, rows, values, A.dtype, nrows=nrows), a.values, a.present)
    check(gb.Matrix.deserialize(A.serialize()), a.values, a.present)
    assert sum(len(part) for part in A.view()[2:]) == A.nvals or gb.size() > 1


@quickly
@given(pairs(product=True))
def test_scipy(pair):
    sparse = pytest.importorskip("scipy.sparse")
    (A, a), (B, b) = pair
    S, T = gb.io.to_scipy_sparse(A), gb.io.to_scipy_sparse(B, copy=False)
    assert np.array_equal(S.toarray(), a.values) and np.array_equal(T.toarray(), b.values)
    for form in ("csr", "csc", "coo"):
        check(gb.io.from_scipy_sparse(S.asformat(form)), a.values, a.present)
    if A.dtype != "BOOL" and min(*A.shape, *B.shape):
        assert np.array_equal((sparse.csr_matrix(S) @ sparse.csr_matrix(T)).toarray(), A.mxm(B, semiring_of(A)[0]).new().to_dense(0))
