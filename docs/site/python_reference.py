"""The Python package as a page: the docstrings of what a program may use, read from the source without running it."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "gridblas"
sys.path.insert(0, str(ROOT / "python"))
import declare  # noqa: E402
INTRODUCTION = """# Python

Every function and method of the package, from its docstrings; [the page about Python](../python.md) says how they are used. Examples begin with
`import gridblas as gb` and `import numpy as np`. On several processes every process makes every call marked as collective, and every call that changes an object."""
# Classes with the classes of the package that they take methods from; modules with the files of their functions.
CLASSES = {
    "Matrix": ["Matrix", "Interchange", "MatrixOperations", "Entrywise", "Collection"],
    "TransposedMatrix": ["TransposedMatrix"],
    "Vector": ["Vector", "Entrywise", "Collection"],
    "Scalar": ["Scalar", "Collection"],
    "io.PageWriter": ["PageWriter"],
}
MODULES = {
    "gridblas": ["grid.py"],
    "gridblas.algorithms": sorted(f"algorithms/{file.name}" for file in PACKAGE.glob("algorithms/*.py") if file.stem not in ("__init__", "call")),
    "gridblas.io": ["io.py"],
    "gridblas.unary": ["unary.py"],
    "gridblas.binary": ["binary.py"],
    "gridblas.indexunary": ["indexunary.py"],
    "gridblas.dtypes": ["dtypes.py"],
}
RENAMED = {"gridblas.monoid": "register_monoid", "gridblas.semiring": "register_semiring"}  # register_new in these modules
PARAMETER = re.compile(r"([A-Za-z_][\w, ]*?) {2,}(\S.*)")


def _tree(file):
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def _functions(body):
    return [node for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and ast.get_docstring(node)]


def _classes():
    return {node.name: node for file in [*PACKAGE.glob("*.py"), *PACKAGE.glob("core/*.py")] for node in _tree(file.relative_to(PACKAGE)).body if isinstance(node, ast.ClassDef)}


def _decorators(node):
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def _arguments(arguments):
    """The parameters without their types."""
    plain = ast.parse(f"def f({ast.unparse(arguments)}): pass").body[0].args
    for argument in [*plain.posonlyargs, *plain.args, *plain.kwonlyargs, *filter(None, (plain.vararg, plain.kwarg))]:
        argument.annotation = None
    plain.args = [argument for argument in plain.args if argument.arg not in ("self", "cls")]
    return ast.unparse(plain)


def _escaped(words):
    """Prose as Markdown: code in backquotes is kept, everything else is escaped."""
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(part if part[:1] == "`" else re.sub(r"([\\*_\[\]|#~$^<>])", r"\\\1", part) for part in parts)


def _prose(paragraph):
    """A paragraph, or a list of parameters with what they are."""
    items = []
    for line in paragraph.split("\n"):
        parameter = PARAMETER.fullmatch(line)
        if parameter:
            items.append([f"- `{parameter[1]}`:", parameter[2]])
        elif items:
            items[-1].append(line.strip())
        else:
            return _escaped(paragraph)
    return "\n".join(f"{item[0]} {_escaped(' '.join(item[1:]))}" for item in items)


def _markdown(docstring):
    out = []
    for paragraph in docstring.split("\n\n"):
        out.append(f"```pycon\n{paragraph}\n```" if paragraph.startswith(">>>") else _prose(paragraph))
    return "\n\n".join(out)


def _entry(owner, node, name=None):
    name = name or node.name
    signature = name if "property" in _decorators(node) else f"{name}({_arguments(node.args)})"
    return f"### `{owner}.{name}`\n\n```python\n{owner}.{signature}\n```\n\n{_markdown(ast.get_docstring(node))}"


def _class(name, known):
    node = known[name.split(".")[-1]]
    constructor = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    call = f"```python\ngridblas.{name}({_arguments(constructor.args)})\n```\n\n" if constructor and name != "TransposedMatrix" else ""
    out, documented = [f"## `gridblas.{name}`\n\n{call}{_markdown(ast.get_docstring(node))}"], set()
    for base in CLASSES[name]:
        for method in _functions(known[base].body):
            if method.name not in documented and not any(d.endswith(".setter") for d in _decorators(method)):
                documented.add(method.name)
                out.append(_entry(name, method))
    return out


def _exceptions():
    out = ["## `gridblas.exceptions`\n\nThe library's errors; each has the library's sentence about what was wrong."]
    nodes = [node for node in _tree("exceptions.py").body if isinstance(node, ast.ClassDef)]
    lines = [f"- `{node.name}` ({', '.join(map(ast.unparse, node.bases))}): {_escaped(ast.get_docstring(node))}" for node in nodes]
    return [*out, "\n".join(lines)]


def page():
    known, out = _classes(), [INTRODUCTION]
    for name in CLASSES:
        out += _class(name, known)
    for module, files in MODULES.items():
        out.append(f"## `{module}`")
        shown = {"gridblas.dtypes": {"lookup_dtype"}}.get(module)
        if module == "gridblas.algorithms":
            made = ast.parse(declare.from_header(ROOT / "include" / "gridblas_algos.h", PACKAGE))
            out += [_entry(module, node) for node in _functions(made.body)]
        out += [_entry(module, node) for file in files for node in _functions(_tree(file).body) if shown is None or node.name in shown]
    for module, name in RENAMED.items():
        node = next(node for node in _tree("operators/namespaces.py").body if isinstance(node, ast.FunctionDef) and node.name == name)
        out += [f"## `{module}`", _entry(module, node, "register_new")]
    return "\n\n".join(out + _exceptions()) + "\n"
