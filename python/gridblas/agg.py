"""Aggregators by name: gridblas.agg.mean, ... Each combines monoids and arithmetic on their results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import library
from .dtypes import BOOL, FP64, INT64, DataType, is_floating
from .core.expression import Expression, check_operand, recipe
from .scalar import Scalar
from .vector import Vector


class Aggregator:
    """A reduction beyond a monoid. `finish` gets the entries as a Reducer, and computes with its results:
    numbers for all entries of an object, vectors for the rows or columns of a matrix."""

    kind = "Aggregator"

    def __init__(self, name: str, result: Callable[[DataType], DataType], finish: Callable[[Reducer], Any]) -> None:
        self.name = name
        self.result = result
        self.finish = finish

    def __repr__(self) -> str:
        return f"agg.{self.name}"

    def __call__(self, x: Any) -> Expression:
        """All entries of an object, reduced."""
        x = check_operand(repr(self), x, "Matrix", "Vector")
        return x.reduce(self) if x.kind == "Vector" else x.reduce_scalar(self)

    def expression(self, x: Any, form: str) -> Expression:
        """Of all entries ("scalar"), of each row ("rowwise") or of each column ("columnwise")."""
        result = self.result(x.dtype)
        if form == "scalar":
            # Without entries there is no value.
            return recipe("Scalar", result, (), lambda: self.finish(Reducer(x, form)) if x.nvals else None, repr(self))
        size = x.nrows if form == "rowwise" else x.ncols
        return recipe("Vector", result, (size,), lambda: self.finish(Reducer(x, form)), repr(self))


class Reducer:
    """The entries of an object, to be reduced by monoids."""

    def __init__(self, x: Any, form: str) -> None:
        self.x = x
        self.form = form

    def __call__(self, monoid: str, dtype: DataType | None = None, of: Callable[[Any], Any] | None = None) -> Any:
        """The entries, as a type, each prepared by `of`, combined by a monoid."""
        y = self.x if dtype in (None, self.x.dtype) else self.x.dup(dtype)
        y = y if of is None else of(y).new()
        if self.form == "scalar":
            return y._reduce_all(monoid)
        return (y.reduce_rowwise(monoid) if self.form == "rowwise" else y.reduce_columnwise(monoid)).new()

    @property
    def number(self) -> DataType:
        """The type that counts: INT64 for BOOL."""
        return INT64 if self.x.dtype is BOOL else self.x.dtype


def _same(dtype: DataType) -> DataType:
    return dtype


def _number(dtype: DataType) -> DataType:
    return INT64 if dtype is BOOL else dtype


def _sum_type(dtype: DataType) -> DataType:
    return FP64 if is_floating(dtype) else INT64


def _mean(dtype: DataType) -> DataType:
    return dtype if is_floating(dtype) else FP64


def _always(dtype: DataType) -> Callable[[DataType], DataType]:
    return lambda _: dtype


def _map(x: Any, name: str, function: Callable[[float], float]) -> Any:
    return function(x) if isinstance(x, (int, float)) else x.apply(name).new()


def _root(x: Any) -> Any:
    return _map(x, "sqrt", math.sqrt)


def _square(x: Any) -> Any:
    return x.ewise_mult(x, "times")


def _count(r: Reducer) -> Any:
    if r.form == "scalar":
        return r.x.nvals
    counts = Vector(INT64, r.x.nrows if r.form == "rowwise" else r.x.ncols)
    library.call("Grid_Matrix_degree", counts, r.x.parent, (r.form == "columnwise") != r.x.is_transposed)
    return counts


def _nonzero(r: Reducer) -> Any:
    return r("plus", INT64, lambda _: r.x.apply("ne", 0).new().apply("identity[INT64]"))


def _zero(r: Reducer) -> Any:
    return r("plus", INT64, lambda _: r.x.apply("eq", 0).new().apply("identity[INT64]"))


def _squares(r: Reducer) -> Any:
    return r("plus", _sum_type(r.x.dtype), _square)


def _divide(x: Any, y: Any) -> Any:
    """A quotient as of vectors: by zero an infinity or NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(x) / np.float64(y)) if isinstance(x, (int, float)) else x / y


