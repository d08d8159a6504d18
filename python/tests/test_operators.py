"""Operators: by name, sign, object and type; from C text; types of results; errors as exceptions."""

import ctypes
import math
import threading

import numpy as np
import pytest

import gridblas as gb
from gridblas._declarations import ALGORITHMS, OBJECTS
from gridblas.operators import text


def test_every_predefined_object_is_found():
    modules = {"GrB_UnaryOp": gb.unary, "GrB_BinaryOp": gb.binary, "GrB_Monoid": gb.monoid, "GrB_Semiring": gb.semiring}
    count = 0
    for name, kind in OBJECTS.items():
        if kind in modules:
            *words, dtype = [word for word in name.split("_")[1:] if word not in ("MONOID", "SEMIRING")]
            if not hasattr(gb.dtypes, dtype):
                words, dtype = [*words, dtype], "BOOL"
            found = getattr(modules[kind], "_".join(words).lower())[dtype]
            assert found.return_type is not None, name
            count += 1
    assert count > 400 and len(ALGORITHMS) >= 20


def test_names_and_signs():
    A = gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 3])
    results = [
        A.mxm(A, op).new().to_dicts()
        for op in ("min_plus", "min.plus", "min_plus[FP64]", gb.semiring.min_plus, gb.semiring.min_plus["FP64"])
    ]
    assert all(result == {0: {0: 5}, 1: {1: 5}} for result in results)
    assert A.ewise_add(A, "+").new().isequal(A.ewise_add(A, gb.binary.plus).new())
    assert A.select("<=", 2).nvals == 1
    with pytest.raises(ValueError, match="no_such"):
        A.mxm(A, "no_such")
    with pytest.raises(TypeError):
        A.mxm(A, gb.unary.abs)
    with pytest.raises(AttributeError, match="plux"):
        gb.binary.plux


def test_types_of_results():
    assert gb.binary.eq["FP64"].return_type == "BOOL"
    assert gb.binary.truediv["INT64"].return_type == "FP64" and gb.binary.truediv["FP32"].return_type == "FP32"
    assert gb.unary.sqrt["INT64"].return_type == "FP64" and gb.unary.sqrt["INT8"].return_type == "FP32"
    assert gb.semiring.plus_pair["BOOL"].return_type == "INT64"
    assert gb.semiring.any_secondi["FP32"].return_type == "INT64"
    assert "BOOL" not in gb.monoid.plus and "FP64" not in gb.binary.bor
    assert gb.monoid.bor["UINT8"].return_type == "UINT8"
    assert (gb.Vector(int, 2) + gb.Vector(float, 2)).dtype == "FP64"


def test_whole_number_operators():
    x, y = [7, -7, 7, -7, 5], [2, 2, -2, -2, 0]
    v, w = (gb.Vector.from_coo(range(5), part) for part in (x, y))
    assert (v // w).new().to_coo()[1].tolist()[:4] == [3, -4, -4, 3]
    assert v.ewise_mult(w, "rminus").new().to_coo()[1].tolist() == [b - a for a, b in zip(x, y)]
    assert v.ewise_mult(w, "isgt").new().to_coo()[1].tolist() == [1, 0, 1, 0, 1]
    bits = gb.Vector.from_coo([0, 1], [6, 3])
    assert bits.reduce("bor").value == 7 and bits.reduce("band").value == 2 and bits.reduce("bxor").value == 5


def test_operators_from_text():
    hyp = gb.binary.register_anonymous("void hyp(double *z, const double *x, const double *y) { *z = sqrt(*x * *x + *y * *y); }")
    v = gb.Vector.from_coo([0, 1], [3.0, 5])
    assert hyp(v, 4.0).new().to_dict() == {0: 5, 1: math.hypot(5, 4)}
    twice = gb.unary.register_new(
        "twice_and",
        ["void twice_i(int64_t *z, const int64_t *x) { *z = 2 * *x; }", "void twice_d(double *z, const double *x) { *z = 2 * *x + 0.5; }"],
    )
    assert gb.unary.twice_and is twice
    assert twice(gb.Vector.from_coo([0], [4])).new().to_dict() == {0: 8}
    assert twice(gb.Vector.from_coo([0], np.array([4], "int8"))).new().to_dict() == {0: 8}
    assert twice(gb.Vector.from_coo([0], [4.0])).new().to_dict() == {0: 8.5}
    in_band = gb.indexunary.register_anonymous(
        "void near_diagonal(bool *z, const double *x, GrB_Index i, GrB_Index j, const int64_t *y) { *z = llabs((long long)(i - j)) <= *y; }"
    )
    A = gb.Matrix.from_dense(np.ones((4, 4)))
    assert A.select(in_band, 1).nvals == 10
    plus = gb.binary.register_anonymous("void my_plus(double *z, const double *x, const double *y) { *z = *x + *y; }")
    user_semiring = gb.semiring.register_new("mine", gb.monoid.register_new("my_plus", plus, 0.0), plus)
    assert A.mxm(A, user_semiring).new().to_dense().tolist() == [[8.0] * 4] * 4
    with pytest.raises(ValueError, match="does not compile"):
        gb.unary.register_anonymous("void broken(double *z, const double *x) { *z = nonsense; }")(v).new()
    with pytest.raises(ValueError, match="operands"):
        gb.unary.register_anonymous("void two(double *z, const double *x, const double *y) { *z = *x; }")


def test_texts_are_compiled_on_several_threads():
    answers = {}

    def compile_and_call(k):
        address, holder = text.compiled("times", f"void times(double *z, const double *x) {{ *z = *x * {k}; }}")
        x, z = ctypes.c_double(1), ctypes.c_double()
        holder.times(ctypes.byref(z), ctypes.byref(x))
        answers[k] = z.value

    threads = [threading.Thread(target=compile_and_call, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {k: k for k in range(4)}


def test_a_text_that_calls_an_unknown_function_does_not_compile():
    with pytest.raises(ValueError, match="does not compile"):
        text.compiled("calls", "void unknown(void); void calls(double *z, const double *x) { unknown(); *z = *x; }")


def test_errors_have_the_librarys_sentence():
    A = gb.Matrix(float, 3, 3)
    with pytest.raises(gb.exceptions.DimensionMismatch, match=r"GrB_mxm: .*3 x 3.*5 x 5"):
        A.mxm(gb.Matrix(float, 5, 5)).new()
    with pytest.raises(gb.exceptions.InvalidValue):
        gb.Matrix(float, 2**61, 3)
    with pytest.raises(gb.exceptions.OutputNotEmpty):
        gb.Matrix.from_coo([0], [0], [1.0]).build([1], [1], [2.0])
    with pytest.raises(TypeError, match="mask"):
        A(mask=gb.Matrix(float, 3, 3)) << 1
    before = gb.device()
    with pytest.raises(ValueError, match="no such device"):
        gb.device("abacus")
    assert gb.device() == before
