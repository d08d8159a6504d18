"""Page files: matrices that stay on disk, and how they are written."""

import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import gridblas as gb
from gridblas import page_files

PROJECT = Path(__file__).resolve().parents[2]
DATA = PROJECT / "examples" / "data"


@pytest.fixture
def small_memory():
    """A limit that no matrix of these tests fits."""
    gb.memory_limit("64K")
    yield
    gb.memory_limit(0)


def barrier():
    """All processes wait for each other."""
    gb.Vector.from_local(np.empty(0, int), np.empty(0), size=1)


def graph(n=1500):
    """Entries of a random matrix, the same on every process, each position once: 20 a row for each process."""
    generator = np.random.default_rng(3)
    at = np.unique(generator.integers(0, n * n, n * 20 * gb.size()))
    return n, at // n, at % n, generator.integers(1, 9, len(at)).astype(float)


def write_parts(path, n, rows, columns, values, **options):
    """Each process appends every size-th entry, in three parts."""
    share = np.arange(gb.rank(), len(rows), gb.size())
    with gb.io.PageWriter(path, n, n, values=values is not None, **options) as file:
        for part in np.array_split(share, 3):
            file.append(rows[part], columns[part], None if values is None else values[part])


def folder_of(path):
    barrier()
    return sorted(file.name for file in path.parent.iterdir())


@pytest.mark.parametrize("pattern", [False, True])
def test_parts_are_a_matrix_on_disk(shared, small_memory, pattern):
    n, rows, columns, values = graph()
    path = shared("parts.pages")
    write_parts(path, n, rows, columns, None if pattern else values)
    assert folder_of(path) == ["parts.pages"]
    A = gb.io.open(path, name="A")
    in_memory = gb.Matrix.from_coo(rows, columns, True if pattern else values, nrows=n, ncols=n)
    assert A.is_on_disk and A.T.is_on_disk and not in_memory.is_on_disk
    assert (A.name, A.shape, A.nvals, A.dtype) == ("A", (n, n), len(rows), "BOOL" if pattern else "FP64")
    assert A.isequal(in_memory, check_dtype=True)
    assert A.mxm(A, "plus_pair").new().isequal(in_memory.mxm(in_memory, "plus_pair").new())
    assert A.get(rows[5], columns[5]) == in_memory.get(rows[5], columns[5]) and A.is_on_disk
    for algorithm in (
        lambda G: gb.algorithms.bfs(G, int(rows[0]), only="level"),
        lambda G: gb.algorithms.components(G),
        lambda G: gb.algorithms.pagerank(G, only="rank"),
    ):
        assert algorithm(A).isclose(algorithm(in_memory))
    assert A.is_on_disk
    gb.memory_limit(0)
    assert not gb.io.open(path).is_on_disk


def test_memory_limit():
    free = gb.memory_limit()
    try:
        for size, expected in (("64K", 2**16), ("1.5G", 3 * 2**29), (12345, 12345), (np.int64(2**20), 2**20)):
            assert gb.memory_limit(size) == expected == gb.memory_limit()
        for size, words in (("large", 'MEMORY is "large", not a size such as 4G or 500M'), ("-1", "not a size"), ("4Q", "not a size")):
            with pytest.raises(gb.exceptions.InvalidValue, match=words):
                gb.memory_limit(size)
        for size in (1e9, [1]):
            with pytest.raises(TypeError, match="size: an integer"):
                gb.memory_limit(size)
        with pytest.raises((ValueError, OverflowError)):
            gb.memory_limit(-1)
        assert gb.memory_limit() == 2**20
    finally:
        assert gb.memory_limit(0) > min(free, 2**26) / 2


