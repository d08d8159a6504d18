"""The C reference by topic, made of the public headers: each comment with the functions declared below it, whether they are collective (docs/api.md), and the
examples of examples/reference.c. A declaration that no topic takes is an error."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ["GraphBLAS.h", "gridblas.h", "gridblas_algos.h"]
TYPES = "BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP32, FP64"
WIDTH = 100

# Pages: file, title, introduction, sections in their order.
PAGES = {
    "objects": (
        "Objects",
        "Types, operators, monoids, semirings, descriptors, scalars, vectors and matrices: how they are created, copied, inspected and freed.",
        ["Kinds of objects", "Types", "Operators", "Monoids and semirings", "Descriptors", "Scalars", "Vectors", "Matrices", "Free, wait, error", "Fields", "Print"],
    ),
    "operations": (
        "Operations",
        "What computes with vectors and matrices. Notation: `w<mask> accum= t` is the mask and accumulator of the specification, section 2.3. With an accumulator `t` is merged into `w`, without one it"
        " replaces `w`. Where the mask does not allow an index `w` keeps its entry, or loses it with `GrB_REPLACE`. `mask`, `accum` and `desc` may be NULL. An output may be the same object as an input.",
        ["Products", "Element-wise", "Apply", "Select", "Assign", "Extract", "Reduce", "Transpose", "Kronecker product", "Gather and scatter", "Degrees", "Walks, samples, paths and levels"],
    ),
    "data": (
        "Data in and out",
        "From arrays, files and generators to distributed objects, and back.",
        ["Build, elements, tuples", "Build from distributed arrays", "Import and export", "Serialisation", "Files and generators", "Page files", "Checkpoints"],
    ),
    "context": (
        "Context and errors",
        "Start and end of the library, what calls return, tracing, progress, and limits of memory.",
        ["Start and end", "Errors", "Tracing", "Progress", "Memory"],
    ),
    "distribution": (
        "Distribution and GPUs",
        "The process grid, the partition of vectors and matrices, GPUs, how a matrix is stored, and the model of the network.",
        ["Processes", "GPUs", "Partition", "Storage of a matrix", "Network model"],
    ),
    "algorithms": (
        "Algorithms",
        "Each takes a distributed matrix and creates distributed results. [The pages about algorithms](../algorithms.md) have their cost, commands, Python calls and times.",
        ["Algorithms", "Long computations"],
    ),
}
# Where the declarations of a header's section go, and those of single names that go elsewhere. A block goes where its first name goes.
SECTIONS = {
    ("GraphBLAS.h", "constants"): "Fields",
    ("GraphBLAS.h", "opaque objects"): "Kinds of objects",
    ("GraphBLAS.h", "the library"): "Start and end",
    ("GraphBLAS.h", "free, wait, error for every kind of object"): "Free, wait, error",
    ("GraphBLAS.h", "get and set: fields of every kind of object"): "Fields",
    ("GraphBLAS.h", "algebra"): "Operators",
    ("GraphBLAS.h", "scalars"): "Scalars",
    ("GraphBLAS.h", "vectors"): "Vectors",
    ("GraphBLAS.h", "matrices"): "Matrices",
    ("GraphBLAS.h", "import and export"): "Import and export",
    ("GraphBLAS.h", "serialisation"): "Serialisation",
    ("GraphBLAS.h", "products"): "Products",
    ("GraphBLAS.h", "element-wise"): "Element-wise",
    ("GraphBLAS.h", "extract and assign"): "Extract",
    ("GraphBLAS.h", "apply and select"): "Apply",
    ("GraphBLAS.h", "reduce"): "Reduce",
    ("GraphBLAS.h", "beyond the standard"): "Print",
    ("gridblas.h", "the process grid"): "Processes",
    ("gridblas.h", "devices"): "GPUs",
    ("gridblas.h", "the layout of distributed objects"): "Partition",
    ("gridblas.h", "operators beyond the standard"): "Operators",
    ("gridblas.h", "user-defined types and operators with source text"): "Operators",
    ("gridblas.h", "hints and state of a matrix"): "Storage of a matrix",
    ("gridblas.h", "tracing"): "Tracing",
    ("gridblas.h", "checkpoints: continue a computation after a crash"): "Checkpoints",
    ("gridblas.h", "graphs from files and generators"): "Files and generators",
    ("gridblas_algos.h", ""): "Algorithms",
}
NAMES = {
    "Start and end": "GRB_VERSION GrB_Mode Grid_init",
    "Errors": "GrB_Info Grid_last_error Grid_info_name Grid_agree",
    "Kinds of objects": "GrB_Index",
    "Types": "GrB_Type_new Grid_Type_new",
    "Monoids and semirings": "GrB_Monoid_new_T GrB_Semiring_new",
    "Descriptors": "GrB_Desc_Field GrB_Descriptor_new",
    "Import and export": "GrB_Format Grid_Matrix_importLocal Grid_Matrix_import32 Grid_View Grid_Matrix_view Grid_Vector_device_view Grid_Matrix_device_view",
    "Build, elements, tuples": "GrB_Vector_removeElement GrB_Vector_build_T GrB_Vector_setElement_Scalar GrB_Matrix_removeElement GrB_Matrix_build_T",
    "Build from distributed arrays": "Grid_MIRROR Grid_Matrix_build Grid_Matrix_indicator Grid_Vector_build Grid_Matrix_extractLocal Grid_local_range",
    "Assign": "GrB_Vector_assign GrB_Matrix_assign GrB_Row_assign",
    "Select": "GrB_Vector_select_T GrB_Matrix_select_T",
    "Transpose": "GrB_transpose",
    "Kronecker product": "GrB_Matrix_kronecker_Semiring",
    "Extract": "Grid_Matrix_extract",
    "Gather and scatter": "Grid_Vector_gather Grid_Vector_scatter",
    "Degrees": "Grid_Matrix_degree",
    "Walks, samples, paths and levels": "Grid_Matrix_best_label Grid_Label_Sweep Grid_Matrix_move_labels Grid_Matrix_walk Grid_Matrix_sample Grid_Matrix_path Grid_Peel_Level Grid_Matrix_peel Grid_Matrix_distances Grid_Matrix_color",
    "Progress": "Grid_progress Grid_progress_set",
    "GPUs": "Grid_Matrix_bytes_sent",
    "Network model": "Grid_NETWORK_SIZES Grid_network Grid_LAYOUT_COLUMNS Grid_Layout Grid_layouts Grid_Degrees Grid_estimate_layouts Grid_choose_shape Grid_Delegate_Choice Grid_choose_delegates Grid_device_search_seconds Grid_layout_inspected",
    "Memory": "Grid_memory Grid_memory_limit Grid_device_memory_limit",
    "Page files": "Grid_Pages_Info Grid_pages_info Grid_Pages_names Grid_Pages_Builder Grid_Pages_Build_Stats Grid_Pages_begin Grid_Pages_append Grid_Pages_set_names Grid_Pages_end Grid_Pages_convert Grid_Matrix_open"
    " Grid_Matrix_bytes_read",
    "Long computations": "Grid_checkpoint_set_interval Grid_checkpoint_resumed Grid_rebalance_enable Grid_rebalance_stats",
}
SECTION_OF = {name: section for section, names in NAMES.items() for name in names.split()}


# ---- comments ----


def _plain(words):
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~$^])", r"\\\1", words)


def _text(words):
    """A comment's words as Markdown: what stands in backquotes and words with an underscore as code, nothing else means anything."""
    out, at = [], 0
    for code in re.finditer(r"`[^`\n]+`|\$?\b[A-Za-z]\w*_[\w*]*\w(?:=[\w/]+)*", words):
        out += [_plain(words[at : code.start()]), f"`{code[0].strip('`')}`"]
        at = code.end()
    return "".join(out) + _plain(words[at:])


