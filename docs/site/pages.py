"""Generated pages of the site: the C reference from the headers, the Python reference from docstrings, pages that are outside docs/, and each source file that a
page links to.

The pages' links are those that work on GitHub; they are rewritten to their targets on the site, relative to the page.
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
# Files outside docs/ that have a page of their own; README's reader is sent to the first page.
PAGES = {"README.md": "index.md", ".github/CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}


def rewrite_links(markdown, folder, page):
    """The page with links to the site's pages, and the source files that it links to.

    folder  that of the page's file, from the project's root, from which its links start
    page    the page's name on the site, such as "how/gpu.md"
    """
    sources = set()

    def rewrite(link):
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target in PAGES:
            target = PAGES[target]
        elif target.startswith("docs/"):
            target = target.removeprefix("docs/")
        elif (ROOT / target).is_file():
            sources.add(target)
            target = f"source/{target}.md"
        else:
            return link[0]  # mkdocs reports the broken link
        return link[1] + posixpath.relpath(target, posixpath.dirname(page) or ".") + link[3]

    return LINK.sub(rewrite, markdown), sources


def source_page(name):
    language = {".c": "c", ".h": "c", ".cu": "cuda", ".sh": "bash", ".py": "python"}.get(Path(name).suffix, "")
    return f"# `{name}`\n\n````{language}\n{(ROOT / name).read_text(encoding='utf-8')}````\n"


def read(file, page):
    """A Markdown file of the project, from its root, as the page of that name."""
    return rewrite_links((ROOT / file).read_text(encoding="utf-8"), posixpath.dirname(file), page)


def on_files(files, config):
    sources, made = set(), {}
    for file, page in PAGES.items():
        if page != "index.md":
            made[page], linked = read(file, page)
            sources |= linked
    for file in files.documentation_pages():
        sources |= read(f"docs/{file.src_uri}", file.src_uri)[1]
    made |= {f"reference/{name}.md": text for name, text in reference.pages().items()}
    sources |= {*(f"include/{header}" for header in reference.HEADERS), "examples/reference.c"}
    made["reference/python.md"] = python_reference.page()
    made |= {f"source/{name}.md": source_page(name) for name in sorted(sources)}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.generated_by is not None:
        return markdown
    name = page.file.src_uri
    return rewrite_links(markdown, posixpath.dirname(f"docs/{name}"), name)[0]


def on_page_content(html, page, config, files):
    """Code in a table's cells: a browser may break it after punctuation; and `a\\|b` is a|b, as on GitHub (Python-Markdown keeps the backslash)."""

    def code(found):
        return re.sub(r"(?<=[^\W\d_]{2})([_=.,:/|(])(?=\w)", r"\1<wbr>", found[0].replace("\\|", "|"))

    return re.sub(r"<td.*?</td>", lambda cell: re.sub(r"(?<=<code>)[^<&]*(?=</code>)", code, cell[0]), html, flags=re.S)
