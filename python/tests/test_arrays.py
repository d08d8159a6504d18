"""Arrays without copies: the library's memory as numpy's, 32-bit indices, DLPack, GPUs' arrays, Arrow and pandas."""

import gc
import math

import numpy as np
import pytest

import gridblas as gb
from gridblas.core import arrays

one_process = pytest.mark.skipif("gb.size() > 1", reason="one process has all values")


def address(array):
    return array.__array_interface__["data"][0]


# ---- out ----


def test_the_view_of_a_vector_is_its_memory():
    for n in (0, 1, 5, 1000, 70000):
        v = gb.Vector.from_dense(np.arange(float(n)))
        local = gb.local_range(n)
        assert v.view().tolist() == np.arange(float(n))[local.start : local.stop].tolist()
        assert np.asarray(v).tolist() == np.arange(float(n)).tolist()
        first, second = v.view(), v.view()
        assert not len(local) or (not first.flags.writeable and address(first) == address(second))
    with pytest.raises(gb.exceptions.InvalidObject, match="1 entries of a vector of size 3"):
        gb.Vector.from_coo([1], [2.0], size=3).view()
    with pytest.raises(TypeError, match="positions without entries"):
        np.asarray(gb.Vector.from_coo([1], [2.0], size=3))


def test_a_view_outlives_changes_and_the_vector():
    v = gb.Vector.from_dense(np.arange(1e5))
    first, held = v.view(), gb.memory()
    v << v.apply("ainv").new()
    v[3] << 7
    v.nvals
    second, expected = v.view(), -np.arange(1e5)[gb.local_range(100000)]
    v.resize(10)
    del v
    gc.collect()
    others = [gb.Vector.from_dense(np.full(100000, 5.0)) for _ in range(4)]  # memory that had been freed would be theirs
    assert len(first) == len(second) == len(expected)
    assert np.isin(first, np.concatenate((expected, -expected, [7]))).all()
    assert (second == expected).sum() >= len(expected) - 1 and (second != 5).sum() >= len(expected) - 1
    del others, first, second
    gc.collect()
    assert gb.memory() <= held


def test_one_value_is_stored_once():
    v = gb.Vector.from_scalar(3, 1000)
    assert v.view().tolist() == [3] * len(gb.local_range(1000)) and v.view().strides == (0,)
    assert np.asarray(v).tolist() == [3] * 1000 == np.from_dlpack(v).tolist()
    array = v.unload()
    array += 1
    assert array.tolist() == [4] * len(gb.local_range(1000))


def test_unload_hands_the_memory_over():
    v = gb.Vector.from_dense(np.arange(1000.0))
    before = address(v.view())
    array = v.unload()
    assert address(array) == before and array.flags.writeable and v.size == v.nvals == 0
    array[:] = 1
    w = gb.Vector.from_dense(np.arange(1000.0))
    assert array.sum() == len(gb.local_range(1000)) and w.reduce().value == 499500
    v.resize(2)
    v[0] << 1
    assert v.nvals == 1
    with pytest.raises(gb.exceptions.InvalidObject):
        v.unload()
    assert v.size == 2 and v.nvals == 1


def test_dlpack():
    v = gb.Vector.from_dense(np.arange(6, dtype=np.int32))
    assert np.from_dlpack(v).tolist() == [0, 1, 2, 3, 4, 5] and np.from_dlpack(v).dtype == np.int32
    assert v.__dlpack_device__() == (1, 0)

    class Producer:  # has nothing but DLPack, as other packages' arrays may
        def __init__(self, array, device=(1, 0)):
            self.array, self.device = array, device

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.device

    A = gb.Matrix.from_coo(Producer(np.array([0, 1])), Producer(np.array([1, 0])), Producer(np.array([2.0, 3.0])))
    assert A.to_dicts() == {0: {1: 2.0}, 1: {0: 3.0}}
    values = np.arange(4.0)
    assert np.shares_memory(arrays.as_host(Producer(values), "values"), values)
    with pytest.raises(TypeError, match="values: an array in host memory.*device 2"):
        gb.Vector.from_dense(Producer(values, (2, 0)))


def test_arrays_on_a_gpu_are_copied(monkeypatch):
    memory, copied = np.array([1.5, 2.5, 3.5]), []

    class OnDevice:
        def __init__(self, **more):
            self.__cuda_array_interface__ = {"version": 3, "shape": (3,), "typestr": "<f8", "data": (address(memory), False), **more}

    def copy(to, source, size, stream):
        copied.append((size, stream))
        arrays.ctypes.memmove(to, source, size)

    monkeypatch.setattr(arrays, "copy_from_device", copy)
    assert gb.Vector.from_dense(OnDevice()).to_dense().tolist() == [1.5, 2.5, 3.5]
    assert gb.Vector.from_coo([2, 0, 1], OnDevice(strides=(8,), stream=2)).to_dense().tolist() == [2.5, 3.5, 1.5]
    assert copied == [(24, None), (24, 2)]
    with pytest.raises(TypeError, match="contiguous"):
        gb.Vector.from_dense(OnDevice(strides=(16,)))


