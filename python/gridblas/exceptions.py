"""The library's errors as exceptions: each has the sentence that the library found (GrB_error)."""

from __future__ import annotations


class GraphblasException(Exception):
    """What all errors of the library have in common."""


class NoValue(GraphblasException):
    """There is no entry at that position."""


class UninitializedObject(GraphblasException):
    """An argument is no live object."""


class NullPointer(GraphblasException):
    """A needed argument is missing."""


class InvalidValue(GraphblasException, ValueError):
    """A value that is not allowed there; duplicates without an operator that combines them."""


class InvalidIndex(GraphblasException, IndexError):
    """A single index outside of its dimension."""


class DomainMismatch(GraphblasException, TypeError):
    """Types that do not fit an operation."""


class DimensionMismatch(GraphblasException, ValueError):
    """Shapes that do not fit each other."""


class OutputNotEmpty(GraphblasException):
    """An object to be built has entries already."""


class NotImplementedException(GraphblasException, NotImplementedError):
    """The library lacks this."""


class AlreadySet(GraphblasException):
    """A field that can be set only once."""


class Panic(GraphblasException):
    """A message between processes failed, or the library does not run."""


class OutOfMemory(GraphblasException, MemoryError):
    """Memory ran out on some process."""


class InsufficientSpace(GraphblasException):
    """An output array is too short."""


class InvalidObject(GraphblasException):
    """These are not the bytes of a matrix."""


class IndexOutOfBound(GraphblasException, IndexError):
    """An index of a list lies outside of its dimension."""


class EmptyObject(GraphblasException):
    """A scalar is empty that must have a value."""


def __dir__() -> list[str]:
    return sorted(name for name, x in globals().items() if isinstance(x, type))


# By the names of the C API's constants, where they are spelt otherwise.
_SPELT = {
    "NOT_IMPLEMENTED": NotImplementedException,
    "INDEX_OUT_OF_BOUNDS": IndexOutOfBound,
}


def named(constant: str) -> type[GraphblasException]:
    """The class of exceptions for an outcome: GrB_DOMAIN_MISMATCH -> DomainMismatch."""
    name = constant.removeprefix("GrB_")
    if name in _SPELT:
        return _SPELT[name]
    found = globals().get("".join(word.capitalize() for word in name.split("_")))
    return found if isinstance(found, type) else GraphblasException
