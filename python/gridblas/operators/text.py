"""Operators from C text: compiled by the C compiler for this process. They are passed to the library as text, too,
which compiles kernels from it for products, apply and element-wise operations, on the CPU and on the GPU."""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any

from .. import library
from .._declarations import TYPES, ffi
from ..dtypes import DataType, lookup_dtype
from ..core.operand import describe_value
from .base import BinaryOp, IndexUnaryOp, Operator, TypedOperator, UnaryOp

PRELUDE = """#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
typedef uint64_t GrB_Index;
"""
CLASSES = {"UnaryOp": UnaryOp, "BinaryOp": BinaryOp, "IndexUnaryOp": IndexUnaryOp}
# In C's order: the result, the first operand, (indices,) the second.
OPERANDS = {"UnaryOp": 2, "BinaryOp": 3, "IndexUnaryOp": 3}
_BY_C = {c_type: name for name, c_type in TYPES.items()}


def _compiler() -> str:
    """The compiler that the library would take: $GRIDBLAS_CC, else the first of cc, gcc and clang."""
    import shutil

    chosen = os.environ.get("GRIDBLAS_CC")
    for name in [chosen] if chosen else ["cc", "gcc", "clang"]:
        path = None if name == "off" else shutil.which(name)
        if path:
            return path
    raise RuntimeError("an operator given as C text wants a C compiler (cc, gcc, clang or $GRIDBLAS_CC); there is none")


def compiled(name: str, text: str) -> tuple[Any, Any]:
    """The address of the function `name` that the text defines, and the library that holds it."""
    import subprocess  # here, so that `import gridblas` does not load them
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="gridblas-") as folder:  # a loaded library needs no file
        source, made = Path(folder, "operator.c"), Path(folder, "operator.so")
        source.write_text(PRELUDE + text + "\n")
        command = [_compiler(), "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-Wl,-z,defs", "-o", str(made), str(source), "-lm"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise ValueError(f"the text of {name} does not compile:\n{result.stderr.replace(str(source), name)}")
        holder = ctypes.CDLL(str(made))  # finds symbols that no declaration names
    return ffi.cast("void *", ctypes.cast(getattr(holder, name), ctypes.c_void_p).value), holder


def signature(kind: str, text: str) -> tuple[str, list[DataType]]:
    """The name of the function that the text defines last, and the types of its result and operands."""
    found = re.findall(r"void\s+(\w+)\s*\(([^)]*)\)\s*\{", text)
    if not found:
        raise ValueError(f"no function `void NAME(...) {{` in the text of an operator: {text!r}")
    name, arguments = found[-1]
    words = [re.findall(r"\w+", argument) for argument in arguments.split(",")]
    types = [next(word for word in part if word not in ("const", "restrict")) for part in words if part]
    if kind == "IndexUnaryOp":
        if len(types) != 5 or types[2:4] != ["GrB_Index", "GrB_Index"]:
            raise ValueError(f"{name}: an index-unary operator has operands (Z *z, const X *x, GrB_Index i, GrB_Index j, const Y *y)")
        del types[2:4]
    if len(types) != OPERANDS[kind]:
        raise ValueError(f"{name}: {kind} has {OPERANDS[kind]} operands, the text has {len(types)}")
    unknown = [c_type for c_type in types if c_type not in _BY_C]
    if unknown:
        raise ValueError(f"{name}: no such type: {unknown[0]}; there are {', '.join(_BY_C)}")
    return name, [lookup_dtype(_BY_C[c_type]) for c_type in types]


def typed(parent: Operator, kind: str, text: str, dtype: DataType) -> TypedOperator:
    """The operator that a text defines."""
    name, types = signature(kind, text)
    address, holder = compiled(name, text)
    function = ffi.cast(ffi.typeof(library.symbol(f"Grid_{kind}_new")).args[1], address)
    words = (name.encode(), text.encode())
    owner = library.make(f"GrB_{kind}", f"Grid_{kind}_new", function, *types, *words)
    return TypedOperator(parent, dtype, types[0], owner[0], (owner, holder, words))


def register(namespaces: list[Any], kind: str, name: str | None, texts: str | list[str]) -> Operator:
    """An operator with a form for each text; an operand of another type is cast to the first form that numpy would cast it to,
    or to the last."""
    if not isinstance(texts, str) and not (isinstance(texts, (list, tuple)) and texts and all(isinstance(t, str) for t in texts)):
        raise TypeError(f"{kind}: the C text of a function, or a list of such texts, is expected, not {describe_value(texts)}")
    forms = {signature(kind, text)[1][1]: text for text in ([texts] if isinstance(texts, str) else texts)}

    def find(parent: Operator, dtype: DataType) -> TypedOperator:
        import numpy as np

        fitting = [form for form in forms if np.can_cast(dtype.np_type, form.np_type)]
        chosen = dtype if dtype in forms else (fitting or list(forms))[0 if fitting else -1]
        return typed(parent, kind, forms[chosen], dtype) if chosen is dtype or chosen not in parent._typed else _like(parent[chosen], dtype)

    op = CLASSES[kind](name or signature(kind, next(iter(forms.values())))[0], find)
    if name:
        for namespace in namespaces:
            namespace.add(op)
    return op


def _like(form: TypedOperator, dtype: DataType) -> TypedOperator:
    return TypedOperator(form.parent, dtype, form.return_type, form.handle, form.keep)
