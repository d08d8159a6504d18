"""Wrong calls: the exception names the given and the expected value, in Python's terms."""

import re

import numpy as np
import pytest

import gridblas as gb

DTYPE = "dtype: a type of GraphBLAS .*BOOL.*FP64.* is expected, not "
OPERATOR = "or its name\\) is expected, not "
# What is called (A: 3 x 3, v: size 3, s: a Scalar, f: a Python function): the exception, and its message.
WRONG = {
    "gb.Matrix(3, 3)": (TypeError, DTYPE + "3"),
    "gb.Matrix('FP65', 3, 3)": (TypeError, DTYPE + "'FP65'"),
    "gb.Matrix([[1, 2], [3, 4]])": (TypeError, DTYPE + "a list"),
    "gb.Matrix(float, -1, 3)": (ValueError, "nrows: -1 is less than 0"),
    "gb.Matrix(float, 3, 2.5)": (TypeError, "ncols: an integer is expected, not 2.5"),
    "gb.Vector(float, 10**30)": (ValueError, "size: .* does not fit 64 bits"),
    "gb.Vector(float, 'a')": (TypeError, "size: an integer is expected, not 'a'"),
    "gb.Matrix.from_coo([0, 1], [1, 2], [1.0])": (ValueError, "values: 2 are expected.*shape \\(1,\\)"),
    "gb.Matrix.from_coo([0, 1], [1], [1.0, 2.0])": (ValueError, "rows and columns: arrays of one length .* 2 and 1"),
    "gb.Matrix.from_coo(5, [1], [1.0])": (TypeError, "rows: a list or an array of integers is expected, not 5"),
    "gb.Matrix.from_coo([0.5], [1], [1.0])": (TypeError, "rows: integers are expected, not float64"),
    "gb.Matrix.from_coo([0], [-1], [1.0])": (IndexError, "columns: -1 is below 0"),
    "gb.Matrix.from_coo([0], [1], ['x'])": (TypeError, "values: real numbers are expected, not <U1"),
    "gb.Matrix.from_coo([], [], [])": (ValueError, "nrows: without indices it must be given"),
    "gb.Vector.from_coo([], [])": (ValueError, "size: without indices it must be given"),
    "gb.Matrix.from_edgelist([])": (ValueError, "nrows: without indices it must be given"),
    "gb.algorithms.page_rank": (AttributeError, "no algorithm is called 'page_rank'; did you mean 'pagerank'?"),
    "gb.semiring.plus_tims": (AttributeError, "no semiring is called 'plus_tims'; did you mean 'plus_times'?"),
    "gb.Matrix.from_coo([0], [1], [1], dup_op=f)": (TypeError, "dup_op: a binary operator .*" + OPERATOR + "a Python function"),
    "gb.Matrix.from_edgelist([1, 2, 3])": (TypeError, "edgelist: a list of tuples of 2 or 3 is expected.* is 1"),
    "gb.Matrix.from_edgelist([(0, 1), (1,)])": (TypeError, "edgelist: .*one of them is \\(1,\\)"),
    "gb.Matrix.from_edgelist(5)": (TypeError, "edgelist: .*not 5"),
    "gb.Matrix.from_dicts([1, 2])": (TypeError, "nested: a dictionary .* 1 stands for a row"),
    "gb.Matrix.from_dicts(5)": (TypeError, "nested: a dictionary .* 5"),
    "gb.Matrix.from_dicts({}, order='x')": (ValueError, "order: 'rowwise' or 'columnwise' is expected, not 'x'"),
    "gb.Matrix.from_dense([1, 2, 3])": (ValueError, "array of 2 dimensions is expected, not of 1"),
    "gb.Vector.from_dense([[1, 2]])": (ValueError, "array of 1 dimension is expected, not of 2"),
    "gb.Vector.from_dense(3)": (ValueError, "array of 1 dimension is expected, not of 0"),
    "gb.Vector.from_dict([1, 2])": (TypeError, "d: a dictionary .* is expected, not a list"),
    "gb.Vector.from_pairs([1, 2])": (TypeError, "pairs: a list of tuples of 2 is expected"),
    "gb.Vector.from_scalar('x', 4)": (TypeError, "a number .* is expected, not 'x'"),
    "A.mxm(v)": (TypeError, "mxm: a gridblas Matrix is expected, not a Vector"),
    "A.mxm(np.eye(3))": (TypeError, "mxm: .* not an ndarray; gridblas.Matrix.from_dense"),
    "A.mxv(A)": (TypeError, "mxv: a gridblas Vector is expected, not a Matrix"),
    "A.mxv([1, 2, 3])": (TypeError, "mxv: .* not a list; gridblas.Vector.from_dense"),
    "A.mxm(A, f)": (TypeError, "op: a semiring .*" + OPERATOR + "a Python function; .*register_new"),
    "A.mxm(A, 'plus_tmes')": (ValueError, "no semiring is called 'plus_tmes'; did you mean 'plus_times'?"),
    "A.mxm(A, None)": (TypeError, "op: a semiring .*" + OPERATOR + "None"),
    "v.vxm(v)": (TypeError, "vxm: a gridblas Matrix is expected, not a Vector"),
    "v.inner(A)": (TypeError, "inner: a gridblas Vector is expected, not a Matrix"),
    "v.outer(A)": (TypeError, "outer: a gridblas Vector is expected, not a Matrix"),
    "A.kronecker(3)": (TypeError, "kronecker: a gridblas Matrix is expected, not 3"),
    "A @ [1, 2, 3]": (TypeError, "@: a gridblas Matrix or Vector is expected, not a list"),
    "np.eye(3) @ A": (TypeError, "@: a gridblas Matrix or Vector is expected, not an ndarray"),
    "A + 'x'": (TypeError, "\\+: a gridblas Matrix or a number is expected, not 'x'"),
    "A + v": (TypeError, "\\+: two objects of one kind are expected, not a Matrix and a Vector"),
    "A == v": (TypeError, "==: two objects of one kind are expected, not a Matrix and a Vector"),
    "A.select('>', 'a')": (TypeError, "thunk: a number or a gridblas Scalar is expected, not 'a'"),
    "A.ewise_union(A, 'plus', None, 1)": (TypeError, "left_default: a number or a gridblas Scalar is expected, not None"),
    "A.isclose(A, rel_tol='x')": (TypeError, "rel_tol: a number is expected, not 'x'"),
    "setattr(A, 'nrows', 5)": (AttributeError, "nrows.* has no setter|can't set"),
    "setattr(v, 'dtype', float)": (AttributeError, "dtype.* has no setter|can't set"),
    "gb.Matrix.from_scalar('x', 2, 2)": (TypeError, "value: a number .* is expected, not 'x'"),
    "gb.monoid.register_new('of_text', 'plus', 'x')": (TypeError, "identity: a number is expected, not 'x'"),
    "gb.algorithms.checkpoint_every(3)": (TypeError, "folder: a file's name is expected, not 3"),
    "gb.algorithms.checkpoint_every('x', -1)": (ValueError, "every: -1 is less than 0"),
    "A - None": (TypeError, "-: a gridblas Matrix or a number is expected, not None"),
    "np.ones(3) * v": (TypeError, "\\*: a gridblas Vector or a number is expected, not an ndarray"),
    "v < 'x'": (TypeError, "<: a gridblas Vector or a number is expected, not 'x'"),
    "A.ewise_mult(3)": (TypeError, "ewise_mult: a gridblas Matrix is expected, not 3"),
    "A.ewise_union(A, 'plus', None, 0)": (TypeError, "a number or a gridblas Scalar is expected, not None"),
    "A.isequal(3)": (TypeError, "isequal: a gridblas Matrix is expected, not 3"),
    "A.apply(f)": (TypeError, "op: a unary operator or .*" + OPERATOR + "a Python function"),
    "A.apply('plus')": (TypeError, "apply: a unary operator, or a binary one with either left= or right="),
    "A.apply('abs', 3)": (TypeError, "apply: unary.abs is a unary operator"),
    "A.apply('plus', right=A)": (TypeError, "a number or a gridblas Scalar is expected, not a Matrix"),
    "A.apply(gb.semiring.plus_times)": (TypeError, OPERATOR + "semiring.plus_times, which is a Semiring"),
    "A.select(A)": (TypeError, "op: a select operator or .*" + OPERATOR + "a Matrix"),
    "A.select('>', 'x')": (TypeError, "a number or a gridblas Scalar is expected, not 'x'"),
    "v.reduce('minus')": (TypeError, "op: a monoid or an aggregator is expected, and binary.minus is neither"),
    "v.reduce(5)": (TypeError, "op: a monoid or aggregator .*" + OPERATOR + "5"),
    "gb.agg.mean(3)": (TypeError, "agg.mean: a gridblas Matrix or Vector is expected, not 3"),
    "gb.binary.plus(3, 4)": (TypeError, "binary.plus: a gridblas Matrix or Vector or Scalar is expected, not 3"),
    "gb.binary.plus(A)": (TypeError, "binary.plus.*: x | y or x & y of two gridblas objects is expected, not a Matrix"),
    "gb.binary.plus(A, A)": (TypeError, "binary.plus\\(x, y\\): x or y is a number"),
    "gb.binary.plus()": (TypeError, "binary.plus\\(...\\): missing a required argument: 'x'"),
    "gb.semiring.plus_times(A, A)": (TypeError, "semiring.plus_times\\(...\\): too many positional arguments"),
    "gb.unary.abs(3)": (TypeError, "unary.abs: a gridblas .* is expected, not 3"),
    "gb.unary.register_new('x', f)": (TypeError, "the C text of a function.* is expected, not a Python function"),
    "gb.monoid.register_new('x', f, 0)": (TypeError, "op: a binary operator .*" + OPERATOR + "a Python function"),
    "gb.semiring.register_new('x', 'minus', 'times')": (ValueError, "add: no monoid is called 'minus'"),
    "A[0]": (TypeError, "2 dimensions are expected, A\\[rows, columns\\], not 1"),
    "A[A.S]": (TypeError, "a mask goes in parentheses"),
    "A[0.5, 0]": (TypeError, "index: an integer, a slice, a list or an array is expected, not 0.5"),
    "A[None, 0]": (TypeError, "index: .* is expected, not None"),
    "A[[True, False, True], 0]": (TypeError, "bool; np.flatnonzero"),
    "v[0, 1]": (TypeError, "1 dimensions are expected, v\\[indices\\], not 2"),
    "v[7]": (IndexError, "index 7 is outside of a dimension of 3"),
    "5 in A": (TypeError, "two indices are expected, not 5"),
    "A.power(2.0)": (TypeError, "n: an integer is expected, not 2.0"),
    "A.power(0)": (ValueError, "n: 0 is less than 1"),
    "A.resize(-1, 2)": (ValueError, "nrows: -1 is less than 0"),
    "v.resize(None)": (TypeError, "size: an integer is expected, not None"),
    "A.diag('x')": (TypeError, "k: an integer is expected, not 'x'"),
    "v.diag('x')": (TypeError, "k: an integer is expected, not 'x'"),
    "A.to_dense()": (TypeError, "fill_value is expected"),
    "A.to_dense(fill_value='x')": (TypeError, "fill_value: a number is expected, not 'x'"),
    "v.to_dense(fill_value=np.int64(300), dtype='INT8')": (OverflowError, "fill_value: 300 does not fit INT8"),
    "A.get([0], 0)": (TypeError, "get: an integer is expected, not a list"),
    "v.get(slice(2))": (TypeError, "get: an integer is expected, not a slice"),
    "A.setdiag(1, 3)": (IndexError, "a matrix of 3 x 3 has no diagonal 3"),
    "A.setdiag(1, -3)": (IndexError, "a matrix of 3 x 3 has no diagonal -3"),
    "A.setdiag(v, 1)": (ValueError, "diagonal 1 has 2 positions, and the vector has size 3"),
    "gb.Matrix(int, 2, 3).power(1)": (ValueError, "a square matrix is expected, not 2 x 3"),
    "gb.Matrix.from_csr([], [], [])": (ValueError, "indptr: .* are expected, not an empty array"),
    "gb.Matrix.from_csr([0, 1], [0], ncols=-1)": (ValueError, "ncols: -1 is less than 0"),
    "gb.Matrix.from_csc([0, 1], [0], nrows=2.0)": (TypeError, "nrows: an integer is expected, not 2.0"),
    "gb.Matrix.from_dicts(None)": (TypeError, "nested: a dictionary .* None stands for a row"),
    "gb.Vector.from_dense([1, 2], missing_value=[1, 2])": (TypeError, "missing_value: a number is expected, not a list"),
    "gb.Vector.from_coo([0, 1], np.ma.array([1, 2], mask=[0, 1]))": (ValueError, "values: 1 of 2 values are masked"),
    "gb.Vector.from_coo(np.ma.array([0, 1], mask=[0, 1]), 1)": (ValueError, "indices: 1 of 2 values are masked"),
    "gb.Matrix.from_dense(np.ma.array([[1, 2]], mask=[[0, 1]]))": (ValueError, "values: 1 of 2 values are masked"),
    "A[np.ma.array([0, 1], mask=[0, 1]), 0]": (ValueError, "index: 1 of 2 values are masked"),
    "A.wait('x')": (ValueError, "how: 'materialize' or 'complete' is expected, not 'x'"),
    "A.dup(mask=3)": (TypeError, "mask: .* is expected, not 3"),
    "A.T.clear()": (AttributeError, "clear: A.T is no matrix of its own"),
    "gb.Scalar.from_value([1])": (TypeError, "a number .* is expected, not a list"),
    "gb.Scalar('INT8').update(1000)": (OverflowError, "1000 does not fit INT8"),
    "gb.Scalar('INT8').update(np.float32(np.inf))": (OverflowError, "inf does not fit INT8"),
    "gb.Scalar.from_value(1e30, int)": (OverflowError, "1e\\+30 does not fit INT64"),
    "gb.Scalar.from_value(float('nan'), int)": (TypeError, "a number of type INT64 is expected, not nan"),
    "gb.Scalar.from_value(b'5', float)": (TypeError, "a number of type FP64 is expected, not b'5'"),
    "gb.Scalar.from_value(np.datetime64('2020'), int)": (TypeError, "a number of type INT64 is expected, not a datetime64"),
    "gb.Scalar.from_value(np.array([5]), int)": (TypeError, "a number of type INT64 is expected, not an ndarray"),
    "gb.Scalar(int).update([1])": (TypeError, "a number .* is expected, not a list"),
    "A(f) << A": (TypeError, "mask: .* is expected, not a Python function"),
    "A(A) << 1": (TypeError, "mask: a BOOL object is expected, not FP64"),
    "A(mask=v.S) << 1": (TypeError, "a Matrix's mask is expected, not a Vector's"),
    "A(v.S) << A.mxm(A)": (TypeError, "a Matrix's mask is expected, not a Vector's"),
    "A('plus', 'plus') << A": (TypeError, "one accumulator is expected"),
    "A(A.S, A.S) << A": (TypeError, "one mask is expected"),
    "A(replace=True) << A": (TypeError, "a mask is expected with replace"),
    "A << v": (TypeError, "a gridblas Matrix or a number is expected .* not a Vector"),
    "A << [[1]]": (TypeError, "not a list; gridblas.Matrix.from_dense"),
    "v << np.ones(3)": (TypeError, "not an ndarray; gridblas.Vector.from_dense"),
    "v << A.mxm(A)": (TypeError, "x gives a Matrix, and C is a Vector"),
    "gb.algorithms.bfs()": (TypeError, "bfs\\(A, source, limit, only\\): missing a required argument: 'A'"),
    "gb.algorithms.bfs(A)": (TypeError, "missing a required argument: 'source'"),
    "gb.algorithms.bfs(A, 0, depth=3)": (TypeError, "bfs\\(A, source, limit, only\\): got an unexpected keyword argument 'depth'"),
    "gb.algorithms.bfs(A, 'x')": (TypeError, "source: an integer is expected, not 'x'"),
    "gb.algorithms.bfs(A, -1)": (ValueError, "source: -1 is less than 0"),
    "gb.algorithms.bfs(A, 99)": (IndexError, "source: 99 is not a vertex; there are \\d+, 0 to"),
    "gb.algorithms.diameter(A, 'x')": (TypeError, "list\\(G\\).index\\(node\\)"),
    "gb.algorithms.bfs(A, 0, only='x')": (ValueError, "only: one of level, parent is expected, not 'x'"),
    "gb.algorithms.bfs(np.eye(3), 0)": (TypeError, "A: a gridblas Matrix, .*scipy.* NetworkX graph is expected, not an ndarray"),
    "gb.algorithms.components('karate.txt')": (TypeError, "A: .* is expected, not 'karate.txt'"),
    "gb.algorithms.bfs_many(A, 0)": (TypeError, "sources: a list or an array of integers is expected, not 0"),
    "gb.algorithms.neighbor_sample(A, [0], 3)": (TypeError, "fanouts: a list of integers is expected, not 3"),
    "gb.algorithms.factors(A, 2, iterations=2.5)": (TypeError, "iterations: an integer is expected, not 2.5"),
    "gb.algorithms.factors(A, 2, iterations=-5)": (ValueError, "iterations: -5 is less than 0"),
    "gb.algorithms.pagerank(A, personal=[1, 2])": (TypeError, "personal: a gridblas Vector is expected, not a list; .*from_dense"),
    "gb.algorithms.pagerank(A, damping='x')": (TypeError, "damping: a number is expected, not 'x'"),
    "gb.io.read(5)": (TypeError, "path: a file's name is expected, not 5"),
    "gb.io.write(v, 'v.txt')": (TypeError, "A: a gridblas Matrix, .* is expected, not a Vector"),
    "gb.io.from_scipy_sparse(np.eye(3))": (TypeError, "a scipy.sparse matrix or array is expected, not an ndarray"),
    "gb.io.from_networkx(5)": (TypeError, "a NetworkX graph is expected, not 5"),
    "gb.init(grid=5)": (TypeError, "grid: two numbers.* are expected, not 5"),
    "gb.device('gpu')": (ValueError, "'cpu' or 'cuda' is expected, not 'gpu'"),
    "gb.threads('x')": (TypeError, "number: an integer is expected, not 'x'"),
    "gb.local_range(-1)": (ValueError, "n: -1 is less than 0"),
}


