"""Masks: A.S counts entries by their presence, A.V by their value; ~mask is the complement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import library
from .operand import describe_value

if TYPE_CHECKING:
    from .collection import Collection


class Mask:
    """A matrix or vector as a mask."""

    __slots__ = ("parent", "structure", "complement")

    def __init__(self, parent: Collection, structure: bool, complement: bool = False) -> None:
        self.parent = parent
        self.structure = structure
        self.complement = complement

    @property
    def handle(self) -> Any:
        """The object of the C library."""
        return self.parent.handle

    def __invert__(self) -> Mask:
        return Mask(self.parent, self.structure, not self.complement)

    def __and__(self, other: Mask) -> Mask:
        """What both allow: a mask of a new object, which does not follow changes of theirs."""
        if not isinstance(other, Mask) or other.parent.ndim != self.parent.ndim:
            raise TypeError(f"mask & or |: another mask of a {self.parent.kind} is expected, not {_describe(other)}")
        if self.complement and other.complement:
            refused = (~self).new()
            refused(~other)[...] << True
            return Mask(refused, True, True)
        plain, second = (other, self) if self.complement else (self, other)
        allowed = self.parent._like("BOOL")
        allowed(second) << plain.new()
        return Mask(allowed, True)

    def __or__(self, other: Mask) -> Mask:
        """What one of them allows, or both."""
        return ~(~self & ~other if isinstance(other, Mask) else self & other)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.parent.name}.{'S' if self.structure else 'V'}"

    def new(self, dtype: Any = None) -> Any:
        """What the mask allows, as true entries of a new object."""
        from ..dtypes import BOOL

        made = self.parent._like(dtype or BOOL)
        made(self)[...] << True
        return made


def _describe(x: Any) -> str:
    if isinstance(x, Mask):
        return f"one of a {x.parent.kind}"
    return f"{describe_value(x)}; M.V is the mask of its values, M.S of its structure" if hasattr(x, "S") else describe_value(x)


def as_mask(mask: Any) -> Mask | None:
    """A mask, or a BOOL object as one by its values."""
    if mask is None or isinstance(mask, Mask):
        return mask
    from .collection import Collection
    from ..dtypes import BOOL
    from .expression import compute

    mask = compute(mask)
    if not isinstance(mask, Collection):
        raise TypeError(f"mask: M.S, M.V or a BOOL object M is expected, not {describe_value(mask)}")
    if mask.dtype is not BOOL:
        raise TypeError(f"mask: a BOOL object is expected, not {mask.dtype}; M.V is the mask of its values, M.S of its structure")
    return Mask(mask, False)


def check_mask(mask: Mask | None, out: Any) -> None:
    """A mask of a whole output has its dimensions."""
    if mask is not None and mask.parent.ndim != out.ndim:
        raise TypeError(f"mask: a {out.kind}'s mask is expected, not a {mask.parent.kind}'s")


def descriptor(mask: Mask | None, replace: bool, first: bool = False, second: bool = False) -> Any:
    """The predefined descriptor of these settings."""
    name = "R" if replace else ""
    if mask is not None:
        name += ("S" if mask.structure else "") + ("C" if mask.complement else "")
    name += ("T0" if first else "") + ("T1" if second else "")
    return library.symbol("GrB_DESC_" + name) if name else None
