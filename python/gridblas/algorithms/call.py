"""How an algorithm is called: @algorithm makes a function with a signature and a docstring into a call of the C function of its name."""

from __future__ import annotations

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .. import library
from .._declarations import ALGORITHMS, ffi
from ..dtypes import lookup_dtype
from ..core.expression import compute
from ..core.index import index_array, pointer
from ..io import as_matrix
from ..matrix import Matrix
from ..exceptions import InvalidIndex
from ..core.operand import check_integer, check_real, conversion_hint, describe_value
from ..operators import lookup
from ..vector import Vector

OBJECTS = {"GrB_Matrix": Matrix, "GrB_Vector": Vector}
OPERATORS = {"GrB_BinaryOp": "binary", "GrB_UnaryOp": "unary", "GrB_Semiring": "semiring", "GrB_Monoid": "monoid"}
HANDLES = {"GrB_Vector", "GrB_Matrix", "GrB_Type", *OPERATORS}
# Outputs that C functions do not leave out.
NEEDED = {
    "als": ("P", "Q"),
    "betweenness_sampled": ("centrality",),
    "eigenvector": ("centrality",),
    "factors": ("P", "Q"),
    "hits": ("hub",),
    "katz": ("centrality",),
    "pagerank": ("rank",),
}


class _Parameter:
    """A parameter of a C function: `const GrB_Index *sources`."""

    def __init__(self, text: str) -> None:
        self.type, star, name = text.rpartition("*") if "*" in text else (text.rpartition(" ")[0], "", text.rpartition(" ")[2])
        constant = self.type.startswith("const ")
        self.type = self.type.removeprefix("const ").strip()
        self.name = name.strip()
        self.python_name = "lambda_" if self.name == "lambda" else self.name
        self.is_output = bool(star) and not constant
        self.is_array = bool(star) and constant
        self.is_series = False  # an output of a number for each iteration
        self.optional = False


def _array(p: _Parameter, value: Any, matrix: Matrix) -> tuple[Any, Any]:
    """The pointer that C gets, and the array that it points to."""
    if p.type == "GrB_Index":
        array = index_array(np.arange(matrix.nrows) if value is None else value, p.name)
    elif p.type == "int64_t":
        if not hasattr(value, "__iter__") or isinstance(value, str):
            raise TypeError(f"{p.name}: a list of integers is expected, not {describe_value(value)}")
        array = np.array([check_integer(p.name, x, -(2**63)) for x in value], np.int64)
    else:
        array = np.ascontiguousarray(value, lookup_dtype(p.type).np_type)
    return pointer(array, p.type), array


def _vector(name: str, value: Any, optional: bool) -> Any:
    value = compute(value)
    if not isinstance(value, Vector) and not (optional and value is None):
        raise TypeError(f"{name}: a gridblas Vector is expected, not {describe_value(value)}{conversion_hint(value, 'Vector')}")
    return value


def _number(p: _Parameter, value: Any) -> Any:
    """A plain number of the parameter's C type."""
    if p.type == "double":
        return check_real(p.python_name, value)
    return check_integer(p.python_name, value, 0 if p.type in ("GrB_Index", "uint64_t") else -(2**63))


def _vertex(name: str, value: Any, n: int) -> int:
    """A row of the matrix."""
    try:
        vertex = check_integer(name, value)
    except TypeError as error:
        raise TypeError(f"{error}. Vertices are rows, 0 to {n - 1}; list(G).index(node) is the row of a NetworkX graph's node") from None
    if vertex >= n:
        raise InvalidIndex(f"{name}: {vertex} is not a vertex; there are {n}{f', 0 to {n - 1}' if n else ''}")
    return vertex


def _input(p: _Parameter, value: Any, matrix: Matrix) -> Any:
    """What C gets for a value; untyped operators take the type of the matrix."""
    if p.name == "source":
        return _vertex(p.python_name, value, matrix.nrows)
    if p.type not in HANDLES:
        return _number(p, value)
    if p.type == "GrB_Vector":
        return _vector(p.name, value, p.optional)
    if p.type == "GrB_Matrix":
        return None if p.optional and value is None else as_matrix(value, p.name)
    if p.type == "GrB_Type":
        return lookup_dtype(value)
    return lookup.typed(lookup.find(value, OPERATORS[p.type], what=p.name), matrix.dtype)


