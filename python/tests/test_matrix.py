"""Matrices: in and out, products, masks, extraction and assignment, each against numpy."""

import pickle

import numpy as np
import pytest

import gridblas as gb


def matrix(drawn):
    values, present = drawn
    return gb.Matrix.from_coo(*np.nonzero(present), values[present], nrows=values.shape[0], ncols=values.shape[1])


def same(got, values, present):
    i, j, x = got.to_coo()
    expected = np.argwhere(present)
    assert np.array_equal(np.column_stack((i, j)), expected)
    assert np.allclose(x, values[present])


def test_in_and_out(draw):
    values, present = drawn = draw((5, 7))
    A = matrix(drawn)
    assert A.shape == (5, 7) and A.nvals == present.sum() and A.dtype == "FP64"
    same(A, values, present)
    same(gb.Matrix.from_csr(*A.to_csr(), ncols=7), values, present)
    same(gb.Matrix.from_csc(*A.to_csc(), nrows=5), values, present)
    same(gb.Matrix.from_dicts(A.to_dicts(), nrows=5, ncols=7), values, present)
    same(gb.Matrix.from_edgelist(*A.to_edgelist(), nrows=5, ncols=7), values, present)
    same(gb.Matrix.from_dense(values, missing_value=0), values, present)
    same(pickle.loads(pickle.dumps(A)), values, present)
    assert np.array_equal(A.to_dense(0), values)
    assert list(A) == [tuple(place) for place in np.argwhere(present).tolist()]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_types(draw, dtype):
    values, present = drawn = draw((4, 4), dtype)
    A = matrix(drawn)
    assert A.dtype == dtype and A.to_coo()[2].dtype == dtype
    same(A, values, present)
    assert A.dup("FP64").dtype == "FP64"


def test_duplicates_need_an_operator():
    with pytest.raises(gb.exceptions.InvalidValue, match="GrB_Matrix_build"):
        gb.Matrix.from_coo([0, 0], [1, 1], [1, 2])
    assert gb.Matrix.from_coo([0, 0], [1, 1], [1, 2], dup_op="plus")[0, 1].value == 3


def test_products(draw):
    one, two = draw((5, 6)), draw((6, 4))
    A, B = matrix(one), matrix(two)
    where = (one[1].astype(int) @ two[1].astype(int)) > 0
    same(A.mxm(B).new(), one[0] @ two[0], where)
    same((A @ B).new(), one[0] @ two[0], where)
    same(B.T.mxm(A.T).new(), (one[0] @ two[0]).T, where.T)
    paths = np.where(one[1][:, :, None] & two[1][None], one[0][:, :, None] + two[0][None], np.inf).min(1)
    same(A.mxm(B, "min_plus").new(), paths, where)
    same(A.mxm(B, gb.semiring.plus_pair).new(), one[1].astype(int) @ two[1].astype(int), where)
    v = gb.Vector.from_dense(np.arange(1.0, 7))
    assert np.allclose(A.mxv(v).new().to_dense(0), one[0] @ np.arange(1.0, 7))
    assert np.allclose(v.vxm(B).new().to_dense(0), np.arange(1.0, 7) @ two[0])
    assert v.inner(v).value == 91
    assert v.outer(v).new()[2, 3].value == 12
    assert np.allclose(A.kronecker(B).new().to_dense(0), np.kron(one[0], two[0]))


def test_masks_accumulators_replace(draw):
    old, one, mask = draw((6, 6)), draw((6, 6)), draw((6, 6), int, 0.5)
    M = matrix(mask)
    for complement in (False, True):
        for replace in (False, True):
            C = matrix(old)
            C(~M.S if complement else M.S, "plus", replace=replace) << matrix(one)
            allowed = mask[1] ^ complement
            present = np.where(allowed, old[1] | one[1], old[1] & (not replace))
            values = np.where(allowed, old[0] + one[0], old[0])
            same(C, values, present)
    C = matrix(old)
    C(M.V) << matrix(one)
    same(C, np.where(mask[1], one[0], old[0]), np.where(mask[1], one[1], old[1]))


def test_entrywise(draw):
    one, two = draw((5, 5)), draw((5, 5))
    A, B = matrix(one), matrix(two)
    either, both = one[1] | two[1], one[1] & two[1]
    same((A + B).new(), one[0] + two[0], either)
    same((A - B).new(), one[0] - two[0], either)
    same((A * B).new(), one[0] * two[0], both)
    same(A.ewise_mult(B, "max").new(), np.maximum(one[0], two[0]), both)
    same(gb.binary.minus(A | B, left_default=10, right_default=1).new(), np.where(one[1], one[0], 10) - np.where(two[1], two[0], 1), either)
    same(gb.monoid.min(A & B).new(), np.minimum(one[0], two[0]), both)
    same((A.T + B).new(), one[0].T + two[0], one[1].T | two[1])
    same((A < B).new(), one[0] < two[0], both)
    same((A + 1).new(), one[0] + 1, one[1])
    same((1 - A).new(), 1 - one[0], one[1])
    same((-A).new(), -one[0], one[1])
    same(A.T.apply("plus", left=2).new(), one[0].T + 2, one[1].T)
    C = A.dup()
    C += B
    same(C, one[0] + two[0], either)
    C -= 1
    same(C, one[0] + two[0] - 1, either)


