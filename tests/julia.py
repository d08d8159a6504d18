"""examples/bfs.jl without Julia: its types of arguments are those of the C headers, and the calls are made by ctypes with these types. Where there is a Julia,
it runs the file itself, too. julia.py SOURCE_DIR LIBRARY C_COMPILER"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

program, library = Path(sys.argv[1]) / "examples/bfs.jl", sys.argv[2]
preprocess = [sys.argv[3], "-E", "-P", f"-I{sys.argv[1]}/include", "-include", "GraphBLAS.h", "-include", "gridblas.h", "-xc", "/dev/null"]
headers = subprocess.run(preprocess, check=True, capture_output=True, text=True).stdout
functions = {f[2]: (f[1], f[3]) for f in (re.fullmatch(r"\s*([^()]*\W)(\w+)\(([^()]*)\)", part) for part in headers.split(";")) if f}
TYPES = {  # of Julia: that of ctypes, and those of C
    "Object": (ctypes.c_void_p, r"GrB_(?!Index|Mode|Info)\w+"),
    "Index": (ctypes.c_uint64, "GrB_Index"),
    "Cint": (ctypes.c_int, "int|GrB_(Mode|Info)"),
    "Int32": (ctypes.c_int32, "int32_t"),
    "Bool": (ctypes.c_bool, "bool|_Bool"),
    "Cstring": (ctypes.c_char_p, r"char \*"),
}
lib = ctypes.CDLL(library)


def ctype(name, declaration):
    """The type of ctypes for one of Julia, which fits the C declaration."""
    inner = re.fullmatch(r"(?:Ref|Ptr)\{(\w+)\}", name)
    kind, c_type = TYPES[inner[1] if inner else name]
    assert re.match(rf"(const )?({c_type})( \*\w*$|\[\]$|$)" if inner else rf"(const )?({c_type})( \w+)?$", declaration), (name, declaration)
    return ctypes.POINTER(kind) if inner else kind


def declare(text):
    """Sets the types of each function that the text calls; a second call of one has the same types."""
    declared = {}
    for name, arguments, result in re.findall(r"@ccall lib\.(\w+)\(((?:[^()]|\([^()]*\))*)\)::(\w+)", text):
        c_result, c_arguments = functions[name]
        wanted = [] if c_arguments == "void" else [" ".join(a.split()) for a in c_arguments.split(",")]
        julia = re.findall(r"::([\w{}]+)", arguments)
        assert len(julia) == len(wanted), (name, julia, wanted)
        types = [ctype(*pair) for pair in zip(julia, wanted)]
        assert declared.setdefault(name, types) == types, name
        getattr(lib, name).argtypes, getattr(lib, name).restype = types, ctype(result, c_result.strip())
    return declared


def call(name, *arguments):
    assert name in declared, name
    assert getattr(lib, name)(*arguments) == 0, (name, lib.Grid_last_error())


def value(name):
    """A predefined object's handle."""
    return ctypes.c_void_p.in_dll(lib, name)


def bfs(edges, n, source):
    number, count = ctypes.c_uint64, len(edges)
    A, frontier, level, found = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), number(1)
    rows, columns = ((number * count)(*(edge[k] for edge in edges)) for k in (0, 1))
    call("GrB_Matrix_new", A, value("GrB_BOOL"), n, n)
    call("GrB_Matrix_build_BOOL", A, rows, columns, (ctypes.c_bool * count)(*[True] * count), count, value("GrB_LOR"))
    call("GrB_Vector_new", frontier, value("GrB_BOOL"), n)
    call("GrB_Vector_new", level, value("GrB_INT32"), n)
    call("GrB_Vector_setElement_BOOL", frontier, True, source)
    everything = ctypes.cast(value("GrB_ALL"), ctypes.POINTER(number))
    depth = 0
    while found.value > 0:
        call("GrB_Vector_assign_INT32", level, frontier, None, depth, everything, n, value("GrB_DESC_S"))
        call("GrB_vxm", frontier, level, None, value("GrB_LOR_LAND_SEMIRING_BOOL"), frontier, A, value("GrB_DESC_RSC"))
        call("GrB_Vector_nvals", found, frontier)
        depth += 1
    call("GrB_Vector_nvals", found, level)
    vertices, levels = (number * found.value)(), (ctypes.c_int32 * found.value)()
    call("GrB_Vector_extractTuples_INT32", vertices, levels, found, level)
    for name, handle in (("GrB_Matrix_free", A), ("GrB_Vector_free", frontier), ("GrB_Vector_free", level)):
        call(name, handle)
        assert not handle.value
    return dict(zip(vertices, levels))


text = program.read_text()
declared = declare(text)
assert len(declared) == len(set(re.findall(r"@ccall lib\.(\w+)", text))) > 10, declared
for name in re.findall(r"object\(:(\w+)\)", text):
    assert value(name).value, name
call("GrB_init", 0)
edges = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (6, 7)]
levels = bfs(edges + [(b, a) for a, b in edges], 8, 0)
assert levels == {0: 0, 1: 1, 3: 1, 2: 2, 4: 2, 5: 3}, levels
call("GrB_finalize")
print(f"{len(declared)} functions of {program.name}, called by ctypes")
if shutil.which("julia"):
    output = subprocess.run(["julia", program], env={**os.environ, "GRIDBLAS_LIBRARY": library}, check=True, capture_output=True, text=True).stdout
    assert "vertex 5: level 3\n" in output and output.count("level") == 6, output
    print("the same by Julia")