def test_options(shared):
    path = shared("options.pages")
    entries = [0, 0, 0, 2, 2], [1, 1, 0, 1, 3], [5, 4, 9, -1, 2]
    for options, expected in (
        ({}, {0: {0: 9, 1: 4}, 2: {1: -1, 3: 2}}),
        ({"mirror": True}, {0: {0: 9, 1: 4}, 1: {0: 4, 2: -1}, 2: {1: -1, 3: 2}, 3: {2: 2}}),
        ({"loops": False}, {0: {1: 4}, 2: {1: -1, 3: 2}}),
        ({"dup_op": "max"}, {0: {0: 9, 1: 5}, 2: {1: -1, 3: 2}}),
        ({"dup_op": gb.binary.plus, "mirror": True}, {0: {0: 9, 1: 9}, 1: {0: 9, 2: -1}, 2: {1: -1, 3: 2}, 3: {2: 2}}),
        ({"dup_op": gb.monoid.times}, {0: {0: 9, 1: 20}, 2: {1: -1, 3: 2}}),
    ):
        with gb.io.PageWriter(path, 4, 4, **options) as file:
            if gb.rank() == gb.size() - 1:
                file.append(*entries)
        assert gb.io.open(path).to_dicts() == expected
    with gb.io.PageWriter(path, 4, 4, values=False, mirror=True, by_degree=True) as file:
        if gb.rank() == 0:
            file.append(entries[0], entries[1])
    A, names = gb.io.open(path, names=True)
    assert names.tolist() == [0, 1, 2, 3] and A.dtype == "BOOL" and A.nvals == 7
    with gb.io.PageWriter(path, 2, 3) as file:
        file.append([1], [2], 7)
    A, names = gb.io.open(path, names=True)
    assert A.to_dicts() == {1: {2: 7}} and A.shape == (2, 3) and names.tolist() == [0, 1]
    with gb.io.PageWriter(path, 2, 3):
        pass
    assert gb.io.open(path).nvals == 0


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_result_on_disk_is_written_in_parts(shared, small_memory, monkeypatch, symmetric):
    n, rows, columns, values = graph()
    path, copy = shared("a.pages"), shared("copy.pages")
    write_parts(path, n, rows, columns, values, mirror=symmetric)
    A = gb.io.open(path)
    assert A.is_on_disk
    monkeypatch.setattr(page_files, "PART_ENTRIES", 5000)
    monkeypatch.setattr(page_files, "MAX_PARTS", 10)
    assert len(list(page_files.row_parts(A))) >= 5
    results = A, A.apply("ainv").new(), A.select("==", 3.0).new().apply("one").new(bool) if symmetric else A.T.new()
    for result in results:
        gb.io.write(result, copy, symmetric=symmetric)
        assert gb.io.open(copy).isequal(result, check_dtype=True)
    with pytest.raises(ValueError, match="Not a|cannot write"):
        gb.io.write(A, shared("missing") / "copy.pages", symmetric=symmetric)


def test_more_rows_than_32_bits_are_written_in_parts(shared, small_memory, monkeypatch):
    n, path, copy = 2**40, shared("a.pages"), shared("copy.pages")
    _, rows, columns, values = graph()
    rows, columns = rows * 700000001, columns * 600000001
    write_parts(path, n, rows, columns, values)
    A = gb.io.open(path)
    assert A.is_on_disk and A[2**38 : n, 5:n].new().nvals == ((rows >= 2**38) & (columns >= 5)).sum() > 0
    monkeypatch.setattr(page_files, "PART_ENTRIES", 5000)
    monkeypatch.setattr(page_files, "MAX_PARTS", 10)
    assert len(list(page_files.row_parts(A))) >= 5
    gb.io.write(A, copy)
    assert gb.io.open(copy).isequal(A, check_dtype=True)


@pytest.mark.parametrize("by_degree", [False, True])
def test_names_of_parts(shared, small_memory, by_degree):
    n, rows, columns, values = graph()
    path, copy = shared("a.pages"), shared("copy.pages")
    names = np.arange(n, dtype=np.uint64) * np.uint64(10**10)
    write_parts(path, n, rows, columns, values, names=names, by_degree=by_degree)
    A, found = gb.io.open(path, names=True)
    assert A.is_on_disk and np.array_equal(np.sort(found), names) and (by_degree or np.array_equal(found, names))
    gb.io.write(A, copy, names=found)
    B, again = gb.io.open(copy, names=True)
    assert B.isequal(A, check_dtype=True) and np.array_equal(again, found)
    with pytest.raises(ValueError, match="PageWriter: names has 5 integers, one for each row, not 1500"):
        gb.io.PageWriter(path, 5, 5, names=names)
    with pytest.raises(gb.exceptions.DimensionMismatch, match="each row of a square matrix has one"):
        with gb.io.PageWriter(path, n, 5, names=names):
            pass


def test_few_entries_of_many_rows_are_a_small_file(shared):
    path, n = shared("few.pages"), 2**28
    with gb.io.PageWriter(path, n, n) as file:
        if gb.rank() == 0:
            file.append([5, 2**27], [n - 1, 7], [1.5, 2])
    A = gb.io.open(path)
    assert A.shape == (n, n) and path.stat().st_size < 10**4
    assert A[5, n - 1] == 1.5 and A[2**27, 7] == 2 and A.nvals == 2