def test_the_view_of_a_matrix(rng):
    for shape in ((0, 0), (1, 1), (7, 200), (200, 7), (1000, 1000), (300000, 3)):
        rows, cols = (rng.integers(0, max(n, 1), 60 if min(shape) else 0) for n in shape)
        A = gb.Matrix.from_coo(rows, cols, rng.random(len(rows)), nrows=shape[0], ncols=shape[1], dup_op="plus")
        whole, local = A.to_csr(), gb.local_range(shape[0])
        first, end = (int(whole[0][k]) for k in (local.start, local.stop)) if len(local) else (0, 0)
        indptr, indices, values = A.view()
        assert indptr.tolist() == (whole[0][local.start : local.stop + 1] - np.uint64(first)).tolist() if len(local) else [0]
        assert indices.tolist() == whole[1][first:end].tolist() and values.tolist() == whole[2][first:end].tolist()
        assert not any(part.flags.writeable for part in A.view() if part.size)
        del A
        gc.collect()
        assert len(indptr) == len(local) + 1 and values.tolist() == whole[2][first:end].tolist()
    pattern = gb.Matrix.from_scalar(True, 5, 4).view()
    assert pattern[2].tolist() == [True] * (4 * len(gb.local_range(5)))


@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_equal_values_are_stored_once(kind):
    make = getattr(gb.Matrix, f"from_{kind}")
    A = make(np.arange(301), np.arange(300), np.full(300, 2.5))
    assert A.nvals == 300 and A.reduce_scalar("plus").value == 750
    values = A.view()[2], make(np.arange(301), np.arange(300), np.arange(300.0)).view()[2]
    if len(gb.local_range(300)) > 1:
        assert [part.strides for part in values] == [(0,), (8,)]


def test_unload_of_a_matrix(rng):
    A = gb.Matrix.from_dense(rng.random((300, 200)))
    B, whole = A.dup(), A.to_dense()
    before = address(A.view()[2]) if gb.shape()[1] == 1 else None
    indptr, indices, values = A.unload()
    assert A.shape == (0, 0) and A.nvals == 0 and A.dtype == "FP64"
    assert before in (None, address(values)) or not values.size  # a process without rows
    assert not (indices.flags.writeable and indices.size)
    local = gb.local_range(300)
    assert np.array_equal(values.reshape(len(local), 200), whole[local.start : local.stop])
    values += 1
    assert np.array_equal(B.to_dense(), whole)
    pattern = gb.Matrix.from_scalar(2, 300, 200)
    values = pattern.unload()[2]
    values += 1
    assert (values == 3).all()
    with pytest.raises(AttributeError, match="A.T is no matrix of its own"):
        A.T.unload()


@one_process
def test_scipy_of_a_matrix_without_a_copy(rng):
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.random(500, 400, 0.05, format="csr", random_state=1)
    A = gb.io.from_scipy_sparse(S)
    T = gb.io.to_scipy_sparse(A, copy=False)
    assert address(T.data) == address(A.view()[2]) and address(T.indices) == address(A.view()[1])
    assert abs(T - S).max() == 0 and np.allclose(T @ np.ones(400), S @ np.ones(400))
    few = gb.Matrix.from_coo([5, 80000], [7, 9], [1, 2], nrows=100000, ncols=100000)
    assert gb.io.to_scipy_sparse(few, copy=False).nnz == 2
    assert gb.io.to_scipy_sparse(gb.Matrix.from_scalar(True, 3, 3), copy=False).sum() == 9


# ---- in ----


