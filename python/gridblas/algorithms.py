"""The library's algorithms: gridblas.algorithms.bfs(A, source), ..., a function for each of gridblas_algos.h.

Parameters are those of the C function without its outputs; a list stands for an array and its length. What the C function writes to is
returned: a vector, matrix or number, or several with names; `only="level"` asks for one of several, which spares the others' work.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from . import library
from ._declarations import ALGORITHMS, ffi
from .dtypes import lookup_dtype
from .expression import compute
from .index import places, pointer
from .matrix import Matrix
from .operators import lookup
from .vector import Vector

# What is usual, where the C function has no default.
DEFAULTS: dict[str, dict[str, Any]] = {
    "bfs": {"limit": -1},
    "bfs_many": {"limit": -1},
    "betweenness": {"sources": None},
    "cdlp": {"iterations": 10},
    "circuit": {"tolerance": 1e-6, "limit": 1000},
    "factors": {"rate": 0.0, "lambda": 0.0, "iterations": 100, "seed": 0},
    "heat": {"rate": 0.0, "tolerance": 1e-6, "limit": 1000},
    "ktruss": {"k": 3},
    "mis": {"seed": 0},
    "neural": {"gain": 0.0, "tolerance": 1e-6, "limit": 1000},
    "pagerank": {"personal": None, "damping": 0.85, "tolerance": 1e-6, "limit": 100, "flags": 0},
    "shortest_paths": {"delta": 0.0},
}
OBJECTS = {"GrB_Matrix": Matrix, "GrB_Vector": Vector}
OPERATORS = {"GrB_BinaryOp": "binary", "GrB_UnaryOp": "unary", "GrB_Semiring": "semiring", "GrB_Monoid": "monoid"}


class _Parameter:
    """A parameter of a C function: `const GrB_Index *sources`."""

    def __init__(self, text: str) -> None:
        self.type, star, name = text.rpartition("*") if "*" in text else (text.rpartition(" ")[0], "", text.rpartition(" ")[2])
        self.constant = self.type.startswith("const ")
        self.type = self.type.removeprefix("const ").strip()
        self.name = name.strip()
        self.is_output = bool(star) and not self.constant
        self.is_array = bool(star) and self.constant


def _input(parameter: _Parameter, value: Any, first: Any) -> list[Any]:
    """What C gets for a value; `first` is the first object among the arguments, whose type untyped operators take."""
    if parameter.is_array:
        if parameter.type == "GrB_Index":
            array = places(range(first.nrows) if value is None else value)
        else:
            array = np.ascontiguousarray(value, lookup_dtype(parameter.type).np_type)
        return [pointer(array, parameter.type), len(array), array]
    if parameter.type in OPERATORS:
        return [lookup.typed(lookup.find(value, OPERATORS[parameter.type]), first.dtype)]
    if parameter.type == "GrB_Type":
        return [lookup_dtype(value)]
    if parameter.type in OBJECTS:
        value = compute(value)
        return [value.new() if getattr(value, "is_transposed", False) else value]
    return [value]


def _room(cname: str, parameter: _Parameter, arguments: dict[str, Any]) -> Any:
    """Where C writes an output."""
    if (cname, parameter.name) == ("Grid_factors", "error"):  # an array: one of the start, and one an iteration
        return ffi.new("double[]", arguments["iterations"] + 1)
    return ffi.new(parameter.type + " *")


def _result(kind: str, made: Any) -> Any:
    """What C has written: None where it made no object."""
    if kind in OBJECTS:
        return OBJECTS[kind]._own(made) if made[0] != ffi.NULL else None
    return np.array(list(made)) if ffi.typeof(made).kind == "array" else made[0]


def _function(cname: str) -> Callable[..., Any]:
    name = cname.removeprefix("Grid_")
    comment, texts = ALGORITHMS[cname]
    parameters = [_Parameter(text) for text in texts]
    outputs = [p for p in parameters if p.is_output]
    # An array's length is not asked for.
    lengths = {id(after) for before, after in zip(parameters, parameters[1:]) if before.is_array}
    inputs = [p for p in parameters if not p.is_output and id(p) not in lengths]
    defaults = DEFAULTS.get(name, {})
    result = namedtuple(name, [p.name for p in outputs])  # type: ignore[misc]

    def python_name(p: _Parameter) -> str:
        return p.name + "_" if p.name == "lambda" else p.name

    empty = inspect.Parameter.empty
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    plain = [inspect.Parameter(python_name(p), kind, default=defaults.get(p.name, empty)) for p in inputs]
    plain.append(inspect.Parameter("only", inspect.Parameter.KEYWORD_ONLY, default=None))
    # Those without a default may follow some that have one in C's order.
    plain.sort(key=lambda p: (p.kind, p.default is not empty))
    signature = inspect.Signature(plain)

    def algorithm(*args: Any, **options: Any) -> Any:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        only = bound.arguments["only"]
        if only is not None and only not in result._fields:
            raise ValueError(f"{name} gives {', '.join(result._fields)}, not {only!r}")
        first = next(compute(x) for x in bound.arguments.values() if hasattr(x, "dtype"))
        made = {}
        values: list[Any] = []
        keep: list[Any] = []
        for p in parameters:
            if p.is_output:
                # A yes or no must be heard, whatever is asked for.
                wanted = only is None or p.name == only or p.type == "bool"
                made[p.name] = _room(cname, p, bound.arguments) if wanted else None
                values.append(made[p.name])
            elif id(p) not in lengths:
                value, *rest = _input(p, bound.arguments[python_name(p)], first)
                values.append(value)
                if rest:
                    values.append(rest[0])
                    keep.append(rest[1])
        library.call(cname, *values)
        results = {p.name: _result(p.type, made[p.name]) for p in outputs if made[p.name] is not None}
        if only is not None or len(outputs) == 1:
            return results[only or outputs[0].name]
        return result(**results)

    algorithm.__name__ = algorithm.__qualname__ = name
    algorithm.__doc__ = f"{cname} of gridblas_algos.h:\n\n{comment}"
    algorithm.__signature__ = signature  # type: ignore[attr-defined]
    return algorithm


# Flags of pagerank.
PAGERANK_PLAIN = library.lib.Grid_PAGERANK_PLAIN
PAGERANK_FP32 = library.lib.Grid_PAGERANK_FP32
__all__ = [name.removeprefix("Grid_") for name in ALGORITHMS]
globals().update({name.removeprefix("Grid_"): _function(name) for name in ALGORITHMS})