def test_names_of_a_graph(shared):
    path = shared("grqc.pages")
    A, names = gb.io.read(DATA / "ca-GrQc.txt", names=True)
    gb.io.write(A, path, names=names)
    opened, same = gb.io.open(path, names=True)
    assert opened.isequal(A) and np.array_equal(names, same)
    gb.io.convert_to_pages(DATA / "ca-GrQc.txt", path)
    opened = gb.io.open(path)
    assert opened.isequal(A)
    gb.io.convert_to_pages(DATA / "ca-GrQc.txt", path, directed=True, by_degree=True)
    opened, other = gb.io.open(path, names=True)
    order = np.argsort(other)
    assert np.array_equal(names, other[order]) and opened[order, order].new().isequal(gb.io.read(DATA / "ca-GrQc.txt", directed=True))


def test_convert_to_pages(shared):
    path, source = shared("a.pages"), shared("a.mtx")
    weighted = gb.Matrix.from_coo([0, 1, 1, 4], [1, 0, 1, 2], [0.5, 2, 2, -3], nrows=5, ncols=5)
    gb.io.write(weighted, source)
    gb.io.convert_to_pages(source, path, directed=True)
    assert gb.io.open(path).isequal(weighted, check_dtype=True)
    gb.io.convert_to_pages(source, path, loops=False)
    assert gb.io.open(path).isequal(gb.io.read(source, loops=False))
    gb.io.convert_to_pages(source, path, directed=True, values=False)
    assert gb.io.open(path).dtype == "BOOL"
    gb.io.write(weighted[:3, :].new(), source)
    with pytest.raises(gb.exceptions.InvalidValue, match="square matrices, not 3 x 5"):
        gb.io.convert_to_pages(source, path)
    assert gb.io.open(path).shape == (5, 5)


def test_bad_paths(shared):
    A = gb.Matrix.from_coo([0], [1], [2.0], nrows=2, ncols=2)
    missing, text, folder = shared("missing.pages"), shared("text.pages"), shared("folder")
    if gb.rank() == 0:
        text.write_text("0 1\n")
        folder.mkdir()
    barrier()
    for read in (gb.io.open, lambda path: gb.io.convert_to_pages(path, shared("a.pages"))):
        with pytest.raises(FileNotFoundError, match="missing.pages"):
            read(missing)
        with pytest.raises(gb.exceptions.InvalidValue, match="folder"):
            read(folder)
        with pytest.raises(TypeError, match="path: a file's name is expected, not 5"):
            read(5)
        with pytest.raises(ValueError, match="null characters"):
            read("a\0b")
    with pytest.raises(gb.exceptions.InvalidValue, match="text.pages"):
        gb.io.open(text)
    for path in (missing / "a.pages", folder, text / "a.pages"):
        with pytest.raises(gb.exceptions.InvalidValue, match=f"{re.escape(str(path))}.*cannot write"):
            with gb.io.PageWriter(path, 2, 2):
                raise AssertionError("the block is not entered")
        with pytest.raises(gb.exceptions.InvalidValue, match=re.escape(str(path))):
            gb.io.write(A, path, "pages")
    assert folder_of(text) == ["folder", "text.pages"] and not list(folder.iterdir())


def test_a_damaged_file(shared):
    n, rows, columns, values = graph()
    path = shared("damaged.pages")
    write_parts(path, n, rows, columns, values)
    if gb.rank() == 0:
        data = bytearray(path.read_bytes())
        data[-5000] ^= 1
        path.write_bytes(data)
    barrier()
    gb.memory_limit("64K")
    try:
        with pytest.raises(gb.exceptions.InvalidValue, match="damaged.pages: the page file is damaged"):
            gb.io.open(path).reduce_rowwise("plus").new().wait()
    finally:
        gb.memory_limit(0)
    if gb.rank() == 0:
        path.write_bytes(data[:2000])
    barrier()
    with pytest.raises(gb.exceptions.InvalidValue, match="damaged.pages"):
        gb.io.open(path)


