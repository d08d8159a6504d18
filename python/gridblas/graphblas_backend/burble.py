"""Diagnostic output of the library, switched on and off."""

from __future__ import annotations

from typing import Any

from .. import exceptions, library
from .api import ffi, lib


class Burble:
    """Diagnostic output, for a block of calls or until it is disabled.

    >>> with burble():
    ...     C << A.mxm(B)
    """

    def __init__(self) -> None:
        self._states: list[bool] = []

    @property
    def is_enabled(self) -> bool:
        """Whether the library prints diagnostics."""
        value = ffi.new("int32_t *")
        _check(lib.GxB_Global_Option_get_INT32(lib.GxB_BURBLE, value))
        return bool(value[0])

    def enable(self) -> None:
        """Switches diagnostics on."""
        _check(lib.GxB_Global_Option_set_INT32(lib.GxB_BURBLE, 1))

    def disable(self) -> None:
        """Switches diagnostics off."""
        _check(lib.GxB_Global_Option_set_INT32(lib.GxB_BURBLE, 0))

    def __call__(self) -> Burble:
        return self

    def __enter__(self) -> Burble:
        self._states.append(self.is_enabled)
        if not self._states[-1]:
            self.enable()
        return self

    def __exit__(self, *_: Any) -> None:
        if not self._states.pop():
            self.disable()

    def __reduce__(self) -> str:
        return "burble"

    def __repr__(self) -> str:
        return f"<burble is_enabled={self.is_enabled}>"


def _check(info: int) -> None:
    if info < 0:
        code = ffi.string(library.lib.Grid_info_name(info)).decode()
        raise exceptions.named(code)(library.last_error() or code)


burble = Burble()
