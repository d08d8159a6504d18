"""Inputs that are allowed and rarely met: byte orders, NaN, copies and pickles, dimensions that need no memory."""

import copy
import math
import pickle
import threading
import time

import numpy as np
import pytest

import gridblas as gb
from gridblas import library


def test_arrays_of_the_other_byte_order():
    values = np.array([1.5, 2.5], ">f8")
    expected = {0: 1.5, 1: 2.5}
    assert gb.Vector.from_coo(np.array([0, 1], ">u4"), values).to_dict() == expected
    assert gb.Vector.from_dense(values).to_dict() == expected and gb.Vector.from_dense(values).dtype == "FP64"
    assert gb.Matrix.from_dense(values[:, None]).to_dicts() == {0: {0: 1.5}, 1: {0: 2.5}}
    indices = np.array([1, 0], ">i4")
    assert gb.Matrix.from_csr(np.array([0, 1, 2], ">i4"), indices, values.astype(">f4")).to_dicts() == {0: {1: 1.5}, 1: {0: 2.5}}
    assert gb.dtypes.lookup_dtype(">i2") is gb.dtypes.INT16


def test_nan_as_the_missing_value():
    assert gb.Vector.from_dense([1, math.nan, 0], missing_value=math.nan).to_dict() == {0: 1, 2: 0}
    assert gb.Matrix.from_dense([[math.nan, 2.0]], np.float32("nan")).to_dicts() == {0: {1: 2.0}}
    assert gb.Vector.from_dense([1, 0], missing_value=math.nan).nvals == 2  # integers


@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT16", "INT64"])
def test_a_fraction_beside_integers_is_a_double(dtype):
    dense = gb.Vector.from_coo([1], [1], dtype, size=2).to_dense(fill_value=0.1)
    assert dense.dtype == np.float64 and dense.tolist() == [0.1, 1]


def test_copies_are_independent():
    v, A, s = gb.Vector.from_coo([1], [2.5], size=3), gb.Matrix.from_coo([0], [1], [2]), gb.Scalar.from_value(3)
    for copied in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        w, B, t = copied(v), copied(A), copied(s)
        w[0] << 1
        B[0, 0] << 1
        t.value = 4
        assert w.to_dict() == {0: 1, 1: 2.5} and B.to_dicts() == {0: {0: 1, 1: 2}} and t.value == 4
        assert w.dtype is v.dtype and B.dtype is A.dtype and t.dtype is s.dtype
    assert v.to_dict() == {1: 2.5} and A.to_dicts() == {0: {1: 2}} and s.value == 3
    assert pickle.loads(pickle.dumps(gb.Scalar("INT8"))).is_empty
    assert pickle.loads(pickle.dumps(gb.Vector("INT8", 0))).shape == (0,)


def test_results_of_algorithms_are_copied():
    found = gb.algorithms.bfs(gb.Matrix.from_coo([0, 1], [1, 2], [True, True], nrows=3, ncols=3), 0)
    for copied in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        again = copied(found)
        assert type(again) is type(found) and again._fields == found._fields == ("level", "parent")
        assert again.level.to_dict() == {0: 0, 1: 1, 2: 2} and again.parent.isequal(found.parent)


def test_copies_of_types_and_operators_are_the_same():
    for x in (gb.dtypes.FP32, gb.unary.abs, gb.binary.plus, gb.monoid.min, gb.semiring.min_plus, gb.select.tril, gb.indexunary.rowindex):
        assert copy.copy(x) is copy.deepcopy(x) is pickle.loads(pickle.dumps(x)) is x
    plus = pickle.loads(pickle.dumps(gb.binary.plus["FP64"]))
    assert plus is gb.binary.plus["FP64"] is copy.deepcopy(plus)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(gb.unary.register_anonymous("void half(double *z, const double *x) { *z = *x / 2; }"))


def test_dimensions_are_numbers_of_python():
    A, v = gb.Matrix(int, 2, 2), gb.Vector(int, 2)
    A.resize(np.int8(100), np.int8(100))
    v.resize(np.int8(100))
    assert type(A.nrows) is type(v.size) is int and A.kronecker(A).new().shape == (10000, 10000)


def test_a_diagonal_takes_memory_for_its_entries():
    A = gb.Matrix.from_coo([5, 6], [5, 7], [1, 2], nrows=2**50, ncols=2**50)
    assert A.diag().to_dict() == {5: 1} and A.diag(1).to_dict() == {6: 2} and A.diag(-(2**49)).size == 2**49


def test_transposes_can_be_iterated():
    assert list(gb.Matrix.from_coo([0, 0], [1, 2], [1, 1]).T) == [(1, 0), (2, 0)]


def test_empty_scalars_stay_empty():
    assert (-gb.Scalar(int)).is_empty and abs(gb.Scalar("FP32")).is_empty and (gb.Scalar(int) + 1).is_empty


@pytest.mark.parametrize("x", [np.array([1.0, -1.0]), np.array([-128, 127], np.int8), np.array([True, True])])
def test_aggregators_of_all_entries_as_of_a_row(x):
    for aggregator in (gb.agg.harmonic_mean, gb.agg.peak_to_peak):
        whole = gb.Vector.from_dense(x).reduce(aggregator).new()
        row = gb.Matrix.from_dense(x[None, :]).reduce_rowwise(aggregator).new()[0].new()
        assert whole.dtype is row.dtype and whole.value == row.value


def test_serialized_bytes_in_any_buffer():
    data = gb.Matrix.from_coo([0], [1], [2]).serialize()
    for buffer in (bytearray(data), memoryview(data), np.frombuffer(data + bytes(-len(data) % 8), np.uint64)):
        assert gb.Matrix.deserialize(buffer).to_dicts() == {0: {1: 2}}


def test_nodes_of_networkx_are_different():
    networkx = pytest.importorskip("networkx")
    for nodes in ([0, 99], [0, 1, 1]):
        with pytest.raises(ValueError, match="different nodes of G are expected"):
            gb.io.from_networkx(networkx.path_graph(3), nodes)


def test_first_calls_on_several_threads_start_the_library_once(monkeypatch):
    started = []

    def start():
        started.append(1)
        time.sleep(0.05)  # the other threads call meanwhile
        library._alive = True

    monkeypatch.setattr(library, "_alive", False)
    monkeypatch.setattr(library, "start", start)
    threads = [threading.Thread(target=gb.size) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert started == [1]


class SlowStart:
    """A library whose start takes a while, and says when it has begun."""

    def __init__(self, lib):
        self.lib, self.begun, self.calls = lib, threading.Event(), 0

    def __getattr__(self, name):
        return getattr(self.lib, name)

    def Grid_init(self, *arguments):  # noqa: N802
        self.calls += 1
        self.begun.set()
        time.sleep(0.05)
        return 0


def test_a_first_call_waits_for_init_in_another_thread(monkeypatch):
    slow = SlowStart(library.lib)
    monkeypatch.setattr(library, "_alive", False)
    monkeypatch.setattr(library, "lib", slow)
    monkeypatch.setattr(library.atexit, "register", lambda function: None)
    thread = threading.Thread(target=gb.init)
    thread.start()
    slow.begun.wait()
    assert gb.size() >= 1 and library.running()
    thread.join()
    assert slow.calls == 1
    with pytest.raises(gb.exceptions.InvalidValue, match="runs already"):
        gb.init()