def _lines(comment):
    """What stands between the marks of a C comment."""
    first, *rest = comment.split("\n")
    return [first.removeprefix(" ").rstrip(), *(re.sub(r"^ \* ?|^ ", "", line, count=1).rstrip() for line in rest)]


def _comment(lines):
    """Paragraphs, of which one begins at `Errors:` and at `Source:`; indented lines, mostly tables of arguments, are kept unchanged."""
    out, kind = [], None
    for line in lines:
        now = None if not line.strip() else "as it is" if line.startswith("  ") else "prose"
        if kind == "as it is" and now != kind:
            out.append("```")
        if now != kind:
            out.append("")
        if now == "as it is" and kind != now:
            out.append("```text")
        out.append(line if now == "as it is" else _text(line.rstrip()))
        kind = now
    text = "\n".join(out + ["```"] * (kind == "as it is"))
    return re.sub(r"(^|(?<=[.;]) |(?<=[.;])\n)(Errors?|Sources?)( as|:)", r"\n\n**\2**\3", text, flags=re.M)


# ---- declarations ----


def _blocks(text):
    """(section, comment's lines, code), in the header's order."""
    text = text[text.index("#pragma GCC visibility push") :]
    text = text[text.index("#endif") + len("#endif") : text.rindex("#ifdef __GNUC__")]
    comment, title = [], ""
    for part in re.finditer(r"/\*(.*?)\*/[ \t]*\n|((?:(?!/\*(?:[^\n]|\n \*)*\*/\n)[^\n]*\n)+?)(?=^/\*|\Z)", text, re.S | re.M):
        if part[1] is None:
            if part[2].strip():
                yield title, comment, part[2].strip("\n")
                comment = []
            continue
        section = re.fullmatch(r"\s*---- (.*?) -+\s*", part[1], re.S)
        if section:
            title, comment = re.sub(r" \(section.*\)$", "", section[1]), []
        else:
            comment += ([""] if comment else []) + _lines(part[1])


