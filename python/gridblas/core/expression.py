"""Expressions: a deferred call, for `C << expression`, C(mask, accum) << expression` or `.new()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import library
from ..dtypes import DataType
from .mask import Mask, as_mask, check_mask, descriptor
from .operand import conversion_hint, describe_value


class Deferred:
    """What expression() gives an expression of."""

    __slots__ = ()


class Lazy(Deferred):
    """What stands for an object: new() computes it."""

    __slots__ = ()


class Expression(Lazy):
    """Creates an object of a kind ("Matrix", "Vector", "Scalar"), a type and a shape."""

    __slots__ = ("kind", "dtype", "shape", "_write", "_what")

    def __init__(self, kind: str, dtype: DataType, shape: tuple[int, ...], write: Callable[..., None], what: str) -> None:
        self.kind = kind
        self.dtype = dtype
        self.shape = shape
        self._write = write
        self._what = what

    @property
    def ndim(self) -> int:
        """The number of dimensions of the result."""
        return len(self.shape)

    def expression(self) -> Expression:
        """The expression itself."""
        return self

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **options: Any) -> Any:
        """Computes it into a new object."""
        made = empty(self.kind, dtype or self.dtype, self.shape, name)
        self.write(made, as_mask(mask), None, False)
        return made

    dup = new

    def write(self, out: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
        """out<mask> accum= this."""
        if type(out).__name__ != self.kind:
            raise TypeError(f"C << x: x gives a {self.kind}, and C is a {type(out).__name__}")
        check_mask(mask, out)
        self._write(out, mask, accum, replace)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.new(), name)

    def __repr__(self) -> str:
        size = "" if not self.shape else " of " + " x ".join(map(str, self.shape))
        return f"gridblas.{self.kind}Expression: {self._what}, {self.dtype}{size}; `.new()` computes it"

    def __bool__(self) -> bool:
        return bool(self.new())

    def __int__(self) -> int:
        return int(self.new())

    def __float__(self) -> float:
        return float(self.new())

    def __getitem__(self, index: Any) -> Any:
        return self.new()[index]

    def __iter__(self) -> Any:
        return iter(self.new())

    def __contains__(self, index: Any) -> bool:
        return index in self.new()


def empty(kind: str, dtype: Any, shape: tuple[int, ...], name: str | None = None) -> Any:
    """A new object of a kind."""
    import gridblas

    return getattr(gridblas, kind)(dtype, *shape, name=name)


def compute(x: Any) -> Any:
    """An operand: an expression is computed first."""
    return x.new() if isinstance(x, Lazy) else x


def check_operand(call: str, x: Any, *kinds: str) -> Any:
    """The operand of a call, computed if it is an expression; a TypeError names the expected kinds ("Matrix", "Vector")."""
    if isinstance(x, Deferred):
        x = x.expression().new()
    if getattr(x, "kind", None) not in kinds or not hasattr(x, "nvals"):
        raise TypeError(f"{call}: a gridblas {' or '.join(kinds)} is expected, not {describe_value(x)}{conversion_hint(x, kinds[0])}")
    return x


def calls(
    kind: str,
    dtype: DataType,
    shape: tuple[int, ...],
    function: str,
    *args: Any,
    first: bool = False,
    second: bool = False,
    what: str = "",
) -> Expression:
    """An expression that is one call of the C library: function(out, mask, accum, args..., descriptor)."""

    def write(out: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
        if kind == "Scalar":
            library.call(function, out, accum, *args, None)
        else:
            library.call(function, out, mask, accum, *args, descriptor(mask, replace, first, second))

    return Expression(kind, dtype, shape, write, what or function)


def recipe(kind: str, dtype: DataType, shape: tuple[int, ...], make: Callable[[], Any], what: str) -> Expression:
    """An expression of several calls: `make` returns the object, or a plain value, that is then written."""

    def write(out: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
        from .update import put

        put(out, make(), mask, accum, replace)

    return Expression(kind, dtype, shape, write, what)
