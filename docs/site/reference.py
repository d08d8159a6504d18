"""A public header as a page: each comment with what is declared below it, under the header's own sections."""

import re

HEADERS = ["GraphBLAS.h", "gridblas.h", "gridblas_algos.h"]
NAME = re.compile(r"\b(?:GrB|GxB|Grid)_\w+")


def _text(words):
    """A comment's words as Markdown: names as code, nothing else means anything."""
    out, at = [], 0
    for name in NAME.finditer(words):
        out += [_plain(words[at : name.start()]), f"`{name[0]}`"]
        at = name.end()
    return "".join(out) + _plain(words[at:])


def _plain(words):
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~$^])", r"\\\1", words)


def _comment(lines):
    """Paragraphs; indented lines, mostly tables of arguments, are kept unchanged."""
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
    return "\n".join(out + ["```"] * (kind == "as it is"))


def _declared(code):
    """The names that the code declares, in its order, once each."""
    found = re.findall(r"^#define\s+((?:GrB|GxB|Grid)_\w+)|\b((?:GrB|GxB|Grid)_\w+)\s*(?=\()|\bGrB_Info\s+(GrB_\w+)|^\}\s*(\w+);|^typedef [^;{]*?\b(\w+);", code, re.M)
    names = ("".join(f) for f in found)
    return list(dict.fromkeys(name + "T" * name.endswith("_") for name in names))  # pasted together with each type's name


def _blocks(text):
    """(section, None) or (comment's lines, code), in the header's order."""
    text = text[text.index("#pragma GCC visibility push") :]
    text = text[text.index("#endif") + len("#endif") : text.rindex("#ifdef __GNUC__")]
    comment = []
    for part in re.finditer(r"/\*(.*?)\*/[ \t]*\n|((?:(?!/\*(?:[^\n]|\n \*)*\*/\n)[^\n]*\n)+?)(?=^/\*|\Z)", text, re.S | re.M):
        if part[1] is None:
            if part[2].strip():
                yield comment, part[2].strip("\n")
                comment = []
            continue
        section = re.fullmatch(r"\s*---- (.*?) -+\s*", part[1], re.S)
        if section:
            yield section[1], None
            comment = []
        else:
            comment += ([""] if comment else []) + [re.sub(r"^ \* ?|^ ", "", line, count=1).rstrip() for line in part[1].split("\n")]


def page(header):
    text = header.read_text(encoding="utf-8")
    head = [re.sub(r"^ \* ?|^ ", "", line, count=1).rstrip() for line in re.match(r"/\*(.*?)\*/", text, re.S)[1].split("\n")]
    out = [f"# {header.name}", _comment(head)]
    for what, code in _blocks(text):
        if code is None:
            out.append(f"## {what[0].upper()}{what[1:]}")
            continue
        names = _declared(code)
        if names:
            out.append("### " + ", ".join(f"`{name}`" for name in names[:3]) + (" …" if len(names) > 3 else ""))
        out += [_comment(what), f"```c\n{code}\n```"]
    return "\n\n".join(out) + "\n"
