"""What all operators are: a name, a kind, and for each type of operands an object of the C library."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ..dtypes import DataType, lookup_dtype
from ..core.expression import check_operand
from ..core.operand import describe_value, similar


def check_infix(op: Any, x: Any) -> Any:
    """x | y, x & y or x @ y, which is what an operator of two objects is applied to."""
    if not hasattr(type(x), "_with"):
        form = "x @ y" if op.kind == "Semiring" else "x | y or x & y"
        raise TypeError(f"{op!r}(...): {form} of two gridblas objects is expected, not {describe_value(x)}")
    return x


def call_checked(parent: Any, op: Any, *args: Any, **options: Any) -> Any:
    """The result of an operator's call; the error for a wrong number of arguments names the operator."""
    try:
        inspect.signature(parent._apply).bind(op, *args, **options)
    except TypeError as error:
        raise TypeError(f"{op!r}(...): {error}") from None
    return parent._apply(op, *args, **options)


class TypedOperator:
    """An operator for operands of one type."""

    __slots__ = ("parent", "type", "return_type", "keep", "_handle")

    def __init__(self, parent: Operator, dtype: DataType, return_type: DataType, handle: Any, keep: Any = None) -> None:
        self.parent = parent
        self.type = dtype
        self.return_type = return_type
        self._handle = handle
        self.keep = keep  # the C object refers to these

    @property
    def handle(self) -> Any:
        """The object of the C library."""
        return self._handle

    @property
    def name(self) -> str:
        """The name of the operator."""
        return self.parent.name

    @property
    def kind(self) -> str:
        """The kind: "BinaryOp", "Monoid", ..."""
        return self.parent.kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_checked(self.parent, self, *args, **kwargs)

    def __repr__(self) -> str:
        return f"{self.parent!r}[{self.type}]"

    def __reduce__(self) -> Any:
        return operator.getitem, (self.parent, self.type)


class Operator:
    """An operator whatever the type: binary.plus. binary.plus[FP64] is the one for FP64; a call makes an expression."""

    kind = ""
    module = ""

    def __init__(self, name: str, find: Callable[[Operator, DataType], TypedOperator | None]) -> None:
        self.name = name
        self._find = find
        self._typed: dict[DataType, TypedOperator | None] = {}

    def __getitem__(self, dtype: Any) -> TypedOperator:
        dtype = lookup_dtype(dtype)
        if dtype not in self._typed:
            self._typed[dtype] = self._find(self, dtype)
        typed = self._typed[dtype]
        if typed is None:
            raise KeyError(f"{self!r} has no form for {dtype}")
        return typed

    def __contains__(self, dtype: Any) -> bool:
        try:
            self[dtype]
        except (KeyError, TypeError):
            return False
        return True

    @property
    def types(self) -> dict[DataType, DataType]:
        """Type of the operands: type of the result."""
        from ..dtypes import _BY_NAME

        return {dtype: self[dtype].return_type for dtype in _BY_NAME.values() if dtype in self}

    def __repr__(self) -> str:
        return f"{self.module or self.kind.lower()}.{self.name}"

    def __copy__(self) -> Operator:
        return self

    def __deepcopy__(self, memo: Any) -> Operator:
        return self

    def __reduce__(self) -> Any:
        from .lookup import named

        if named(self.module, self.name) is not self:
            raise TypeError(f"{self!r} cannot be pickled: no operator of this name is registered")
        return named, (self.module, self.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_checked(self, self, *args, **kwargs)

    def _apply(self, op: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self!r} can't be called")


class UnaryOp(Operator):
    """z = f(x)."""

    kind, module = "UnaryOp", "unary"

    def _apply(self, op: Any, x: Any) -> Any:
        return check_operand(repr(op), x, "Matrix", "Vector", "Scalar").apply(op)


class BinaryOp(Operator):
    """z = f(x, y)."""

    kind, module = "BinaryOp", "binary"

    def _apply(self, op: Any, x: Any, y: Any = None, **options: Any) -> Any:
        if y is None:
            return check_infix(op, x)._with(op, **options)
        if getattr(x, "ndim", 0) and getattr(y, "ndim", 0):
            raise TypeError(f"{op!r}(x, y): x or y is a number; of two objects {op!r}(x | y) is the union, {op!r}(x & y) the intersection")
        if getattr(y, "ndim", 0):
            return check_operand(repr(op), y, "Matrix", "Vector").apply(op, left=x)
        return check_operand(repr(op), x, "Matrix", "Vector", "Scalar").apply(op, right=y)

    @property
    def monoid(self) -> Any:
        """The monoid of the same name, or None."""
        from .. import monoid

        return monoid.get(self.name)


class IndexUnaryOp(Operator):
    """z = f(x, i, j, y): of an entry, its position and a scalar."""

    kind, module = "IndexUnaryOp", "indexunary"

    def _apply(self, op: Any, x: Any, thunk: Any = None) -> Any:
        return check_operand(repr(op), x, "Matrix", "Vector").apply(op, thunk)


class SelectOp(Operator):
    """The same with a boolean result: entries with True are kept."""

    kind, module = "SelectOp", "select"

    def _apply(self, op: Any, x: Any, thunk: Any = None) -> Any:
        return check_operand(repr(op), x, "Matrix", "Vector").select(op, thunk)


class Monoid(Operator):
    """An associative and commutative operator with its identity."""

    kind, module = "Monoid", "monoid"

    @property
    def binaryop(self) -> BinaryOp:
        """The operator without its identity."""
        from .. import binary

        return getattr(binary, self.name)

    def _apply(self, op: Any, x: Any, y: Any = None, **options: Any) -> Any:
        return self.binaryop(x, y) if y is not None else check_infix(op, x)._with(op, **options)


class Semiring(Operator):
    """A monoid that adds what an operator has multiplied."""

    kind, module = "Semiring", "semiring"

    def __init__(self, name: str, add: Operator, mul: Operator | None, find: Any) -> None:
        super().__init__(name, find)
        self.add = add
        self.mul = mul

    @property
    def monoid(self) -> Operator:
        """What adds."""
        return self.add

    @property
    def binaryop(self) -> Operator | None:
        """What multiplies."""
        return self.mul

    def _apply(self, op: Any, x: Any) -> Any:
        return check_infix(op, x)._with(op)


class Namespace:
    """Operators of one kind by name, created at their first use."""

    def __init__(self, kind: str, make: Callable[[str], Operator | None], names: Callable[[], list[str]]) -> None:
        self.kind = kind
        self._make = make
        self._names = names
        self._known: dict[str, Operator] = {}

    def get(self, name: str) -> Operator | None:
        """The operator of this name, or None."""
        if name not in self._known:
            made = None if name.startswith("__") else self._make(name)
            if made is None:
                return None
            self._known[name] = made
        return self._known[name]

    def attribute(self, name: str) -> Operator:
        """The operator of this name, as an attribute of a module."""
        found = self.get(name)
        if found is None:
            raise AttributeError(f"no {self.kind} is called {name!r}{similar(name, self.names())}")
        return found

    def add(self, op: Operator) -> Operator:
        """Takes a new operator in."""
        if self.get(op.name) is not None:
            raise ValueError(f"there is a {self.kind} {op.name!r} already")
        self._known[op.name] = op
        return op

    def names(self) -> list[str]:
        """All registered names."""
        return sorted({*self._names(), *self._known})

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())
