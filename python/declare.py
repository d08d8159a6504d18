"""Makes gridblas/_declarations.py from the library's public headers: what cffi declares comes from them alone.

Usage: declare.py INCLUDE_DIR OUTPUT VERSION [COMPILER]

The file has `ffi` (cffi's out-of-line form without a compiler), OBJECTS (name of each predefined object: its kind), TYPES (name of each
predefined type: its C type), ALGORITHMS (name of each function of gridblas_algos.h: its parameters) and VERSION.
"""

import re
import subprocess
import sys
from pathlib import Path

from cffi import FFI

PROGRAM = """#include "gridblas.h"
#include "gridblas_algos.h"
#define NAME_OF_TYPE(T, C) GRIDBLAS_TYPE(T, C)
GRID_TYPES(NAME_OF_TYPE)
"""


def preprocess(include: Path, compiler: str) -> str:
    """The headers' own text behind the preprocessor: what the system's headers add is left out."""
    command = [compiler, "-std=c11", "-E", "-I", str(include), "-x", "c", "-"]
    text = subprocess.run(command, input=PROGRAM, capture_output=True, text=True, check=True).stdout
    kept, ours = [], True
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            name = marker.group(1)
            ours = name == "<stdin>" or Path(name).parent == include
        elif ours and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def algorithms(header: Path) -> dict[str, list[str]]:
    """Each function of a header, and its parameters."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    functions = re.findall(r"GrB_Info (Grid_\w+)\(([^)]*)\);", text)
    return {name: [" ".join(word.split()) for word in words.split(",")] for name, words in functions}


def main() -> None:
    include, output, version = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3]
    text = preprocess(include, sys.argv[4] if len(sys.argv) > 4 else "cc")
    types = {name: c.replace("_Bool", "bool") for name, c in re.findall(r"GRIDBLAS_TYPE\(\s*(\w+),\s*(\w+)\s*\)", text)}
    text = re.sub(r"GRIDBLAS_TYPE\([^)]*\)", "", text)
    objects = {name: kind for kind, name in re.findall(r"extern (GrB_\w+) (?:grid_)?(\w+);", text)}
    output.parent.mkdir(parents=True, exist_ok=True)

    ffi = FFI()
    ffi.cdef(text)
    ffi.set_source("gridblas._declarations", None)
    ffi.emit_python_code(str(output))
    with output.open("a") as file:
        file.write(f"\nTYPES = {types!r}\nOBJECTS = {objects!r}\n")
        file.write(f"ALGORITHMS = {algorithms(include / 'gridblas_algos.h')!r}\nVERSION = {version!r}\n")


main()