def _expand(code):
    """The declarations with the macros that make families of functions replaced: (code, notes about the families)."""
    macros = {m[1]: (m[2].replace(" ", "").split(","), m[3].replace("\\\n", "\n")) for m in re.finditer(r"^#define (GRID_DECLARE_\w+)\(([^)]*)\)((?:.*\\\n)*.*)\n?", code, re.M)}
    rest = re.sub(r"^#define GRID_DECLARE_\w+\([^)]*\)(?:.*\\\n)*.*\n?", "", code, flags=re.M)

    def filled(name, values):
        text = macros[name][1]
        for parameter, value in zip(macros[name][0], values):
            text = re.sub(rf"(?:##)?\b{parameter}\b(?:##)?", lambda _: value, text)
        return text

    uses, out = {}, []
    for line in rest.split("\n"):
        call = re.fullmatch(r"(?:(GRID_\w+)\((GRID_DECLARE_\w+)\)|(GRID_DECLARE_\w+)\((.*)\))", line)
        if not call or (call[2] or call[3]) not in macros:
            out.append(line)
            continue
        name = call[2] or call[3]
        if name not in uses:
            uses[name] = []
            out.append(name)
        uses[name].append(None if call[1] else [value.strip() for value in call[4].split(",")])
    text, notes = "\n".join(out), []
    for name, calls in uses.items():
        if None in calls:  # a family over the predefined types
            made = filled(name, ["T", "ctype"])
            others = [f"`_{values[0]}` (`{values[1]}`)" if len(values) > 1 else f"`_{values[0]}`" for values in filter(None, calls)]
            if others:
                notes.append(f"The forms with {' and '.join(others)} in place of `_T` and its value are declared likewise.")
        elif len(calls) > 6:  # a family over the kinds of objects
            made = filled(name, ["K"])
            notes.append("K is one of " + ", ".join(values[0] for values in calls) + ".")
        else:
            made = "\n".join(filled(name, values) for values in calls)
        text = re.sub(rf"^{name}$", lambda _, made=made: made, text, flags=re.M)
    return text, notes


