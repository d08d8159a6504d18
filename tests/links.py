"""Checks the links between the pages, by GitHub's rules: links.py SOURCE_DIR reads README.md and all .md of .github, docs and examples. Each linked file must
exist, and each linked heading be in that page."""

import re
import sys
import unicodedata
from pathlib import Path

root = Path(sys.argv[1]).resolve()
pages = [root / "README.md", *sorted(root.glob(".github/*.md")), *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("examples/**/*.md"))]


def prose(path: Path) -> str:
    """Without code, in which brackets are no links."""
    text = re.sub(r"^(`{3,}).*?^\1`*$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    text = re.sub(r"(?<=\n\n)(?: {4}.*\n)+", "", text)
    return text


def headings(path: Path) -> set[str]:
    """The anchors that GitHub makes: lower case, words and dashes; the second of a name has -1."""
    found: dict[str, int] = {}
    names = set()
    for title in re.findall(r"^#+ +(.*?)\s*$", prose(path), re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        name = "".join(c for c in title.lower() if c in " -_" or unicodedata.category(c)[0] in "LN").replace(" ", "-")
        names.add(name + (f"-{found[name]}" if name in found else ""))
        found[name] = found.get(name, 0) + 1
    return names


wrong, links = [], 0
for page in pages:
    text = re.sub(r"`[^`\n]*`", lambda m: m[0] if "](" not in m[0] else "", prose(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        links += 1
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.is_relative_to(root) or not file.exists():
            wrong.append(f"{page.relative_to(root)}: there is no {target}")
        elif anchor and (file.suffix != ".md" or anchor not in headings(file)):
            wrong.append(f"{page.relative_to(root)}: {name or 'the page'} has no heading {anchor}")
print("\n".join(wrong) or f"{links} links on {len(pages)} pages")
sys.exit(bool(wrong) or links < 50)