def test_bad_entries(shared):
    path = shared("a.pages")
    for entries, kind, words in (
        (([0], [1, 2], [1.0]), ValueError, "one length"),
        (([0], [1], [1.0, 2.0]), ValueError, "1 are expected"),
        (([0], [1], ["x"]), TypeError, "real numbers"),
        (([0], [1]), ValueError, "values are expected, not None"),
        (([-1], [1], 1.0), IndexError, "rows: -1 is below 0"),
        (([0.5], [1], 1.0), TypeError, "integers"),
        (([0], [1], [2**53 + 1]), gb.exceptions.InvalidValue, r"beyond 2\^53"),
        (([0, 7], [1, 1], 1.0), gb.exceptions.IndexOutOfBound, r"\(7, 1\) is outside 3 x 3"),
    ):
        with pytest.raises(kind, match=words):
            with gb.io.PageWriter(path, 3, 3) as file:
                file.append(*entries)
        assert folder_of(path) == []
    with pytest.raises(ValueError, match="None is expected"):
        with gb.io.PageWriter(path, 3, 3, values=False) as file:
            file.append([0], [1], [1.0])
    with pytest.raises(gb.exceptions.IndexOutOfBound, match=r"\(7, 1\) is outside 3 x 3"):
        with gb.io.PageWriter(path, 3, 3) as file:
            try:
                file.append([7], [1], 1.0)
            except gb.exceptions.IndexOutOfBound:
                file.append([0], [1], 1.0) if gb.size() > 9 else None  # a caught error is an error of the file
    assert folder_of(path) == []
    with pytest.raises(ValueError, match="dup_op: min, max, plus or times is expected, not minus"):
        gb.io.PageWriter(path, 3, 3, dup_op="minus")
    writer = gb.io.PageWriter(path, 3, 3)
    with pytest.raises(ValueError, match="a.pages is written within `with"):
        writer.append([0], [1], 1.0)
    with pytest.raises(ValueError, match="in use"):
        with writer, writer:
            pass
    for arguments, options, kind, words in (
        ((2, 3), {"mirror": True}, gb.exceptions.InvalidValue, "square matrices, not 2 x 3"),
        ((2**61, 3), {}, gb.exceptions.InvalidValue, "more than 2\\^60"),
        ((2**33, 2**33), {"by_degree": True}, gb.exceptions.NotImplementedException, "2\\^32"),
        ((-1, 3), {}, ValueError, "nrows"),
        ((2, "3"), {}, TypeError, "ncols"),
    ):
        with pytest.raises(kind, match=words):
            with gb.io.PageWriter(path, *arguments, **options):
                raise AssertionError("the block is not entered")
    assert folder_of(path) == []


@pytest.mark.parametrize("failing", [0, -1])
def test_an_interrupted_writing_leaves_nothing_behind(shared, small_memory, failing):
    """The process that fails raises its own exception, all others one that names it, and the old file is unchanged."""
    n, rows, columns, values = graph(n=5000)
    path, failing = shared("a.pages"), failing % gb.size()
    write_parts(path, 4, np.array([0, 1]), np.array([1, 2]), np.array([3.0, 4.0]))
    before = path.read_bytes()
    fails = gb.rank() == failing
    with pytest.raises(KeyboardInterrupt if fails else gb.exceptions.InvalidValue) as caught:
        with gb.io.PageWriter(path, n, n) as file:
            for part in np.array_split(np.arange(len(rows)), 10):
                file.append(rows[part], columns[part], values[part])
            if fails:
                raise KeyboardInterrupt("stop")
    assert fails or "a.pages: not written, because of KeyboardInterrupt: stop" in str(caught.value)
    assert folder_of(path) == ["a.pages"] and path.read_bytes() == before


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name)
def test_a_signal(tmp_path, ending):
    """What a killed process leaves is removed by the next one that writes the file."""
    if gb.rank() > 0:
        return
    program = """
        import sys, time
        import numpy as np
        import gridblas as gb
        gb.memory_limit("64K")
        with gb.io.PageWriter(sys.argv[1], 10000, 10000) as file:
            for k in range(10):
                file.append(np.arange(10000), np.arange(10000)[::-1], k)
            print("written", flush=True)
            for _ in range(1000):
                time.sleep(0.1)  # a signal just before a sleep is seen at its end
    """
    path = tmp_path / "a.pages"
    alone = {name: value for name, value in os.environ.items() if not re.match("OMPI|PMI|PRTE|GRIDBLAS_GRID", name)}
    command = [sys.executable, "-c", textwrap.dedent(program), path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=alone, text=True) as child:
        assert child.stdout.readline() == "written\n"
        assert [file.name for file in tmp_path.iterdir() if file.name.startswith("a.pages.unfinished.")]
        child.send_signal(ending)
        assert child.wait(60) != 0
    remaining = list(tmp_path.iterdir())
    assert remaining == [] if ending == signal.SIGINT else len(remaining) <= 1
    if gb.size() == 1:
        gb.io.write(gb.Matrix.from_coo([0], [1], [1.0]), path)
        assert list(tmp_path.iterdir()) == [path]


def test_the_example_of_the_page(shared, monkeypatch, capsys):
    """docs/python.md, "Graphs larger than memory": the program runs, and prints what the comments say."""
    text = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    section = text[text.index("## Graphs larger than memory") :]
    program = re.search(r"^```python\n(.*?)^```$", section, re.S | re.M)[1]
    monkeypatch.chdir(shared(""))
    try:
        exec(compile(program, "docs/python.md", "exec"), {"gb": gb})
    finally:
        gb.memory_limit(0)
    expected = re.findall(r"print\(.*\) +# (.*)", program)
    assert expected and capsys.readouterr().out.splitlines() == expected
