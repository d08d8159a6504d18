"""Iterations over a matrix: vertex programs, and the factors of a matrix of ratings."""

from __future__ import annotations

from typing import Any

from .call import algorithm


@algorithm
def factors(
    R: Any,  # noqa: N803
    k: int,
    rate: float = 0.0,
    lambda_: float = 0.0,
    iterations: int = 100,
    seed: int = 0,
    *,
    only: str | None = None,
) -> Any:
    """Factors P and Q of a matrix of ratings by gradient descent: P Q' is close to R where R has entries.

    R           m x n, any type
    k           the number of columns of P and Q
    rate        the length of a step; 0: chosen from the sums of rows and columns
    lambda_     0 or more: how much large factors count against the errors
    iterations  how many
    seed        of the random factors at the start

    Returns (P, Q, error): P is an FP64 Matrix m x k, Q one n x k, both full; error an array of iterations + 1 numbers, the root mean square
    of the errors at the start and after each iteration.

    >>> R = gb.Matrix.from_dense([[4.0, 2.0], [2.0, 1.0]])
    >>> found = gb.algorithms.factors(R, 1, iterations=30)
    >>> found.P.shape, found.Q.shape, bool(found.error[-1] < found.error[0])
    ((2, 1), (2, 1), True)
    """


@algorithm
def als(
    R: Any,  # noqa: N803
    k: int,
    lambda_: float = 0.0,
    iterations: int = 10,
    seed: int = 0,
    *,
    only: str | None = None,
) -> Any:
    """Factors P and Q of a matrix of ratings by alternating least squares: P Q' is close to R where R has entries.

    R           m x n, any type
    k           the number of columns of P and Q, at most 64
    lambda_     0 or more: how much large factors count against the errors, once for each rating
    iterations  how many; each replaces P, then Q, by what is best for the other
    seed        of the random factors at the start

    Returns (P, Q, error): P is an FP64 Matrix m x k, Q one n x k, both full; error an array of iterations + 1 numbers, the root mean square
    of the errors at the start and after each iteration.

    >>> R = gb.Matrix.from_dense([[4.0, 2.0], [2.0, 1.0]])
    >>> found = gb.algorithms.als(R, 1)
    >>> found.P.shape, found.Q.shape, bool(found.error[-1] < 1e-9)
    ((2, 1), (2, 1), True)
    """


@algorithm
def vertex_program(
    A: Any,  # noqa: N803
    start: Any,
    gather: Any,
    sum: Any,  # noqa: A002
    apply: Any,
    differ: Any,
    tolerance: float,
    limit: int,
    *,
    only: str | None = None,
) -> Any:
    """A vertex program: in each iteration every vertex v takes apply(state(v), s), where s sums up gather(state(u), A[u, v]) over the edges
    u -> v.

    A          n x n
    start      Vector of size n: the first states. A vertex without one, or without an edge to it, is left alone
    gather     a semiring: its multiplication gathers, its monoid sums up
    sum        the type of the monoid, such as "FP64"
    apply      a binary operator: of a state and a sum, the new state; it must depend on its operands alone
    differ     a binary operator that gives FP64: how far a new state is from the old one, 0 where they are the same
    tolerance  0 or more: the iteration ends when no state changes by more
    limit      the most iterations

    Returns (state, iterations, change): state is a Vector of start's type, iterations the number done, change the largest `differ` of
    the last one.

    >>> A = gb.Matrix.from_coo([0, 1], [1, 2], [4.0, 3.0], nrows=3, ncols=3)
    >>> start = gb.Vector.from_coo([0, 1, 2], [0.0, 99.0, 99.0])
    >>> differ = gb.binary.register_anonymous("void far(double *z, const double *x, const double *y) { *z = fabs(*x - *y); }")
    >>> gb.algorithms.vertex_program(A, start, "min_plus[FP64]", "FP64", "min[FP64]", differ["FP64"], 0.0, 10).state.to_dict()
    {0: 0.0, 1: 4.0, 2: 7.0}
    """


