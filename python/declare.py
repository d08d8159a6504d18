"""Generates gridblas/_declarations.py, cffi's declarations, from the library's public headers.

Usage: declare.py INCLUDE_DIR OUTPUT VERSION [COMPILER [OPTION...]]

The file has `ffi` (cffi's out-of-line form without a compiler), OBJECTS (name of each predefined object of the standard, or beginning with
Grid_: its kind), TYPES (name of each predefined type: its C type), ALGORITHMS (name of each function of gridblas_algos.h: its parameters),
CONSTANTS and ALIASES (the headers' macros for a value or another name), COMPLEX_ARGUMENTS (name of each function that takes complex numbers:
their positions) and VERSION.

Beside it algorithms/from_header.py gets a function for each algorithm that no file of gridblas/algorithms has: with the parameters of its
declaration, and its comment as docstring.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = """#include "gridblas.h"
#include "gridblas_algos.h"
#define NAME_OF_TYPE(T, C) GRIDBLAS_TYPE(T, C)
GRID_TYPES(NAME_OF_TYPE)
"""


def run_preprocessor(include: Path, compiler: list[str], program: str, *options: str) -> str:
    command = [*compiler, "-std=c11", "-E", *options, "-I", str(include), "-x", "c", "-"]
    return subprocess.run(command, input=program, capture_output=True, text=True, check=True).stdout


def preprocess(include: Path, compiler: list[str]) -> str:
    """The preprocessed text of the public headers, without that of system headers."""
    text = run_preprocessor(include, compiler, PROGRAM)
    kept, is_kept = [], True
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            name = marker.group(1)
            is_kept = name == "<stdin>" or Path(name).parent == include
        elif is_kept and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def number_of(expression: str) -> int | float | str | None:
    """The value of a C constant expression: arithmetic of numbers, casts to integer types, strings. None if it is something else."""
    if re.fullmatch(r'("[^"]*"\s*)+', expression):
        return "".join(re.findall(r'"([^"]*)"', expression)).encode().decode("unicode_escape")
    plain = re.sub(r"\(\s*(GrB_Index|u?int(8|16|32|64)_t|size_t|int|double|unsigned)\s*\)", "", expression)
    plain = re.sub(r"\b(0x[0-9a-fA-F]+|[0-9][0-9.eE]*)[uUlL]*", r"\1", plain)
    if not re.fullmatch(r"[-+*/%()<>&|~ .0-9a-fA-FxeE]+", plain):
        return None
    try:
        value = eval(plain, {"__builtins__": {}})  # numbers and operators alone
    except (SyntaxError, NameError, TypeError):
        return None
    return value if isinstance(value, (int, float)) else None


def macros(include: Path, compiler: list[str]) -> tuple[dict[str, int | float | str], dict[str, str]]:
    """The public macros without parameters: those with a value, and those that stand for another name."""
    listing = run_preprocessor(include, compiler, PROGRAM, "-dM")
    names = sorted(set(re.findall(r"^#define ((?:GrB|GxB|GRB|GXB)_\w+) ", listing, flags=re.M)))
    program = PROGRAM + "".join(f'PUBLIC_MACRO "{name}" {name}\n' for name in names)
    text = run_preprocessor(include, compiler, program, "-P")  # no line of a macro is split by markers
    values, aliases = {}, {}
    for name, expansion in re.findall(r'^PUBLIC_MACRO "(\w+)" +(.+?) *$', text, flags=re.M):
        if (value := number_of(expansion)) is not None:
            values[name] = value
        elif re.fullmatch(r"[A-Za-z]\w*", expansion):
            aliases[name] = expansion
    return values, aliases


# A complex number that is passed by value.
COMPLEX = r"(?:GxB_FC(?:32|64)_t|(?:float|double) _Complex)"


def complex_arguments(text: str) -> tuple[str, dict[str, list[int]]]:
    """The declarations with structures in place of complex arguments, and each such function's positions of them.

    libffi, which cffi uses without a compiler, passes no complex numbers. The structure of the two parts is passed in the same registers
    (System V ABI of x86-64, AAPCS64).
    """
    found = {}

    def declaration(match: re.Match) -> str:
        words = [" ".join(word.split()) for word in match[2].split(",")]
        positions = [k for k, word in enumerate(words) if re.fullmatch(rf"{COMPLEX} \w+", word)]
        if not positions:
            return match[0]
        found[match[1]] = positions
        for k in positions:
            words[k] = ("GRID_FC64_value" if re.search("64|double", words[k]) else "GRID_FC32_value") + " value"
        return f"{match[1]}({', '.join(words)});"

    text = re.sub(r"(\w+)\s*\(([^()]*)\)\s*;", declaration, text)
    parts = "typedef struct { float re, im; } GRID_FC32_value; typedef struct { double re, im; } GRID_FC64_value;"
    return f"{parts}\n{text}", found


def docstring(comment: str) -> str:
    """A function's comment for Python: its paragraphs and its list of parameters, without what concerns C alone (errors, NULL, pointers)."""
    blocks: list[tuple[bool, str]] = []  # whether it is a parameter; its words
    for line in re.sub(r"^ \* ?", "", comment, flags=re.M).splitlines():
        inside = line.startswith("  ")
        if not blocks or not line.strip() or re.match(r" {2}\w", line) or (blocks[-1][0] and not inside):
            blocks.append((inside, ""))
        blocks[-1] = (blocks[-1][0], f"{blocks[-1][1]} {line.strip()}".strip())
    text, after_parameter = "", False
    for is_parameter, words in blocks:
        words = re.sub(r"Errors: .*?(?=Collective|Sources?:|$)|Collective\. ?|if not NULL: | \(Grid_\w+\)", "", words)
        words = re.sub(r"^(\w+) +\*\1 becomes ", r"\1 ", words)
        words = re.sub(r"\*(\w+) becomes", r"\1 becomes", words).strip()
        if is_parameter:
            name, _, what = words.partition(" ")
            words = f"{name}  {what.strip()}"
        words = "\n".join(textwrap.wrap(words, 120, subsequent_indent="    " if is_parameter else ""))
        if words:
            text += ("" if not text else "\n" if is_parameter and after_parameter else "\n\n") + words
            after_parameter = is_parameter
    return text


