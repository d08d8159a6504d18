"""Checks of a call's arguments, and the messages for wrong ones."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any


def similar(name: str, known: Iterable[str]) -> str:
    """The known name that is closest to a wrong one, as the end of a message; empty if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(name, sorted(known), 1, 0.75)
    return f"; did you mean {close[0]!r}?" if close else ""


def describe_value(x: Any) -> str:
    """A value in a message: numbers, short texts and names as they are, of everything else the type."""
    if isinstance(x, type):
        return f"the type {x.__name__}"
    if isinstance(x, (int, float, complex, bool, type(None))) or (isinstance(x, (str, bytes)) and len(x) < 40):
        return repr(x)
    name = type(x).__name__
    if name in ("function", "builtin_function_or_method", "method"):
        return "a Python function"
    return f"{'an' if name[0] in 'aeiouAEIOU' or name == 'ndarray' else 'a'} {name}"


# How a value of this type is converted to a gridblas object, for messages.
_MAKERS = {
    "ndarray": "gridblas.{}.from_dense makes one of an array",
    "list": "gridblas.{}.from_dense makes one of a list",
    "tuple": "gridblas.{}.from_dense makes one of a list",
    "dict": "gridblas.Vector.from_dict and Matrix.from_dicts make one of a dictionary",
}


def conversion_hint(x: Any, kind: str) -> str:
    """How x is converted to a gridblas object, as the end of a message."""
    if type(x).__module__.startswith("scipy.sparse"):
        return "; gridblas.io.from_scipy_sparse makes a Matrix of it"
    maker = _MAKERS.get(type(x).__name__)
    return "; " + maker.format(kind) if maker else ""


def check_real(what: str, x: Any) -> float:
    """A number of FP64."""
    try:
        if isinstance(x, str):
            raise TypeError
        return float(x)
    except TypeError:
        raise TypeError(f"{what}: a number is expected, not {describe_value(x)}") from None


def check_integer(what: str, x: Any, least: int = 0) -> int:
    """An integer of at least `least`, of 64 bits."""
    try:
        number = operator.index(x)
    except TypeError:
        raise TypeError(f"{what}: an integer is expected, not {describe_value(x)}") from None
    if number < least:
        raise ValueError(f"{what}: {number} is less than {least}")
    if number >= 2**63:
        raise ValueError(f"{what}: {number} does not fit 64 bits")
    return number
