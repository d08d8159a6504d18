"""device("cuda"): the same results as on the CPU where there is a GPU; without one a message, and no change. Also the tracing of calls."""

import ctypes
import gc
import json
import os
import shutil
import subprocess
import sys

import gridblas as gb
import numpy as np
import pytest
from gridblas import library
from gridblas._declarations import ffi
from gridblas.core import device_array
from gridblas.core.arrays import as_host
from gridblas.core.device_array import DeviceArray


def why_not():
    """Why no GPU can be tested, or None."""
    try:
        gb.device("cuda")
    except gb.exceptions.GraphblasException as error:
        return str(error)
    gb.device("cpu")
    return None


needs_gpu = pytest.mark.skipif("why_not() is not None", reason="no GPU")


def test_without_one_it_says_why(draw):
    reason = why_not()
    if reason is not None:
        assert "cuda" in reason and len(reason.split()) > 5
    assert gb.device() == "cpu"
    a, _ = draw((7, 5))
    A = gb.Matrix.from_dense(a, missing_value=0)
    assert np.array_equal((A @ A.T).new().to_dense(0), a @ a.T)
    for name in ("tpu", "cuda:", "cuda:-1", "cuda:x", "cpu:0", "cuda:²", 1):
        with pytest.raises(ValueError, match="no such device"):
            gb.device(name)
    with pytest.raises(gb.exceptions.GraphblasException) as error:
        gb.device("cuda:99999999")
    assert "SHARE_GPU" not in str(error.value)  # which does not help here
    assert gb.device() == "cpu"


def test_memory_limit():
    field, text = library.lib.Grid_DEVICE_MEMORY, ffi.new("char[]", 32)
    for size, expected in (("4G", 2**32), ("500m", 500 * 2**20), (2**30, 2**30), (0, 0)):
        gb.device_memory_limit(size)
        library.call("GrB_Global_get_String", library.lib.GrB_GLOBAL, text, field)
        assert ffi.string(text).decode() == (str(expected) if expected else "")
    for size in ("4X", "-1"):
        with pytest.raises(gb.exceptions.InvalidValue, match="not a size such as 4G"):
            gb.device_memory_limit(size)
    with pytest.raises((TypeError, ValueError), match="size"):
        gb.device_memory_limit(-1)


def test_dlpack_capsule():
    """The capsule of a DeviceArray, in host memory, which numpy reads."""
    values = np.arange(6.0)
    exported = DeviceArray(values, values.ctypes.data, "f8", 6, device=(1, 0))
    taken = np.from_dlpack(exported)
    assert np.shares_memory(taken, values) and np.array_equal(taken, values) and len(device_array._given_out) == 1
    del taken
    gc.collect()
    assert not device_array._given_out
    capsule = exported.__dlpack__()
    assert "dltensor" in repr(capsule) and len(device_array._given_out) == 1
    del capsule
    assert not device_array._given_out
    one = DeviceArray(values, values.ctypes.data + 8, "f8", 4, stride=0, device=(1, 0))
    assert np.from_dlpack(one).tolist() == [1.0] * 4
    with pytest.raises(BufferError, match="its own memory"):
        exported.__dlpack__(copy=True)


def test_device_view_without_a_gpu():
    v = gb.Vector.from_dense(np.arange(10.0))
    with pytest.raises(gb.exceptions.InvalidValue, match="the GPU is not turned on"):
        v.device_view()
    with pytest.raises(gb.exceptions.InvalidValue, match="the GPU is not turned on"):
        gb.Matrix.from_coo([0, 1], [1, 0], [5, 6]).device_view()
    assert v.to_dense().tolist() == list(range(10))


@needs_gpu
@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.bool_, np.uint8])
def test_device_view(dtype):
    gb.device("cuda")
    values = (np.arange(1000) % 7).astype(dtype)
    v = gb.Vector.from_dense(values)
    exported = v.device_view()
    interface = exported.__cuda_array_interface__
    assert interface["typestr"] == np.dtype(dtype).str and exported.__dlpack_device__()[0] == 2
    local = values[gb.local_range(1000)]
    assert np.array_equal(as_host(exported, "x"), local)
    w = gb.Vector.from_dense(values)
    again = w.device_view()
    del w, v
    gc.collect()
    other = gb.Vector.from_dense(np.zeros(1000, dtype))
    other.device_view()
    assert np.array_equal(as_host(exported, "x"), local) and np.array_equal(as_host(again, "x"), local)
    iso = gb.Vector.from_scalar(3, 1000, dtype="FP64")
    assert iso.device_view().strides == (0,)
    with pytest.raises(gb.exceptions.InvalidObject, match="a view needs all of them"):
        gb.Vector.from_coo([1], [2.0], size=5).device_view()
    gb.device("cpu")


@needs_gpu
@pytest.mark.skipif("gb.size() > 1", reason="a grid of one column")
def test_matrix_device_view():
    gb.device("cuda")
    rows, columns = np.arange(3000) % 1000, np.arange(3000) * 7 % 1000
    A = gb.Matrix.from_coo(rows, columns, np.arange(3000.0), nrows=1000, ncols=1000)
    exported = A.device_view()
    expected = [np.array(part) for part in A.view()]
    del A
    gc.collect()
    assert all(np.array_equal(as_host(x, "x"), y) for x, y in zip(exported, expected, strict=True))
    gb.device("cpu")