def test_apply_select(draw):
    values, present = drawn = draw((6, 6))
    A = matrix(drawn)
    rows, cols = np.indices((6, 6))
    same(A.apply("sqrt").new(), np.sqrt(values), present)
    same(gb.unary.exp(A).new(), np.exp(values), present)
    same(A.apply("rowindex", 1).new(), rows + 1, present)
    same(A.T.apply("colindex").new(), cols, present.T)
    same(A.select("tril").new(), values, present & (cols <= rows))
    same(gb.select.triu(A, 1).new(), values, present & (cols > rows))
    same(A.select(">", 4).new(), values, present & (values > 4))
    same(A.T.select("offdiag", 0).new(), values.T, present.T & (cols != rows))


def test_reductions(draw):
    values, present = drawn = draw((5, 6))
    A = matrix(drawn)
    nonempty = present.any(1)
    v = A.reduce_rowwise().new()
    assert np.array_equal(v.to_coo()[0], np.flatnonzero(nonempty)) and np.allclose(v.to_coo()[1], values.sum(1)[nonempty])
    assert np.allclose(A.T.reduce_columnwise("max").new().to_coo()[1], values.max(1)[nonempty])
    assert A.reduce_scalar().value == values.sum()
    assert A.reduce_scalar("times").value == pytest.approx(values[present].prod())
    assert gb.Matrix(int, 2, 2).reduce_scalar().value is None
    assert gb.Matrix(int, 2, 2).reduce_scalar("min", allow_empty=False).value == np.iinfo(np.int64).max
    line = values[present]
    for name, expected in {
        "count": present.sum(),
        "mean": line.mean(),
        "varp": line.var(),
        "stds": line.std(ddof=1),
        "L2norm": np.sqrt((line**2).sum()),
        "peak_to_peak": np.ptp(line),
        "geometric_mean": np.exp(np.log(line).mean()),
    }.items():
        assert A.reduce_scalar(getattr(gb.agg, name)).value == pytest.approx(expected), name
    means = np.array([row[mask].mean() for row, mask in zip(values, present) if mask.any()])
    assert np.allclose(A.reduce_rowwise(gb.agg.mean).new().to_coo()[1], means)
    spread = np.array([row[mask].std() for row, mask in zip(values, present) if mask.any()])
    assert np.allclose(A.reduce_rowwise("stdp").new().to_coo()[1], spread)
    assert np.allclose(A.T.reduce_columnwise("stdp").new().to_coo()[1], spread)


def test_extract(draw):
    values, present = drawn = draw((6, 7))
    A = matrix(drawn)
    rows, cols = [4, 0, 4], [6, 1, 2, 2]
    same(A[rows, cols].new(), values[np.ix_(rows, cols)], present[np.ix_(rows, cols)])
    same(A[1:5, ::2].new(), values[1:5, ::2], present[1:5, ::2])
    same(A.T[2:, :].new(), values.T[2:], present.T[2:])
    assert A[3, :].new().to_dict() == {j: values[3, j] for j in np.flatnonzero(present[3])}
    assert A.T[:, 3].new().to_dict() == A[3, :].new().to_dict()
    for i, j in ((0, 0), (5, 6), (-1, -2)):
        assert A.get(i, j) == (values[i, j] if present[i, j] else None)
    with pytest.raises(IndexError):
        A[6, 0]


def test_assign(draw):
    old, new = draw((6, 6)), draw((2, 3))
    rows, cols = [4, 1], [0, 5, 2]

    def expect(change):
        values, present = old[0].copy(), old[1].copy()
        change(values, present)
        return values, present

    C = matrix(old)
    C[rows, cols] << matrix(new)

    def put(values, present):
        values[np.ix_(rows, cols)], present[np.ix_(rows, cols)] = new

    same(C, *expect(put))
    C = matrix(old)
    C[rows, cols] = 3

    def fill(values, present):
        values[np.ix_(rows, cols)], present[np.ix_(rows, cols)] = 3, True

    same(C, *expect(fill))
    C = matrix(old)
    C[2, :] = gb.Vector.from_coo([1, 3], [7.0, 8.0], size=6)

    def row(values, present):
        values[2], present[2] = [0, 7, 0, 8, 0, 0], [0, 1, 0, 1, 0, 0]

    same(C, *expect(row))
    C = matrix(old)
    C("plus")[:, 2] << gb.Vector.from_coo([1, 3], [7.0, 8.0], size=6)

    def column(values, present):
        values[[1, 3], 2] = np.where(present[[1, 3], 2], values[[1, 3], 2], 0) + [7, 8]
        present[[1, 3], 2] = True

    same(C, *expect(column))