def _output(p: _Parameter, arguments: dict[str, Any]) -> Any:
    """The memory that C writes an output to."""
    if p.is_series:  # at the start, and after each iteration
        return ffi.new("double[]", check_integer("iterations", arguments["iterations"]) + 1)
    return ffi.new(p.type + " *")


def _result(p: _Parameter, made: Any) -> Any:
    """The output that the C function has written; None if it created no object."""
    if p.type in OBJECTS:
        return OBJECTS[p.type]._adopt(made) if made[0] != ffi.NULL else None
    return np.array(list(made)) if p.is_series else made[0]


def _split(name: str, signature: inspect.Signature) -> tuple[list[_Parameter], list[_Parameter]]:
    """The C function's parameters without the lengths of arrays, and its outputs; the rest is what the signature has."""
    parameters = [_Parameter(text) for text in ALGORITHMS["Grid_" + name]]
    lengths = [after for before, after in zip(parameters, parameters[1:]) if before.is_array]
    parameters = [p for p in parameters if p not in lengths]
    outputs = [p for p in parameters if p.is_output]
    inputs = {p.python_name: p for p in parameters if not p.is_output}
    if {*signature.parameters} != {*inputs, "only"}:
        raise TypeError(f"{name}: its parameters are {sorted(signature.parameters)}, those of the library {sorted(inputs)}")
    for p in inputs.values():
        p.optional = signature.parameters[p.python_name].default is None
    for p in outputs:
        p.is_series = p.name == "error"
    return parameters, outputs


def _binder(signature: inspect.Signature, name: str) -> Callable[..., dict[str, Any]]:
    """A function from a call's arguments to those by name, with defaults. signature.bind takes longer, and makes the errors."""
    parameters = signature.parameters
    positional = [p.name for p in parameters.values() if p.kind is not p.KEYWORD_ONLY]
    defaults = {p.name: p.default for p in parameters.values() if p.default is not p.empty}
    names = parameters.keys()

    def bind(args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        given = dict(zip(positional, args), **options)
        bound = {**defaults, **given}
        if len(given) < len(args) + len(options) or bound.keys() != names:
            try:
                signature.bind(*args, **options)
            except TypeError as error:
                raise TypeError(f"{name}({', '.join(parameters)}): {error}") from None
        return bound

    return bind


_results: dict[str, type[Any]] = {}  # by the algorithm's name


def _unpickle(name: str, values: tuple[Any, ...]) -> Any:
    """The results of an algorithm that were pickled. Their class has the name of its function, by which pickle would not find it."""
    return _results[name](*values)


Stub = TypeVar("Stub", bound=Callable[..., Any])


def algorithm(stub: Stub) -> Stub:
    """The function that calls Grid_NAME of the library, with the signature and the docstring of `stub`."""
    name, signature = stub.__name__, inspect.signature(stub)
    parameters, outputs = _split(name, signature)
    bind = _binder(signature, name)
    result = _results[name] = namedtuple(name, [p.name for p in outputs])  # type: ignore[misc]
    result.__reduce__ = lambda self: (_unpickle, (name, tuple(self)))  # type: ignore[method-assign]
    graph = next(p for p in parameters if p.type == "GrB_Matrix" and not p.is_output)
    always = {p.name for p in outputs if p.type == "bool" or p.name in NEEDED.get(name, ())}  # a flag is always computed

    @functools.wraps(stub)
    def call(*args: Any, **options: Any) -> Any:
        arguments = bind(args, options)
        only = arguments["only"]
        if only is not None and only not in result._fields:
            raise ValueError(f"only: one of {', '.join(result._fields)} is expected, not {describe_value(only)}")
        matrix = as_matrix(arguments[graph.name], graph.name)
        made: dict[str, Any] = {}
        values: list[Any] = []
        arrays: list[Any] = []  # they must live until the call returns
        for p in parameters:
            if p.is_output:
                wanted = only is None or p.name == only or p.name in always
                made[p.name] = _output(p, arguments) if wanted else None
                values.append(made[p.name])
            elif p is graph:
                values.append(matrix)
            elif p.is_array:
                address, array = _array(p, arguments[p.python_name], matrix)
                arrays.append(array)
                values += (address, len(array))
            else:
                values.append(_input(p, arguments[p.python_name], matrix))
        library.call("Grid_" + name, *values)
        found = {p.name: _result(p, made[p.name]) for p in outputs if made[p.name] is not None}
        return result(**found) if only is None and len(outputs) > 1 else found[only or outputs[0].name]

    return call  # type: ignore[return-value]
