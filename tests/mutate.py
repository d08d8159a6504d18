"""mutate.py TREE SEED NUMBER TRY: makes one mutation in the C code of TREE and prints it: FILE:LINE, the line before, and after.

SEED, NUMBER and TRY determine it, so that a run can be repeated. semiring, spmat, dist and algos each get a share of the numbers. A mutation changes an
operator, a bound or a condition, removes a call, or swaps two arguments. Code that runs on a GPU only is left out.
"""

import random
import re
import sys
from pathlib import Path

FOLDERS = ["semiring", "spmat", "spmat", "dist", "dist", "algos"]
ON_GPU_ONLY = re.compile(r"spmat/cuda/|spmat/device/|_device[_.]|device_|dist/lookahead/|window|nccl")
OPERATORS = {" + ": " - ", " - ": " + ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
             " && ": " || ", " || ": " && ", " & ": " | ", " | ": " & ", " << ": " >> ", "++": "--", " += ": " = ", " |= ": " = "}  # fmt: skip
CODE = re.compile(r'//.*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.S)


def blank(match):
    return re.sub(r"[^\n]", "\0", match[0])


def code_lines(text):
    """The code inside functions: (start, end) of each line, without comments, strings and directives."""
    plain = CODE.sub(blank, text)
    depth, at, lines = 0, 0, []
    for line in plain.split("\n"):
        directive = line.lstrip().startswith("#") or line.rstrip().endswith("\\")
        if depth > 0 and not directive and line.strip("\0 {}"):
            lines.append((at, at + len(line), line))
        if not directive:
            depth += line.count("{") - line.count("}")
        at += len(line) + 1
    return lines


def changes(line):
    """All (start, end, replacement) of a line."""
    found = []
    for operator, other in OPERATORS.items():
        found += [(m.start(), m.end(), other) for m in re.finditer(re.escape(operator), line)]
    found += [(m.start(1), m.end(1), str(int(m[1]) + 1)) for m in re.finditer(r"(?<![\w.])(\d{1,4})(?![\w.])", line)]
    found += [(m.start(1), m.end(1), "!(" + m[1] + ")") for m in re.finditer(r"\bif \((.+)\) (?:return|continue|break|TRY|\{)", line)]
    found += [(m.start(), m.end(), "return GrB_SUCCESS; //") for m in re.finditer(r"^ *return grid_fail\(", line)]
    if re.match(r"^ +[a-z_]+\([^;]*\);$", line):
        found.append((0, len(line), ";"))
    found += [(m.start(1), m.end(2), m[2] + ", " + m[1]) for m in re.finditer(r"\w\((\w+), (\w+)[,)]", line)]
    return found


def main(tree, seed, number, attempt):
    draw = random.Random(f"{seed}.{number}.{attempt}")
    folder = FOLDERS[int(number) % len(FOLDERS)]
    files = [f for f in sorted((Path(tree) / folder).rglob("*.c")) if not ON_GPU_ONLY.search(str(f.relative_to(tree)))]
    sizes = [f.stat().st_size for f in files]
    while True:
        file = draw.choices(files, sizes)[0]
        text = file.read_text(encoding="utf-8")
        lines = code_lines(text)
        if not lines:
            continue
        start, end, line = draw.choice(lines)
        found = changes(line)
        if not found:
            continue
        kinds = sorted({other if other in OPERATORS.values() else "other" for _, _, other in found})
        kind = draw.choice(kinds)
        first, last, other = draw.choice([c for c in found if (c[2] if c[2] in OPERATORS.values() else "other") == kind])
        old = text[start:end]
        new = old[:first] + other + old[last:]
        if "\0" in other or new == old:
            continue
        file.write_text(text[:start] + new + text[end:], encoding="utf-8")
        print(f"{file.relative_to(tree)}:{text.count(chr(10), 0, start) + 1}\t{old.strip()}\t{new.strip()}")
        return


if __name__ == "__main__":
    main(*sys.argv[1:5])
