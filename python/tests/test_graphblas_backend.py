"""The module that stands for suitesparse_graphblas: its parts by themselves. graphblas.sh runs python-graphblas's own tests over it."""

import gc
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gridblas as gb
import gridblas.graphblas_backend as backend
from gridblas.graphblas_backend import api, casts, utils

ffi, lib = backend.ffi, backend.lib


@pytest.fixture(autouse=True)
def running():
    if not backend.is_initialized():
        backend.initialize()


@pytest.fixture
def declare():
    """The build's declare.py as a module."""
    spec = importlib.util.spec_from_file_location("declare", Path(__file__).resolve().parents[1] / "declare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def new(kind, *shape, dtype="FP64"):
    made = ffi.new(f"GrB_{kind} *")
    assert getattr(lib, f"GrB_{kind}_new")(made, getattr(lib, f"GrB_{dtype}"), *shape) == 0
    return made


def nvals(kind, thing):
    number = ffi.new("GrB_Index *")
    assert getattr(lib, f"GrB_{kind}_nvals")(number, thing) == 0
    return number[0]


def test_it_takes_the_place_of_suitesparse_graphblas():
    import suitesparse_graphblas
    from suitesparse_graphblas.utils import claim_buffer

    assert suitesparse_graphblas is backend and claim_buffer is utils.claim_buffer
    assert [int(word) for word in backend.__version__.split(".")][0] >= 10
    with pytest.raises(RuntimeError, match="already initialized"):
        backend.initialize()


def test_a_module_that_was_imported_before_is_an_error(tmp_path):
    (tmp_path / "suitesparse_graphblas.py").write_text("")
    code = "import suitesparse_graphblas, gridblas.graphblas_backend"
    path = f"{tmp_path}:{Path(gb.__file__).parents[1]}"
    run = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert run.returncode != 0 and "must be imported before graphblas" in run.stderr


def test_lib_has_functions_objects_and_constants():
    assert lib.GrB_mxm.__name__ == "GrB_mxm" and lib.GrB_mxm.__doc__.startswith("GrB_Info GrB_mxm(")
    assert lib.GrB_INDEX_MAX == 2**60 - 1 and lib.GrB_DIMENSION_MISMATCH == -6
    assert ffi.typeof(lib.GrB_PLUS_FP64) is ffi.typeof("GrB_BinaryOp") and lib.GrB_FP64 in backend.real_types
    assert callable(vars(lib)["GrB_mxm"]) and not callable(vars(lib)["GrB_PLUS_FP64"])
    assert not any(name.startswith(("grid_", "Grid_")) for name in vars(lib))
    assert len(vars(lib)) > 1000


def test_a_name_that_the_library_lacks():
    with pytest.raises(AttributeError, match="gridblas does not have GxB_no_such_function"):
        lib.GxB_no_such_function
    with pytest.raises(AttributeError, match="GxB_no_such_function"):
        backend.libget("GrB_no_such_function")
    assert backend.libget("GrB_Vector_type") is lib.GxB_Vector_type


def test_errors_have_the_librarys_text():
    v, w = new("Vector", 3), new("Vector", 4)
    info = lib.GrB_Vector_eWiseAdd_BinaryOp(w[0], ffi.NULL, ffi.NULL, lib.GrB_PLUS_FP64, v[0], v[0], ffi.NULL)
    for first in (w, w[0]):
        with pytest.raises(gb.exceptions.DimensionMismatch, match="GrB_eWiseAdd"):
            backend.check_status(first, info)
    made, text = ffi.new("GrB_Semiring *"), ffi.new("char **")
    assert lib.GrB_Semiring_new(made, lib.GrB_PLUS_MONOID_FP64, lib.GrB_EQ_FP64) == lib.GrB_DOMAIN_MISMATCH
    assert lib.GrB_Semiring_error(text, made[0]) == 0 and b"GrB_Semiring_new" in ffi.string(text[0])  # no object was made
    assert backend.check_status(v, lib.GrB_SUCCESS) is None
    assert backend.check_status(v, lib.GrB_NO_VALUE) is gb.exceptions.NoValue
    lib.GrB_Vector_free(v), lib.GrB_Vector_free(w)


@pytest.mark.parametrize("kind, other", [("Scalar", "Vector"), ("Scalar", "Matrix"), ("Vector", "Matrix")])
def test_a_collection_as_another_kind(kind, other):
    shape = {"Scalar": (), "Vector": (1,)}[kind]
    thing = new(kind, *shape)
    view = ffi.cast(f"GrB_{other}*", thing)
    assert ffi.typeof(view) is ffi.typeof(f"GrB_{other} *") and nvals(other, view[0]) == 0
    assert getattr(lib, f"GrB_{kind}_setElement_FP64")(thing[0], 2.5, *[0] * len(shape)) == 0
    assert nvals(other, view[0]) == 1  # the view is up to date
    index = (0,) if other == "Vector" else (0, 0)
    value = ffi.new("double *")
    assert getattr(lib, f"GrB_{other}_extractElement_FP64")(value, view[0], *index) == 0 and value[0] == 2.5
    assert getattr(lib, f"GrB_{other}_removeElement")(view[0], *index) == 0
    assert nvals(kind, thing[0]) == 0  # and what is written to it reaches the original
    del view
    assert not casts.views
    getattr(lib, f"GrB_{kind}_free")(thing)


def test_a_handle_becomes_another_kind():
    A = new("Matrix", 5, 1)
    for row in (1, 4):
        assert lib.GrB_Matrix_setElement_FP64(A[0], row, row, 0) == 0
    v = ffi.new("GrB_Vector *", ffi.cast("GrB_Vector", A[0]))
    size = ffi.new("GrB_Index *")
    assert lib.GrB_Vector_size(size, v[0]) == 0 and size[0] == 5 and nvals("Vector", v[0]) == 2
    lib.GrB_Vector_free(v)
    assert ffi.cast("int64_t", 7) == 7  # other casts are cffi's


def test_memory_of_the_library_becomes_an_array():
    def memory(values):
        made = api._raw.malloc(values.nbytes)
        ffi.memmove(made, values.tobytes(), values.nbytes)
        return made

    values = np.arange(6, dtype=np.int32)
    assert utils.claim_buffer(ffi, memory(values), 6, values.dtype).tolist() == values.tolist()
    assert utils.claim_buffer(ffi, ffi.NULL, 0, values.dtype).shape == (0,)
    assert utils.claim_buffer_2d(ffi, memory(values), 6, 2, 3, values.dtype, True).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert utils.claim_buffer_2d(ffi, memory(values), 6, 2, 2, values.dtype, False).tolist() == [[0, 2], [1, 3]]
    pairs = np.dtype((np.int32, 2))
    assert utils.claim_buffer_2d(ffi, memory(values), 3, 3, 1, pairs, False).tolist() == [[[0, 1]], [[2, 3]], [[4, 5]]]
    with pytest.raises(ValueError, match="too few"):
        utils.claim_buffer_2d(ffi, ffi.NULL, 3, 2, 2, values.dtype, True)
    with pytest.raises(ValueError, match="NULL"):
        utils.claim_buffer(ffi, ffi.NULL, 3, values.dtype)
    utils.unclaim_buffer(values)
    assert not values.flags.writeable and utils.can_unclaim_buffer(values) and not utils.can_unclaim_buffer(np.array([None]))


@pytest.mark.parametrize("taken", [True, False])
def test_arrays_that_the_library_takes_over_are_copied(taken):
    received = []

    @api._ffi.callback("int(void *, GrB_Index **, void **, GrB_Index, GrB_Index)")
    def pack(_, indices, values, indices_size, values_size):
        received.append((list(indices[0][0 : indices_size // 8]), int(ffi.cast("uintptr_t", values[0])), values_size))
        for array in (indices, values):
            if taken:
                api.free(array[0])
                array[0] = ffi.NULL
        return 0

    indices, values = np.array([3, 5], np.uint64), np.array([0.5])
    arrays = [ffi.new("GrB_Index **", ffi.from_buffer("GrB_Index *", indices)), ffi.new("void **", ffi.from_buffer("void *", values))]
    assert api.handing_over("GxB_Vector_pack_CSC", pack)(ffi.NULL, *arrays, indices.nbytes, values.nbytes) == 0
    assert received == [([3, 5], received[0][1], 8)] and received[0][1] != values.ctypes.data
    assert indices.tolist() == [3, 5]


def test_declarations(declare):
    value = declare.number_of
    assert [value("((GrB_Index)((1UL << 60) - 1))"), value("-3"), value("(0x10)"), value("1e-3"), value('"a" "b"')] == [2**60 - 1, -3, 16, 1e-3, "ab"]
    assert value("GrB_PLUS_FP64") is None and value("f(3)") is None and value("((void *)0)") is None
    text = "GrB_Info f(GrB_Vector w, GxB_FC64_t x, GrB_Index i); GrB_Info g(GxB_FC32_t *x, float _Complex y); GrB_Info h(GxB_FC64_t *x);"
    changed, positions = declare.complex_arguments(text)
    assert positions == {"f": [1], "g": [1]}
    assert "f(GrB_Vector w, GRID_FC64_value value, GrB_Index i);" in changed and "g(GxB_FC32_t *x, GRID_FC32_value value);" in changed
    assert "h(GxB_FC64_t *x);" in changed


def test_vectors_that_the_garbage_collector_finds_are_freed_later():
    class Cycle:
        def __init__(self, vector):
            self.vector, self.cycle = vector, self

        def __del__(self):
            lib.GrB_Vector_free(self.vector)

    vector = new("Vector", 3)
    Cycle(vector)
    gc.collect()
    assert vector[0] == ffi.NULL and len(gb.library._late) == 1
    v = new("Vector", 2)
    assert nvals("Vector", v[0]) == 0 and not gb.library._late
    lib.GrB_Vector_free(v)