def algorithms(header: Path) -> dict[str, tuple[list[str], str]]:
    """Each function of a header: its parameters, and the comment above it."""
    functions = re.findall(r"(?:/\*((?:(?!\*/).)*?)\*/\n)?GrB_Info (Grid_\w+)\(([^)]*)\);", header.read_text(), flags=re.S)
    return {name: ([" ".join(word.split()) for word in words.split(",")], comment) for comment, name, words in functions}


def python_name(parameter: str) -> str:
    name = re.split(r"[ *]", parameter)[-1]
    return f"{name}_" if name == "lambda" else name


def from_header(header: Path, package: Path) -> str:
    """Python source: a function for each algorithm of the header that no file of the package's has."""
    written = {name for file in package.glob("algorithms/*.py") for name in re.findall(r"^def (\w+)", file.read_text(), flags=re.M)}
    source = '"""Algorithms as gridblas_algos.h declares them: made by declare.py."""\n\nfrom .call import algorithm as _algorithm\n'
    for name, (parameters, comment) in algorithms(header).items():
        name = name.removeprefix("Grid_")
        if name in written or not any("GrB_Matrix" in p for p in parameters):
            continue
        is_array = [p.startswith("const ") and "*" in p for p in parameters]
        outputs = ["*" in p and not array for p, array in zip(parameters, is_array)]
        lengths = [False, *is_array]  # the number of an array's elements comes after it
        inputs = [python_name(p) for p, output, length in zip(parameters, outputs, lengths) if not output and not length]
        text = docstring(comment).replace("\\", "\\\\")
        source += f'\n\n@_algorithm\ndef {name}({", ".join(inputs)}, *, only=None):\n    """{textwrap.indent(text, "    ").strip()}\n    """\n'
    return source


def main() -> None:
    from cffi import FFI  # the site, which reads docstrings alone, may lack it

    include, output, version = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3]
    compiler = sys.argv[4:] or ["cc"]
    text = preprocess(include, compiler)
    types = {name: c.replace("_Bool", "bool") for name, c in re.findall(r"GRIDBLAS_TYPE\(\s*(\w+),\s*(\w+)\s*\)", text)}
    text = re.sub(r"GRIDBLAS_TYPE\([^)]*\)", "", text)
    # The package has no complex types.
    objects = {name: kind for kind, name in re.findall(r"extern (GrB_\w+) (\w+);", text) if not re.search(r"_FC(32|64)|CMPLX", name)}
    values, aliases = macros(include, compiler)
    text, complex_positions = complex_arguments(text)
    # The structures have the names that python-graphblas looks for; malloc and free are for arrays that change hands.
    text = re.sub(r"\bstruct G[rx]B_(\w+)_opaque\b", r"struct GB_\1_opaque", text)
    text += "\nvoid *malloc(size_t size);\nvoid free(void *memory);\n"
    header = include / "gridblas_algos.h"
    output.parent.mkdir(parents=True, exist_ok=True)

    ffi = FFI()
    ffi.cdef(text, override=True)  # C allows a declaration twice
    ffi.set_source("gridblas._declarations", None)
    ffi.emit_python_code(str(output))
    with output.open("a") as file:
        file.write(f"\nTYPES = {types!r}\nOBJECTS = {objects!r}\n")
        parameters = {name: words for name, (words, _) in algorithms(header).items()}
        file.write(f"ALGORITHMS = {parameters!r}\nVERSION = {version!r}\n")
        file.write(f"CONSTANTS = {values!r}\nALIASES = {aliases!r}\nCOMPLEX_ARGUMENTS = {complex_positions!r}\n")
    (output.parent / "algorithms").mkdir(exist_ok=True)
    package = Path(__file__).resolve().parent / "gridblas"
    (output.parent / "algorithms" / "from_header.py").write_text(from_header(header, package))


if __name__ == "__main__":
    main()