def _average(r: Reducer) -> Any:
    return r("plus", FP64) / _count(r)


def _range(r: Reducer) -> Any:
    most, least = r("max"), r("min")
    if r.form == "scalar":
        return Scalar.from_value(most, r.x.dtype).apply("minus", Scalar.from_value(least, r.x.dtype)).new()
    return most - least


def _variance(r: Reducer, free: int) -> Any:
    """Around the mean, so that no large squares cancel."""
    count = _count(r)
    mean = r("plus", FP64) / count
    if r.form == "scalar":
        return r("plus", FP64, lambda y: _square((y - mean).new())) / (count - free) if count > free else math.nan
    mean = mean.new()
    y = r.x.dup(FP64)
    diagonal = mean.diag()
    ones = y.apply("one").new()
    means = (diagonal.mxm(ones) if r.form == "rowwise" else ones.mxm(diagonal)).new()
    apart = _square((y - means).new()).new()
    return Reducer(apart, r.form)("plus") / (count - free)


_KNOWN = {
    name: Aggregator(name, result, finish)
    for name, result, finish in (
        ("sum", _number, lambda r: r("plus", r.number)),
        ("prod", _same, lambda r: r("times")),
        ("all", _always(BOOL), lambda r: r("land")),
        ("any", _always(BOOL), lambda r: r("lor")),
        ("min", _same, lambda r: r("min")),
        ("max", _same, lambda r: r("max")),
        ("any_value", _same, lambda r: r("any")),
        ("bitwise_all", _same, lambda r: r("band")),
        ("bitwise_any", _same, lambda r: r("bor")),
        ("exists", _same, lambda r: r("any", None, lambda y: y.apply("one"))),
        ("count", _always(INT64), _count),
        ("count_nonzero", _always(INT64), _nonzero),
        ("count_zero", _always(INT64), _zero),
        ("sum_of_squares", _sum_type, _squares),
        ("sum_of_inverses", _always(FP64), lambda r: r("plus", FP64, lambda y: y.apply("minv"))),
        ("mean", _mean, _average),
        ("peak_to_peak", _same, _range),
        ("varp", _mean, lambda r: _variance(r, 0)),
        ("vars", _mean, lambda r: _variance(r, 1)),
        ("stdp", _mean, lambda r: _root(_variance(r, 0))),
        ("stds", _mean, lambda r: _root(_variance(r, 1))),
        ("L0norm", _always(INT64), _nonzero),
        ("L1norm", _number, lambda r: r("plus", r.number, lambda y: y.apply("abs"))),
        ("L2norm", _always(FP64), lambda r: _root(r("plus", FP64, _square))),
        ("hypot", _always(FP64), lambda r: _root(r("plus", FP64, _square))),
        ("Linfnorm", _same, lambda r: r("max", None, lambda y: y.apply("abs"))),
        ("root_mean_square", _mean, lambda r: _root(r("plus", FP64, _square) / _count(r))),
        ("harmonic_mean", _always(FP64), lambda r: _divide(_count(r), r("plus", FP64, lambda y: y.apply("minv")))),
        ("geometric_mean", _mean, lambda r: _map(r("plus", FP64, lambda y: y.apply("log")) / _count(r), "exp", math.exp)),
    )
}


def get(name: str) -> Aggregator | None:
    """The aggregator of this name, or None."""
    return _KNOWN.get(name)


def __getattr__(name: str) -> Aggregator:
    if name not in _KNOWN:
        raise AttributeError(f"no aggregator is called {name!r}")
    return _KNOWN[name]


def __dir__() -> list[str]:
    return sorted(_KNOWN)