@algorithm
def lanczos(A: Any, nvalues: int = 6, tolerance: float = 1e-6, limit: int = 300, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """The largest eigenvalues of a symmetric matrix, and their vectors, by Lanczos' method.

    A          n x n, any type; symmetric
    nvalues    how many, from 1 to n
    tolerance  it ends when the largest |A v - value v| is below this part of the largest eigenvalue
    limit      or after so many products with A, each of which keeps a vector

    Returns (values, vectors, iterations, residual): FP64 Vector of size nvalues, descending; an n x nvalues FP64 Matrix with a vector in each column.

    >>> A = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], nrows=3, ncols=3)
    >>> [round(x, 6) for x in gb.algorithms.lanczos(A, 2, only="values").to_dense().tolist()]
    [1.414214, 0.0]
    """


@algorithm
def spectral_embedding(A: Any, nvalues: int = 2, tolerance: float = 1e-6, limit: int = 300, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """Spectral embedding of an undirected graph: a place for each vertex such that neighbors are near (Laplacian eigenmaps).

    A          n x n, any type; symmetric, weights of 0 or more
    nvalues    how many coordinates, from 1 to n - 1
    tolerance  it ends when no residual is larger
    limit      or after so many products with A, each of which keeps a vector

    Returns (values, coordinates, iterations, residual): FP64 Vector of the eigenvalues of the normalized Laplacian, ascending, without that of the
    constant vector; an n x nvalues FP64 Matrix with the place of vertex v in row v.

    >>> A = gb.Matrix.from_coo([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2], nrows=4, ncols=4)
    >>> x = gb.algorithms.spectral_embedding(A, 1, only="coordinates").to_dense()[:, 0]
    >>> sorted(x * (1 if x[0] < 0 else -1)) == list(x * (1 if x[0] < 0 else -1))  # along the path
    True
    """


@algorithm
def power_iteration(A: Any, start: Any = None, tolerance: float = 1e-6, limit: int = 300, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """The eigenvalue of largest absolute value of any square matrix, and its vector, by power iteration.

    A          n x n, any type; symmetric or not
    start      the initial vector; None: random numbers from seed
    tolerance  it ends when |A x - value x| is below this part of |A x|
    limit      or after so many products with A

    Returns (value, vector, iterations, residual): the vector is an FP64 Vector of norm 1.

    >>> A = gb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [2.0, 1.0, 3.0], nrows=2, ncols=2)
    >>> round(gb.algorithms.power_iteration(A, only="value"), 4)
    3.0
    """


@algorithm
def singular_values(A: Any, nvalues: int = 6, tolerance: float = 1e-6, limit: int = 300, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """The largest singular values of a matrix, and their vectors (truncated SVD), by Lanczos' method.

    A          m x n, any type
    nvalues    how many, from 1 to n
    tolerance  it ends when the largest |A' A v - value**2 v| is below this part of the largest value**2
    limit      or after so many iterations, each of which keeps a vector

    Returns (values, left, right, iterations, residual): FP64 Vector of size nvalues, descending; m x nvalues and n x nvalues FP64
    Matrices with a vector in each column.

    >>> A = gb.Matrix.from_coo([0, 1], [2, 0], [3.0, 4.0], nrows=2, ncols=3)
    >>> [round(x, 6) for x in gb.algorithms.singular_values(A, 2, only="values").to_dense().tolist()]
    [4.0, 3.0]
    """


@algorithm
def conjugate_gradient(
    A: Any,  # noqa: N803
    b: Any,
    start: Any = None,
    tolerance: float = 1e-6,
    limit: int = 1000,
    *,
    only: str | None = None,
) -> Any:
    """The solution x of A x = b by conjugate gradients, with the diagonal of A as preconditioner.

    A                 n x n, any type; symmetric and positive definite
    b                 Vector of size n: the right side, 0 where it has no entry
    start             Vector of size n: the first x, 0 where it has no entry; None: 0
    tolerance, limit  the iteration ends when the residual is at most the tolerance, or after `limit` iterations

    Returns (x, iterations, residual): an FP64 Vector, the iterations done, the norm of b - A x by that of b.

    >>> A = gb.Matrix.from_coo([0, 1, 0, 1], [0, 1, 1, 0], [2.0, 2.0, 1.0, 1.0])
    >>> found = gb.algorithms.conjugate_gradient(A, gb.Vector.from_coo([0, 1], [4.0, 5.0]))
    >>> [round(x, 3) for x in found.x.to_dense().tolist()], found.iterations
    ([1.0, 2.0], 2)
    """


@algorithm
def heat(
    A: Any,  # noqa: N803
    start: Any,
    rate: float = 0.0,
    tolerance: float = 1e-6,
    limit: int = 1000,
    *,
    only: str | None = None,
) -> Any:
    """Heat that flows along the edges: in each iteration x[v] += rate * the sum over u -> v of A[u, v] (x[u] - x[v]).

    A                 n x n, any type; values of 0 or more
    start             Vector of size n: the first temperatures, 0 where it has no entry
    rate              0: half the inverse of the largest sum of weights that lead to a vertex
    tolerance, limit  the iteration ends when no temperature changes by more, or after `limit` iterations

    Returns (temperature, iterations, change): temperature is an FP64 Vector with an entry for every vertex.

    >>> wire = gb.Matrix.from_coo([0, 1], [1, 0])
    >>> found = gb.algorithms.heat(wire, gb.Vector.from_coo([0], [8.0], size=2), tolerance=1e-9)
    >>> [round(x, 3) for x in found.temperature.to_dense().tolist()]
    [4.0, 4.0]
    """


@algorithm
def neural(
    A: Any,  # noqa: N803
    start: Any,
    gain: float = 0.0,
    tolerance: float = 1e-6,
    limit: int = 1000,
    *,
    only: str | None = None,
) -> Any:
    """A network of neurons: in each iteration x[v] = tanh(gain * the sum over u -> v of A[u, v] x[u]).

    A                 n x n, any type; values of either sign
    start             Vector of size n: the first states, 0 where it has no entry. Vertices without an edge to them keep theirs
    gain              0: the inverse of the largest sum of |A| that leads to a vertex
    tolerance, limit  the iteration ends when no state changes by more, or after `limit` iterations

    Returns (state, iterations, change): state is an FP64 Vector with an entry for every vertex.

    >>> A = gb.Matrix.from_coo([0], [1], [1.0], nrows=2, ncols=2)
    >>> found = gb.algorithms.neural(A, gb.Vector.from_coo([0], [1.0], size=2), gain=1.0)
    >>> [round(x, 4) for x in found.state.to_dense().tolist()]
    [1.0, 0.7616]
    """


@algorithm
def circuit(
    A: Any,  # noqa: N803
    fixed: Any,
    tolerance: float = 1e-6,
    limit: int = 1000,
    *,
    only: str | None = None,
) -> Any:
    """The voltages in a circuit of resistors: A[u, v] is the conductance between u and v.

    A                 n x n, symmetric, any type; values of 0 or more
    fixed             Vector of size n: the voltages that are given
    tolerance, limit  the iteration ends when no voltage changes by more, or after `limit` iterations

    Returns (volts, iterations, change): volts is an FP64 Vector with an entry for every vertex.

    >>> wire = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> found = gb.algorithms.circuit(wire, gb.Vector.from_coo([0, 2], [0.0, 10.0]), tolerance=1e-9)
    >>> round(found.volts[1].value, 3)
    5.0
    """
