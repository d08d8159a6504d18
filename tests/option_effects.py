#!/usr/bin/env python3
"""Every option that a command's help lists has an effect: code that the command reaches reads its field of `options`.

Usage: option_effects.py PROGRAM SOURCE_DIR. The code that a command reaches: from its row (its `run`, and an algorithm's other functions) every
function that is named there, and so on. The reading is that of the sources, of bench/ without the parser of options.
"""

import re
import subprocess
import sys
from pathlib import Path

program, source = sys.argv[1], Path(sys.argv[2])
FOLDERS = ("program", "command", "algorithm", "vertices", "check", "validate")
# Options that main() applies before any command runs, and the function with which they have an effect.
APPLIED_BY_MAIN = {"grid": "graph_build", "device-memory": "graph_build", "memory": "graph_generate", "threads": "", "progress": ""}

blocks: dict[tuple[str, str], str] = {}  # (file, name) of a function or an initializer: its text
exported: dict[str, tuple[str, str]] = {}
for path in sorted(p for folder in FOLDERS for p in (source / "bench" / folder).rglob("*.c")):
    if "options" in path.parts[-2:-1] and path.name != "device_option.c":
        continue
    for match in re.finditer(r"^(?!#|/| |\}|typedef|enum|struct)([^\n;]*?)\b(\w+)(\(|(?:\[\])? = \{)(.*?)^\}", path.read_text(), re.M | re.S):
        key = (str(path), match[2])
        blocks[key] = match[3] + match[4]
        if not match[1].startswith("static"):
            exported[match[2]] = key


def reached(start: tuple[str, str]) -> set[tuple[str, str]]:
    """The blocks that are named from this one on."""
    found, left = {start}, [start]
    while left:
        here = left.pop()
        for name in set(re.findall(r"\b[a-z]\w+\b", blocks[here])):
            key = (here[0], name) if (here[0], name) in blocks else exported.get(name)
            if key is not None and key not in found:
                found.add(key)
                left.append(key)
    return found


table = (source / "bench/program/options/option_table.c").read_text()
fields: dict[str, set[str]] = {}  # of an option's name
for row in re.split(r"\n    \{(?=\w)", table[table.index("const option_row option_rows") :])[1:]:
    name = re.match(r'[^"]*"([\w-]+)"', row)
    reader = re.search(r"\.read = (\w+)", row)
    if name is None:
        continue
    read = set(re.findall(r"FIELD\((\w+)\)", row))
    if reader is not None:
        body = re.search(r"^(?:static )?bool " + reader[1] + r"\(.*?^\}", table, re.M | re.S)
        assert body is not None, reader[1]
        read |= set(re.findall(r"\bo->(\w+)", body[0]))
    assert read, row
    fields.setdefault(name[1], set()).update(read)

commands = [key for key, text in blocks.items() if re.search(r"\.summary =", text)]
errors = []
for command in commands:
    name = re.search(r'\.name = "([\w-]+)"', blocks[command])
    assert name is not None
    shown = subprocess.run([program, name[1], "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^\s+(?:-\w, )?--([\w-]+)", shown, re.M)) - {"help"}
    code = reached(command)
    if command[1].startswith("algorithm_"):  # a row without a `run` of its own
        code |= reached(exported["algorithm_command"])
    read = {field for key in code for field in re.findall(r"\bo->(\w+)", blocks[key])}
    functions = {key[1] for key in code}
    for option in sorted(options):
        if option in APPLIED_BY_MAIN:
            acts = APPLIED_BY_MAIN[option] in functions | {""}
        else:
            acts = bool(fields[option] & read)
        if not acts:
            errors.append(f"gridblas {name[1]} lists --{option}, which no code that it reaches reads")
assert len(commands) > 50 and len(fields) > 50, (len(commands), len(fields))
print("\n".join(errors) or f"{len(commands)} commands list only options that have an effect")
sys.exit(bool(errors))