@needs_gpu
@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_device_view_in_another_library(library):
    """CuPy and PyTorch compute with the vector's memory where they are installed."""
    module = pytest.importorskip(library)
    gb.device("cuda")
    values = np.arange(1000.0)
    v = gb.Vector.from_dense(values)
    local = values[gb.local_range(1000)]
    view = v.device_view()
    taken = module.from_dlpack(view)
    assert float(taken.sum()) == local.sum() and np.array_equal(np.asarray(taken.tolist()), local)
    if library == "cupy":
        again = module.asarray(view)
        assert again.data.ptr == taken.data.ptr and np.array_equal(module.asnumpy(again), local)
    w = v.apply("ainv").new()
    del view, v
    gc.collect()
    assert float(taken.sum()) == local.sum()
    assert w.to_dense().tolist() == (-values).tolist()
    gb.device("cpu")


def results(a, b, u):
    """Objects created on the current device, and their results, as plain Python."""
    A, B = gb.Matrix.from_dense(a, missing_value=0), gb.Matrix.from_dense(b, missing_value=0)
    v = gb.Vector.from_dense(u, missing_value=0)
    made = [
        A.mxm(B, "plus_times").new(),
        A.mxv(v, "min_plus").new(),
        v.vxm(A, "plus_times").new(mask=~v.S),
        A.ewise_add(B, "max").new(),
        A.ewise_mult(B, "times").new(),
        A.apply("ainv").new(),
        A.select(">", 4).new(),
        A.reduce_rowwise("plus").new(),
        A.T.new(),
        A[[3, 1, 4], 2:9].new(),
        gb.algorithms.bfs(A, 0, only="level"),
    ]
    v(~v.S, "plus") << A.mxv(v, "plus_times")
    return [tuple(part.tolist() for part in x.to_coo()) for x in [*made, v]], A.reduce_scalar("plus").new().value


@needs_gpu
def test_results_are_those_of_the_cpu(draw):
    (a, _), (b, _), (u, _) = draw((40, 40)), draw((40, 40)), draw(40)
    expected = results(a, b, u)
    gb.device("cuda")
    try:
        assert gb.device() == "cuda" and gb.device_info().total > 0
        assert results(a, b, u) == expected
        assert all(isinstance(text, str) and count > 0 for text, count in gb.fallbacks().items())
    finally:
        gb.device("cpu")


@needs_gpu
def test_objects_move_when_they_are_used(draw):
    a, _ = draw((30, 30))
    A = gb.Matrix.from_dense(a, missing_value=0)
    gb.device("cuda")
    try:
        C = A.mxm(A, "plus_times").new()
    finally:
        gb.device("cpu")
    assert np.array_equal(C.to_dense(0), a @ a)


@needs_gpu
def test_arrays_of_a_gpu_move_to_the_host(draw):
    gb.device("cuda")  # makes CUDA's context
    driver, values, address = ctypes.CDLL("libcuda.so.1"), np.arange(1000.0), ctypes.c_uint64()
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(values.nbytes)) == 0
    try:
        assert driver.cuMemcpyHtoD_v2(address, ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes)) == 0

        class OnDevice:
            __cuda_array_interface__ = {"version": 3, "shape": (1000,), "typestr": "<f8", "data": (address.value, False), "stream": 1}

        v = gb.Vector.from_dense(OnDevice())
        assert v.to_dense().tolist() == values.tolist() == np.asarray(v).tolist()
    finally:
        driver.cuMemFree_v2(address)
        gb.device("cpu")


SPANS = """
import gridblas as gb
A = gb.Matrix.from_coo([0, 1], [1, 0], [1, 1])
with gb.span("two \\"squares\\""):
    A.mxm(A, "plus_times").new()
"""


@pytest.mark.skipif("gb.size() > 1", reason="a process of its own")
def test_spans_are_in_the_trace(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_"))}
    subprocess.run([sys.executable, "-c", SPANS], env={**environment, "GRIDBLAS_BURBLE": f"trace:{tmp_path}/trace.json"}, check=True)
    events = [e for e in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if e["ph"] == "X"]
    (span,) = [e for e in events if e["cat"] == "span"]
    (product,) = [e for e in events if e["name"] == "GrB_mxm"]
    assert span["name"] == 'two "squares"'
    assert span["ts"] <= product["ts"] and product["ts"] + product["dur"] <= span["ts"] + span["dur"] + 0.01


def run_beside_cuda_package(folder, version, library):
    """A Python process that finds a package gridblas_cuda13 with these attributes, and prints which library it has loaded."""
    (folder / "gridblas_cuda13.py").write_text(f"__version__, library = {version!r}, {library!r}\n")
    code = "import gridblas as gb; gb.Matrix.from_coo([0], [0], [1.0]); print(open('/proc/self/maps').read())"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "GRIDBLAS_LIBRARY", "GRIDBLAS_GRID"))}
    environment["PYTHONPATH"] = f"{folder}:{environment.get('PYTHONPATH', '')}"
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_package_with_cuda(tmp_path):
    """The library of gridblas-cuda13 is loaded, if that has this version."""
    loaded = next(line.split()[-1] for line in open("/proc/self/maps") if "libgridblas" in line)
    other = str(shutil.copy(loaded, tmp_path / "with_cuda.so"))
    run = run_beside_cuda_package(tmp_path, gb.__version__, other)
    assert other in run.stdout and loaded not in run.stdout, run.stderr
    run = run_beside_cuda_package(tmp_path, "0.0.1", other)
    assert loaded in run.stdout and other not in run.stdout
    assert "gridblas-cuda13 0.0.1 is not used" in run.stderr
