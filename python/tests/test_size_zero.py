"""Matrices with 0 rows or columns, and vectors of size 0."""

import numpy as np
import pytest

import gridblas as gb


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (4, 0)])
def test_matrix(shape):
    A = gb.Matrix(float, *shape)
    assert A.shape == shape and A.nvals == 0 and list(A) == [] and A.to_dicts() == {}
    assert A.T.new().shape == shape[::-1]
    assert A.to_dense(0).shape == A.to_dense().shape == gb.Matrix.from_dense(np.zeros(shape)).shape == shape
    assert A.isequal(A.dup()) and (A + A).new().nvals == 0
    assert A.reduce_scalar().value is None and A.reduce_rowwise().new().size == shape[0]
    assert (A @ A.T).new().shape == (shape[0], shape[0]) and (A.T @ A).new().nvals == 0
    assert A.kronecker(gb.Matrix(int, 2, 5)).new().shape == (2 * shape[0], 5 * shape[1])
    assert A[:, :].new().shape == shape and A[[], []].new().shape == (0, 0)
    assert f"{shape[0]} x {shape[1]}" in repr(A) and A._repr_html_()
    A.resize(2, 2)
    A[1, 1] << 5
    A.resize(*shape)
    assert A.nvals == 0 and A.diag().size == min(shape)
    A.build([], [], [], clear=True, nrows=0, ncols=0)
    assert A.shape == (0, 0)
    with pytest.raises(IndexError):
        A[0, 0].value


def test_products_over_nothing():
    A, B, C = gb.Matrix(float, 3, 0), gb.Matrix(float, 0, 2), gb.Matrix.from_dense(np.ones((3, 2)))
    assert (A @ B).new().shape == (3, 2)
    C("plus") << A @ B
    assert C.nvals == 6
    C << A @ B
    assert C.nvals == 0
    assert (A @ gb.Vector(float, 0)).new().size == 3


def test_vector():
    v = gb.Vector(int, 0)
    assert v.size == 0 and v.to_dict() == {} and v.to_dense().tolist() == [] and list(v) == []
    assert gb.Vector.from_dense([]).size == 0 and gb.Vector.from_coo([], [], size=0).nvals == 0
    assert (v + v).new().nvals == 0 and v.reduce().value is None and v.diag(2).shape == (2, 2)
    v[:] << 3
    assert v.nvals == 0 and v[[]].new().size == 0 and gb.Vector(int, 5)[[]].new().size == 0
    assert "0 entries" in repr(v) and v._repr_html_()
    with pytest.raises(IndexError):
        v[0].value
    v.resize(2)
    assert v.size == 2


def test_files_and_scipy(shared):
    A = gb.Matrix(float, 0, 3)
    gb.io.write(A, shared("a.mtx"))
    assert gb.io.read(shared("a.mtx")).shape == (0, 3)
    sparse = pytest.importorskip("scipy.sparse")
    assert gb.io.from_scipy_sparse(sparse.csr_matrix((0, 3))).shape == (0, 3)
    assert gb.io.to_scipy_sparse(A).shape == (0, 3)


def test_algorithms():
    A = gb.Matrix(bool, 0, 0)
    assert gb.algorithms.components(A).size == gb.algorithms.pagerank(A, only="rank").size == 0
    with pytest.raises(gb.exceptions.InvalidIndex, match="there are 0"):
        gb.algorithms.bfs(A, 0)