def _wrapped(signature):
    """A declaration in lines of WIDTH letters."""
    words = re.sub(r" +", " ", " ".join(signature.split()))
    if len(words) <= WIDTH or "(" not in words:
        return words
    head, rest = words[: words.index("(") + 1], words[words.index("(") + 1 :]
    lines, line = [], head
    for argument in re.split(r"(?<=,) ", rest):
        if len(line) + len(argument) > WIDTH and line.strip() and line != head:
            lines.append(line.rstrip())
            line = " " * len(head)
        line += argument + " "
    return "\n".join([*lines, line.rstrip()])


def _tidy(code):
    """Each function's declaration on lines of its own; types and constants as they are."""
    return re.sub(r"^\s*((?:GrB_Info|const char \*|const Grid_Format \*|void|int|double|uint64_t) ?\*?\w+\((?:[^(){};]|\([^()]*\))*\);)", lambda m: _wrapped(m[1]), re.sub(r" +$", "", code, flags=re.M), flags=re.M)


def _declared(code):
    """The names that the code declares, in its order, once each, and those that are functions."""
    function = r"^\s*(?:const )?\w+ \*?((?:GrB|GxB|Grid)_\w+)\("
    other = r"^#define\s+((?:GrB|GxB|Grid|GRB)_\w+)|^\}\s*(\w+);|^typedef (?:struct|\w+)[^;{(]*?\b(\w+);|^typedef void \(\*(\w+)\)|^enum \{\s*(?:/\*.*?\*/\s*)?(\w+)|^extern .*?(\w+);"
    functions = re.findall(function, code, re.M)
    found = re.finditer(f"{function}|{other}", code, re.M | re.S)
    return list(dict.fromkeys(next(filter(None, m.groups())) for m in found)), list(dict.fromkeys(functions))


# ---- predefined objects ----


def _table():
    """The predefined objects, read from the lists of gridblas_table.h: a Markdown table."""
    text = (ROOT / "include" / "gridblas_table.h").read_text(encoding="utf-8").replace("\\\n", " ")
    lists = dict(re.findall(r"^#define GRID_(\w+)\(X\) +(.*)$", text, re.M))
    types = {"ALL": "all types", "NUM": "all types but BOOL", "INT": "integers", "VALUES": "all types", "INDEX": "INT32, INT64"}
    rows = {}

    def row(kind, name, over):
        rows.setdefault((kind, over), []).append(name)

    for over, name in re.findall(r"GRID_U_(\w+)\(X, (\w+)\)", lists["UNARY_OPS"]):
        row("unary operators", f"GrB_{name}_T", types[over])
    row("unary operators", "GrB_LNOT", "BOOL")
    for over, prefix, name in re.findall(r"GRID_B_(\w+)\(X, (\w+), (\w+),", lists["BINARY_OPS"]):
        row("binary operators", f"{prefix}_{name}_T", types[over])
    for name in re.findall(r"GRID_TEST_ALL\(X, (\w+)\)", lists["BINARY_OPS"]):
        row("comparisons, binary operators with a BOOL result", f"GrB_{name}_T", "all types")
    for name in re.findall(r"GRID_LOGIC\(X, (\w+)\)", lists["BINARY_OPS"]):
        row("binary operators", f"GrB_{name}", "BOOL")
    for over, name in re.findall(r"GRID_X_(\w+)\(X, (\w+)\)", lists["INDEX_OPS"]):
        if over == "POSITION":
            row("index-unary operators of positions, with a BOOL result", f"GrB_{name}", "entries of any type")
        else:
            row("index-unary operators", f"GrB_{name}_T", types[over])
    for name in ("MIN", "MAX", "PLUS", "TIMES"):
        row("monoids", f"GrB_{name}_MONOID_T", types["NUM"])
    for name in re.findall(r"X\(GrB, (\w+), BOOL", lists["MONOIDS"]):
        row("monoids", f"GrB_{name}_MONOID_BOOL", "BOOL")
    row("monoids", "Grid_ANY_MONOID_T", types["ALL"])
    for prefix, which in (("GrB", "SEMIRINGS_GRB"), ("Grid", "SEMIRINGS_GRID")):
        for over, add, multiply in re.findall(r"GRID_S_(\w+)\(X, (\w+), (\w+)\)", lists[which]):
            row("semirings", f"{prefix}_{add}_{multiply}_SEMIRING_T", types[over])
        for add, multiply, over in re.findall(r"(?<!\w)X\((\w+), (\w+), (\w+)\)", lists[which]):
            row("semirings", f"{prefix}_{add}_{multiply}_SEMIRING_{over}", over)
    for name in re.findall(r"X\((\w+),", lists["DESCRIPTORS"]):
        row("descriptors", f"GrB_DESC_{name}", "")
    lines = [f"| {kind} | {over} | {', '.join(f'`{name}`' for name in names)} |" for (kind, over), names in sorted(rows.items(), key=lambda item: list(dict.fromkeys(k for k, _ in rows)).index(item[0][0]))]
    return "\n".join(["### Predefined objects", "", "T stands for a type's name. In a descriptor's name R is replace, S structural mask, C complemented mask, T0 and T1 transposed inputs.", "",
                      "SuiteSparse:GraphBLAS's further operators, monoids and semirings are predefined under its names: `GxB_SQRT_FP64`, `GxB_PLUS_FIRST_FP64`, `GxB_PLUS_PAIR_INT64`, ... "
                      "(`gridblas_gxb_operators.h`, which `GraphBLAS.h` includes). `GrB_Semiring_new` makes others.", "", "| kind | types | names |", "| --- | --- | --- |", f"| types | | {', '.join(f'`GrB_{name}`' for name in TYPES.split(', '))} |", *lines])


