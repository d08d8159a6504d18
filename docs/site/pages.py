"""Generated pages of the site: README as its first page, the C reference from the headers, the Python reference from docstrings, and each source file that a page links to.

The pages' links are those that work on GitHub; they are rewritten to their targets on the site.
"""

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import python_reference
import reference

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def rewrite_links(markdown, folder):
    """The page, and the source files that it links to. `folder`: that of its file, from the project's root."""
    sources = set()
    page_folder = folder.removeprefix("docs").removeprefix("/")  # that of the page, from the site's root

    def rewrite(link):
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target == "README.md":
            target = "index.md"
        elif target.startswith("docs/"):
            target = target.removeprefix("docs/")
        elif (ROOT / target).is_file():
            sources.add(target)
            target = f"source/{target}.md"
        else:
            return link[0]  # mkdocs reports the broken link
        return link[1] + posixpath.relpath(target, page_folder or ".") + link[3]

    return LINK.sub(rewrite, markdown), sources


def source_page(name):
    language = {".c": "c", ".h": "c", ".cu": "cuda", ".sh": "bash", ".py": "python"}.get(Path(name).suffix, "")
    return f"# `{name}`\n\n````{language}\n{(ROOT / name).read_text(encoding='utf-8')}````\n"


def on_files(files, config):
    pages = {"index.md": rewrite_links((ROOT / "README.md").read_text(encoding="utf-8"), "")}
    sources = set(pages["index.md"][1])
    for page in ROOT.glob("docs/**/*.md"):
        sources |= rewrite_links(page.read_text(encoding="utf-8"), page.parent.relative_to(ROOT).as_posix())[1]
    made = {"index.md": pages["index.md"][0]}
    made |= {f"reference/{name}.md": text for name, text in reference.pages().items()}
    sources |= {*(f"include/{header}" for header in reference.HEADERS), "examples/reference.c"}
    made["reference/python.md"] = python_reference.page()
    made |= {f"source/{name}.md": source_page(name) for name in sources}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri)).rstrip("/")
    return rewrite_links(markdown, folder)[0] if page.file.generated_by is None else markdown