@pytest.mark.parametrize("call", WRONG)
def test_messages(call):
    kind, words = WRONG[call]
    names = {
        "gb": gb,
        "np": np,
        "A": gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2, 3]),
        "v": gb.Vector.from_coo([0, 1], [1.0, 2], size=3),
        "f": lambda x: x,
    }
    with pytest.raises(kind, match=words) as caught:
        result = eval(call, names)
        if hasattr(result, "new"):
            result.new()
    assert not re.search(r"cdata|0x[0-9a-f]{6}|\n", str(caught.value))


def test_numbers_of_numpy_stand_on_either_side():
    v = gb.Vector.from_coo([0, 2], [1.0, 4.0])
    two = np.float64(2)
    assert (two * v).new().to_dict() == (v * two).new().to_dict() == {0: 2.0, 2: 8.0}
    s = gb.Scalar.from_value(3.0)
    assert two * s == s * two == 6 and (np.array([1.0, 2.0]) * s).tolist() == [3.0, 6.0]
    assert (two - v.apply("abs")).new().to_dict() == {0: 1.0, 2: -2.0}


def test_transposes_have_the_operators_too():
    A = gb.Matrix.from_coo([0, 1], [1, 2], [2.0, 3.0], nrows=3, ncols=3)
    assert (A.T @ A.T).new().isequal((A @ A).new().T.new()) and (A.T + 1).new().isequal((A + 1).new().T.new())
    assert (2 * A.T).new().isequal((A.T + A.T).new())