# ---- pages ----


def _calls():
    """Of each family of functions whether its calls are collective or local: the table of docs/api.md."""
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\w+) \|$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.M)
    return dict(rows)


def _collective(functions, calls, comment):
    """What the comment says; docs/api.md where it says both or neither, or functions that share it differ."""
    words = " ".join(comment)
    said = [kind for kind in ("collective", "local") if re.search(rf"(?:^|[.;:)] ){kind.capitalize()}(?:[.,:;]|$| with| for)", words)]
    differ = len({calls.get(name) for name in functions}) > 1
    kinds = {}
    for name in functions:
        kind = said[0] if len(said) == 1 and not differ else calls.get(name)
        if kind is None and "_K_" in name:
            kind = " or ".join(sorted({what for other, what in calls.items() if re.fullmatch(name.replace("_K_", "_[A-Z][A-Za-z]+_"), other)}))
        kinds.setdefault(kind or "collective", []).append(name)
    if len(kinds) == 1:
        return next(iter(kinds)).capitalize()
    return "; ".join(f"{', '.join(f'`{name}`' for name in names)}: {kind}" for kind, names in kinds.items())


def _short_names(functions):
    """The polymorphic names of gridblas_generic.h by which a C program may call them."""
    known = set(re.findall(r"^#define (G[rx]B_\w+)\(", (ROOT / "include" / "gridblas_generic.h").read_text(encoding="utf-8"), re.M))
    out = []
    for name in functions:
        prefix, _, rest = name.partition("_")
        words = rest.split("_")
        candidates = [f"{prefix}_{words[0]}_{words[1]}" if len(words) > 1 else "", f"{prefix}_{words[1]}" if len(words) > 1 else ""]
        out += [candidate for candidate in candidates if candidate in known and candidate != name]
    return list(dict.fromkeys(out))


def examples():
    """Names of calls: (title, text), the marked functions of examples/reference.c."""
    text = (ROOT / "examples" / "reference.c").read_text(encoding="utf-8")
    found = re.findall(r"^/\* example: ([\w, ]+): (.*?) \*/\n(.*?^\}\n)\n*(?=/\* (?:example: |the program)|\Z)", text, re.S | re.M)
    return {names: (" ".join(title.replace("\n * ", " ").split()), body) for names, title, body in found}