@pytest.mark.parametrize("indices", [np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("offsets", [np.int32, np.uint32, np.int64, np.uint64])
def test_indices_of_all_widths(draw, offsets, indices):
    dense, present = draw((30, 50))
    rows, cols = np.nonzero(present)
    indptr = np.concatenate(([0], np.cumsum(present.sum(1)))).astype(offsets)
    A = gb.Matrix.from_coo(rows, cols, dense[rows, cols], nrows=30, ncols=50)
    assert gb.Matrix.from_csr(indptr, cols.astype(indices), dense[rows, cols], ncols=50).isequal(A)
    assert gb.Matrix.from_csc(indptr, cols.astype(indices), dense[rows, cols], nrows=50).isequal(A.T.new())


def test_wrong_indices():
    for wrong, words in (([0, 9], "indices.1. is 9, which is not below 4"), ([0, -2], "is -2, which is below 0")):
        with pytest.raises(IndexError, match=words):
            gb.Matrix.from_csr(np.array([0, 1, 2], np.int32), np.array(wrong, np.int32), 1.0, ncols=4)
    for wrong in ([0, 2, 1], [0, 1, 3], [0, -1, 2]):
        with pytest.raises(IndexError, match="indptr"):
            gb.Matrix.from_csr(np.array(wrong, np.int32), np.array([0, 1], np.int32), 1.0, ncols=4)


def test_arrow(rng):
    pa = pytest.importorskip("pyarrow")
    rows, cols, values = rng.permutation(40), rng.permutation(40), rng.random(40)
    A = gb.Matrix.from_coo(rows, cols, values, nrows=40, ncols=40)
    chunked = pa.chunked_array([rows[:7], rows[7:7], rows[7:]])
    assert gb.Matrix.from_coo(chunked, pa.array(cols, pa.uint16()), pa.array(values), nrows=40, ncols=40).isequal(A)
    whole = pa.array(values)
    assert np.shares_memory(arrays.as_host(whole, "values"), whole.to_numpy())
    assert arrays.as_host(whole.slice(5, 20), "values").tolist() == values[5:25].tolist()
    table = pa.table({"from": chunked, "to": cols, "weight": values})
    for t in (table, table.to_batches()[0] if len(table.to_batches()) == 1 else table, table.combine_chunks().to_batches()[0]):
        assert gb.Matrix.from_edgelist(t, nrows=40, ncols=40).isequal(A)
    assert gb.Matrix.from_edgelist(table.slice(3, 20), nrows=40, ncols=40).nvals == 20
    assert gb.Matrix.from_edgelist(table.combine_chunks().to_batches()[0].slice(3, 20), nrows=40, ncols=40).nvals == 20
    assert gb.Matrix.from_edgelist(table.select(["from", "to"]), True, nrows=40, ncols=40).isequal(A.apply("one").new().dup(bool))
    flags = pa.array([True, False, True, True] * 10).slice(3)
    assert gb.Vector.from_dense(flags).to_dense().tolist() == ([True, False, True, True] * 10)[3:]
    assert gb.Vector.from_dense(pa.array([], pa.int8())).dtype == "INT8"
    for wrong, error, words in (
        (pa.array([1, None, 3]), ValueError, "values: 1 of 3 values are null"),
        (pa.chunked_array([[1, 2], [None]]), ValueError, "values: 1 of 1 values are null"),
        (pa.array(["a"]), TypeError, "values: real numbers are expected, not Arrow's type 'u'"),
    ):
        with pytest.raises(error, match=words):
            gb.Vector.from_dense(wrong)
    with pytest.raises(ValueError, match="edgelist: weight: 1 of 2 values are null"):
        gb.Matrix.from_edgelist(pa.table({"from": [0, 1], "to": [1, 0], "weight": [1.0, None]}))
    with pytest.raises(ValueError, match="2 or 3 columns is expected, not of 1"):
        gb.Matrix.from_edgelist(table.select(["to"]))
    with pytest.raises(TypeError, match="a table is expected"):
        gb.Matrix.from_edgelist(pa.array([1, 2]))


def test_pandas():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"from": [0, 1], "to": [1, 0], "weight": [2.5, 3.5]})
    A = gb.Matrix.from_coo([0, 1], [1, 0], [2.5, 3.5])
    assert gb.Matrix.from_edgelist(table).isequal(A)
    assert gb.Matrix.from_edgelist(table[["from", "to"]], table["weight"]).isequal(A)
    assert gb.Matrix.from_coo(table["from"], table["to"], table["weight"]).isequal(A)
    with pytest.raises(ValueError, match="rows: 1 of 2 values are null"):
        gb.Matrix.from_coo(pd.array([0, None], "Int64"), [0, 1], 1)
    for values in (pd.Series([1, None], dtype="Float64"), pd.Series([True, None], dtype="boolean")):
        with pytest.raises(ValueError, match="values: 1 of 2 values are null"):
            gb.Vector.from_dense(values)
    with pytest.raises(ValueError, match="edgelist: weight: 1 of 2 values are null"):
        gb.Matrix.from_edgelist(table.assign(weight=pd.array([1, None], "Int64")))
    assert gb.Matrix.from_edgelist(table.astype({"from": "Int64", "weight": "Float64"})).isequal(A)
    assert np.isnan(gb.Vector.from_dense(pd.Series([math.nan])).to_dense()).all()  # NaN of numpy's type is a value
