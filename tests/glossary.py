"""Checks that no identifier uses a word that the glossary has replaced: glossary.py SOURCE_DIR. It reads the names in C and CUDA code, not comments or
strings. A name is split at underscores and capitals; a row's expression must match one part, or with ^ the whole name.

Words that are plain English in a local variable (`left`, `kept`, `line`) are refused in the library's own prefixes alone.
"""

import re
import subprocess
import sys
from pathlib import Path

# In every name: old expression, what to write.
EVERYWHERE = {
    r"^grid_part(_\w+|s)?": "grid_local_matrix, lmat",
    r"^(grid_here|GRID_NOT_HERE)": "grid_ctx, GRID_UNSUPPORTED",
    r"^\w*came_with\w*": "prebuilt",
    r"^(rows_some|dense_one|no_rows)": "what the rows are: nonempty, sparse",
    r"untold": "not_agreed",
    r"unlist": "expand",
    r"foresee|foreseen": "estimate, predicted",
    r"conform": "choose_format",
    r"undeal|dealt": "scatter into bins",
    r"house": "architecture, module",
    r"whom": "owner, receiver",
    r"recut": "repartition",
    r"slabs?": "panel",
}
# In names that begin with grid_, GRID_ or Grid_.
LIBRARY = {
    r"told|tell|tells": "trace, send, report",
    r"^grid_(?!\w*in_place)(\w+_)?(place|places|here|there)(_\w+)?": "context; position, index map",
    r"kept": "cached, retained",
    r"made|make_way|came": "jit; evict; prebuilt",
    r"ahead": "lookahead",
    r"few|stays|some": "sparse; host_resident; nonempty",
    r"listed|joined|again": "hypersparse; fused; retry",
    r"deal|beside|room": "scatter; overlapped; module, capacity",
    r"settle|settled|spare": "wait, resolve; reusable buffer",
    r"leads|heads|targets": "row_hubs, hub_neighbor, push_messages",
    r"carried|contents|arrived": "piggybacked, payload, prefetched",
    r"questions|asks|ask": "requests",
    r"numbered|near|board|shown": "delegate_index, shm",
    r"mail|deliver|tray|box|meeting": "alltoallv_unsized, receive buffer, slot, device barrier",
    r"lift|turned|moved|sliced|past": "to_device, transposed, permuted, outofcore, direct I/O",
    r"seen|derived|strips|ranked|worked": "id_set, cached_properties, tiles, degree_ordered, cpu_time",
    r"bring|pause|dress|lone|cuts|pieces": "stage, cooldown, partition, segments",
    r"looks": "inspected",
}
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|^[ \t]*#[ \t]*include[^\n]*', re.S | re.M)
NAME = re.compile(r"\b[A-Za-z_]\w+")
PARTS = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])")


def find(name: str) -> str | None:
    """What to write in place of a name's old word; None: it has none."""
    rules = EVERYWHERE | (LIBRARY if name.lower().startswith("grid_") else {})
    for old, new in rules.items():
        texts = [name] if old.startswith("^") else [part.lower() for part in PARTS.split(name)]
        if any(re.fullmatch(old, text) for text in texts):
            return new
    return None


def self_test() -> None:
    bad = ["grid_part_free", "grid_told", "GRID_NOT_HERE", "grid_here", "came_with", "GRID_TOLD_AGAIN", "grid_rows_listed", "slabs"]
    good = ["grid_local_matrix", "there_is_room", "left", "kept", "partition", "GrB_ALL", "grid_partition_set", "departure", "in_place", "line", "household"]
    assert all(map(find, bad)) and not any(map(find, good)), ([n for n in bad if not find(n)], [n for n in good if find(n)])


def main() -> None:
    root = Path(sys.argv[1])
    self_test()
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.c", "*.h", "*.cu", "*.cuh"], capture_output=True, text=True)
    files = [root / name for name in listed.stdout.split()] or sorted(p for p in root.rglob("*") if p.suffix in (".c", ".h", ".cu", ".cuh"))
    wrong, known = 0, {}
    for file in files:
        if not file.exists():
            continue
        code = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n") or " ", file.read_text(encoding="utf-8", errors="replace"))
        for number, line in enumerate(code.split("\n"), 1):
            for name in NAME.findall(line):
                if name not in known:
                    known[name] = find(name)
                if known[name]:
                    print(f"{file.relative_to(root)}:{number}: {name}: the glossary has {known[name]}")
                    wrong += 1
    print(f"glossary: {len(known)} names in {len(files)} files, {wrong} wrong")
    sys.exit(wrong > 0 or len(known) < 1000)


if __name__ == "__main__":
    main()
