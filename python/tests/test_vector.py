"""Vectors and scalars."""

import numpy as np
import pytest

import gridblas as gb


def test_in_and_out():
    v = gb.Vector.from_coo([4, 1], [2.5, 3], size=6)
    assert v.size == 6 and v.nvals == 2 and list(v) == [1, 4]
    assert v.to_dict() == {1: 3, 4: 2.5} == gb.Vector.from_dict(v.to_dict(), size=6).to_dict()
    assert v.to_dense(0).tolist() == [0, 3, 0, 0, 2.5, 0]
    with pytest.raises(TypeError, match="fill_value"):
        v.to_dense()
    assert gb.Vector.from_dense([1, 0, 2], missing_value=0).to_dict() == {0: 1, 2: 2}
    assert gb.Vector.from_scalar(3, 4).to_dense().tolist() == [3] * 4
    assert gb.Vector.from_pairs([(0, 1), (0, 2)], dup_op="plus").to_dict() == {0: 3}


def test_assign_and_extract():
    v = gb.Vector(int, 6)
    v[[1, 3]] = 7
    v[5] << 2
    v("plus")[:4] << 1
    assert v.to_dict() == {0: 1, 1: 8, 2: 1, 3: 8, 5: 2}
    assert v[[3, 4]].new().to_dict() == {0: 8}
    assert v[-1].value == 2 and v.get(4, 0) == 0 and 4 not in v
    w = v.dup()
    w(v.S, replace=True)[[0, 1]] << 9
    assert w.to_dict() == {0: 9, 1: 9, 2: 1, 3: 8, 5: 2}
    w(~v.S) << 4
    assert w[4].value == 4
    del w[4]
    assert w.nvals == 5
    assert v.dup(mask=(v > 1).new().V).to_dict() == {1: 8, 3: 8, 5: 2}


def test_operators():
    v, w = gb.Vector.from_coo([0, 1], [1.0, 2]), gb.Vector.from_coo([1, 0], [5.0, 7])
    assert (v + w).new().to_dict() == {0: 8, 1: 7}
    assert (v * 2 + w).new().to_dict() == {0: 9, 1: 9}
    assert (w / v).new().to_dict() == {0: 7, 1: 2.5}
    assert (v**2).new().to_dict() == {0: 1, 1: 4}
    assert (v == w).new().to_dict() == {0: False, 1: False}
    assert v.reduce().value == 3 and v.reduce(gb.agg.mean).value == 1.5
    assert (v @ w).value == 17
    assert v.diag(1).to_dicts() == {0: {1: 1}, 1: {2: 2}}
    bits = (v > 1).new()
    assert (bits | bits).nvals == 2 and (~bits).new().to_dict() == {0: True, 1: False}
    with pytest.raises(TypeError, match="say the operator"):
        (v | w).new()


def test_scalar():
    s = gb.Scalar.from_value(4)
    assert s == 4 and int(s) == 4 and s + 1 == 5 and 2**s == 16 and [10, 20, 30, 40, 50][s] == 50
    s << gb.Vector.from_coo([0, 1], [1, 2]).reduce()
    assert s.value == 3
    s("plus") << 10
    assert s.value == 13
    s.clear()
    assert s.is_empty and s.value is None and s.get(7) == 7
    assert gb.Scalar("FP32").dtype == "FP32"


def test_local_tuples():
    ids = np.arange(gb.rank(), 9, gb.size())
    v = gb.Vector.from_local(ids, ids * 2, size=9)
    assert v.to_dict() == {i: 2 * i for i in range(9)}
    indices, values = v.to_local()
    assert np.array_equal(indices, gb.local_range(9)) and np.array_equal(values, 2 * indices)


def by_matrix(v, w, op):
    """The inner product as a product with a matrix of one column."""
    return v.vxm(w._as_matrix(False), op).new()[0].new()


@pytest.mark.parametrize("dtypes", [("FP64", "FP64"), ("INT64", "FP32"), ("BOOL", "INT8")], ids=str)
def test_inner_products_of_all_semirings(dtypes, rng):
    v, w = (
        gb.Vector.from_coo(indices, rng.integers(0, 3, 9)[indices], dtype, size=9)
        for dtype in dtypes
        for indices in [np.flatnonzero(rng.random(9) < 0.6)]
    )
    compared = 0
    for name in sorted({*dir(gb.semiring)} - {"register_new"}):
        semiring = getattr(gb.semiring, name)
        try:
            expected = by_matrix(v, w, semiring)
        except TypeError:  # there is none for these types
            continue
        found = v.inner(w, semiring).new()
        assert found.dtype is expected.dtype, name
        assert found.isequal(expected) or name.startswith("any"), (name, found, expected)
        compared += 1
    assert compared >= 20


def test_inner_products():
    v, w = gb.Vector.from_coo([0, 2], [1.0, 2]), gb.Vector.from_coo([1], [5.0], size=3)
    assert v.inner(w).new().is_empty and v.inner(w).new().dtype == "FP64"
    assert v.inner(v).value == 5 and gb.semiring.min_plus(v @ v).new().value == 2 and (v @ v).value == 5
    s = gb.Scalar.from_value(10.0)
    s("plus") << v.inner(v)
    assert s.value == 15
    s("plus") << v.inner(w)
    assert s.value == 15
    s << v.inner(w)
    assert s.is_empty
    assert v.inner(v, gb.semiring.plus_times["INT8"]).new().dtype == "INT8"
    with pytest.raises(gb.exceptions.DimensionMismatch):
        v.inner(gb.Vector(float, 4)).new()


def test_inner_products_build_no_matrix(monkeypatch):
    v, called = gb.Vector.from_coo([0, 2], [1.0, 2]), []
    call = gb.vector.library.call
    monkeypatch.setattr(gb.vector.library, "call", lambda name, *args: called.append(name) or call(name, *args))
    for product in (v.inner(v), gb.semiring.plus_times(v @ v), gb.semiring.max_plus(v @ v)):
        product.new()
    assert called and not [name for name in called if "Matrix" in name or name in ("GrB_vxm", "GrB_mxm", "GrB_Col_assign")]


@pytest.mark.parametrize(
    "dtypes", [("FP64", "FP32"), ("INT8", "INT8"), ("FP64", "INT8"), ("UINT8", "INT8"), ("UINT16", "UINT16"), ("BOOL", "BOOL")], ids=str
)
def test_differences_are_unions_with_zero(dtypes):
    x = gb.Vector.from_coo([0, 1, 3], [1, 0, 1], dtypes[0], size=5)
    y = gb.Vector.from_coo([1, 2, 3], [-128, 100, 1] if dtypes[1] == "INT8" else [1, 1, 0], dtypes[1], size=5)
    expected = x.ewise_union(y, "minus", 0, 0).new()
    assert (x - y).new().isequal(expected, check_dtype=True)
    x -= y
    assert x.isequal(expected.dup(x.dtype))


def test_arithmetic_of_reductions():
    v = gb.Vector.from_coo([0, 1], [1.0, 2.0])
    five = v.inner(v)
    assert (five / 2).new().value == 2.5 and (10 / five).new().value == 2 and (five / five).new().value == 1
    assert (five - gb.Scalar.from_value(1.0)).new().value == 4 and (np.float64(2) * five).new().value == 10
    assert (v * five).new().to_dict() == (five * v).new().to_dict() == {0: 5.0, 1: 10.0}
    with pytest.raises(TypeError, match="/: a gridblas Scalar or a number is expected, not 'x'"):
        five / "x"