def test_masked_assign(draw):
    old, inner, outer = draw((5, 5)), draw((2, 2), int, 0.5), draw((5, 5), int, 0.5)
    rows, cols = [0, 3], [1, 2]
    C = matrix(old)
    C[rows, cols](matrix(inner).S) << 9
    values, present = old[0].copy(), old[1].copy()
    for r, c in np.argwhere(inner[1]):
        values[rows[r], cols[c]], present[rows[r], cols[c]] = 9, True
    same(C, values, present)
    C = matrix(old)
    C(matrix(outer).S)[rows, cols] << 9
    values, present = old[0].copy(), old[1].copy()
    part = np.zeros((5, 5), bool)
    part[np.ix_(rows, cols)] = True
    values[part & outer[1]], present[part & outer[1]] = 9, True
    same(C, values, present)


def test_elements():
    A = gb.Matrix(int, 3, 3)
    A[0, 1] = 5
    A[2, 2] << 6
    assert A[0, 1].value == 5 and (2, 2) in A and (1, 1) not in A
    del A[0, 1]
    assert A.to_dicts() == {2: {2: 6}}
    A.resize(2, 4)
    assert A.shape == (2, 4) and A.nvals == 0


def test_diagonals(draw):
    values, present = drawn = draw((4, 4), float, 0.8)
    A = matrix(drawn)
    for k in (-2, 0, 1):
        line = A.diag(k)
        assert line.to_dict() == {
            p: values[p + max(-k, 0), p + max(k, 0)] for p in range(4 - abs(k)) if present[p + max(-k, 0), p + max(k, 0)]
        }
    A.setdiag(5)
    assert A.diag().to_dict() == dict.fromkeys(range(4), 5)


def test_power(draw):
    values, present = drawn = draw((4, 4))
    assert np.allclose(matrix(drawn).power(5).new().to_dense(0), np.linalg.matrix_power(values, 5))


def test_equal_and_close(draw):
    drawn = draw((4, 4))
    A, B = matrix(drawn), matrix(drawn)
    assert A.isequal(B) and A.isclose(B)
    B += 1e-12
    assert not A.isequal(B) and A.isclose(B)
    assert not A.isclose(matrix(draw((4, 4))))
    assert not A.isequal(A.dup("FP32"), check_dtype=True)


def test_local_tuples():
    n = 10
    rows = np.arange(gb.rank(), n, gb.size())
    A = gb.Matrix.from_local(rows, (rows + 1) % n, rows * 1.0, nrows=n, ncols=n)
    assert A.to_dicts() == {i: {(i + 1) % n: float(i)} for i in range(n)}
    i, j, x = A.to_local()
    total = gb.Matrix.from_local(i, j, x, nrows=n, ncols=n)
    assert total.isequal(A)
    pattern = gb.Matrix.from_local(rows, (rows + 1) % n, nrows=n, ncols=n, mirror=True)
    assert pattern.dtype == "BOOL" and pattern.nvals == 2 * n


def test_display():
    A = gb.Matrix.from_coo([0, 1], [1, 0], [1.5, 2], name="A_x")
    assert "A_x" in repr(A) and "1.5" in repr(A)
    assert "<td>1.5</td>" in A._repr_html_() and "&hellip;" not in A._repr_html_()
    assert "&hellip;" in gb.Matrix(int, 100, 100)._repr_html_()
    B = gb.Matrix.from_coo([3, 70], [4, 80], [1.5, 2.0], nrows=100, ncols=100, name="B_x")
    assert repr(B).splitlines()[1:] == ["(3, 4)  1.5", "... (the first 20 rows and 20 columns)"]
    assert repr(gb.Matrix(int, 100, 5)).endswith("... (no entry in the first 20 rows and 5 columns)")
    assert "expression" in repr(A.mxm(A)).lower()
    assert "semiring.min_plus(x @ y)" in repr(A @ A) and "binary.plus(x | y)" in repr(A | A)


def test_entries_that_a_mask_allows_are_selected():
    A = gb.Matrix.from_coo([0, 1, 1], [1, 0, 1], [5.0, 6.0, 7.0])
    B = gb.Matrix.from_coo([0, 1], [1, 1], [0, 1])
    for what, wanted in ((A > 5, {1: {0: 6.0, 1: 7.0}}), (B.S, {0: {1: 5.0}, 1: {1: 7.0}}), (~B.S, {1: {0: 6.0}}), (B.V, {1: {1: 7.0}})):
        assert A.select(what).new().to_dicts() == wanted
    C = gb.Matrix("FP64", 2, 2)
    C << A.T.select(B.S)
    assert C.to_dicts() == {0: {1: 6.0}, 1: {1: 7.0}} and C.dtype == A.dtype
    with pytest.raises(TypeError, match="BOOL object is expected"):
        A.select(A)