def helpers():
    """What the examples share."""
    text = (ROOT / "examples" / "reference.c").read_text(encoding="utf-8")
    return re.search(r"^/\* helpers \*/\n(.*?)^/\* example:", text, re.S | re.M)[1].strip("\n")


def _entry(header, comment, code, calls, shown):
    expanded, notes = _expand(code)
    names, functions = _declared(expanded)
    objects = not functions and "GRID_DECLARE_" in code
    out = ["### " + ", ".join(f"`{name}`" for name in names[:3]) + (" …" if len(names) > 3 else "")] if names else []
    about = [f"`{header}`"]
    if functions:
        about.insert(0, _collective(functions, calls, comment))
    short = _short_names(functions)
    if short:
        about.append("in C also " + ", ".join(f"`{name}`" for name in short))
    if names:
        out.append(" · ".join(about))
    out.append(_comment(comment))
    if not objects:
        out.append(f"```c\n{_tidy(expanded).strip()}\n```")
    out += notes
    for listed, (title, body) in examples().items():
        if listed.split(", ")[0] in {*names, *short} and listed not in shown:
            shown.add(listed)
            out.append(f"Example: {_text(title)}\n\n```c\n{body}```")
    return names, "\n\n".join(out)


def pages():
    """Name of each page: its Markdown."""
    calls, shown = _calls(), set()
    entries = {section: [] for _, _, sections in PAGES.values() for section in sections}
    for header in HEADERS:
        for section, comment, code in _blocks((ROOT / "include" / header).read_text(encoding="utf-8")):
            names, text = _entry(header, comment, code, calls, shown)
            where = next((SECTION_OF[name] for name in names if name in SECTION_OF), None) or SECTIONS[header, section]
            entries[where].append(_table() if text.lstrip().startswith("Predefined objects:") else text)
    lost = set(examples()) - shown
    if lost:
        raise ValueError(f"examples of calls that no header declares: {lost}")
    made = {}
    for page, (title, about, sections) in PAGES.items():
        text = [f"# {title}", about]
        for section in sections:
            text += [f"## {section}", *entries[section]]
        made[page] = "\n\n".join(text) + "\n"
    made["index"] = _index(made)
    return made


def _index(made):
    rows = []
    for page, (title, about, sections) in PAGES.items():
        rows.append(f"| [{title}]({page}.md) | {', '.join(section if section.startswith(('GPU', 'Kronecker')) else section.lower() for section in sections)} |")
    lines = []
    for listed, (title, _) in examples().items():
        page = next(name for name, text in made.items() if f"Example: {_text(title)}\n" in text)
        lines.append(f"| {', '.join(f'`{name}`' for name in listed.split(', '))} | {_text(title)} | [{PAGES[page][0]}]({page}.md) |")
    head = _lines(re.match(r"/\*(.*?)\*/", (ROOT / "include" / "GraphBLAS.h").read_text(encoding="utf-8"), re.S)[1])
    return f"""# C reference

Made of the public headers: [GraphBLAS.h](../source/include/GraphBLAS.h.md), [gridblas.h](../source/include/gridblas.h.md) and [gridblas_algos.h](../source/include/gridblas_algos.h.md). Each entry names its header, and says whether a call is collective (made by all
processes of the grid with the same arguments) or local (made by one process alone). [The table of functions](../api.md) says which run on a GPU.

| page | sections |
| --- | --- |
{chr(10).join(rows)}

In signatures T stands for {TYPES}, and `ctype` for its C type; forms named `_UDT` take a pointer to a value of a user-defined type. In C the polymorphic names (`GrB_apply`, `GrB_assign`, ...) choose the form by the arguments. C++ has the full names only.

## What holds for all calls

{_comment(head)}

## Examples of the calls used most

All are functions of one program, [examples/reference.c](../source/examples/reference.c.md), which a test compiles and runs on one process and on four.

| call | what the example does | page |
| --- | --- | --- |
{chr(10).join(lines)}

They use these helpers:

```c
{helpers()}
```
"""
