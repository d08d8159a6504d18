"""Packs cuGraph for a GPU machine without network: python3 bench/cugraph_pack.py FOLDER [CAPABILITY]

Downloads cuGraph's Python packages and leaves in FOLDER what bench/measure/gpu_cugraph.c needs: headers, and libraries with machine code for one compute
capability only (default 90: H100, H200), compressed with xz. That is 45 MB of 880. Libraries for several GPUs, clustering by k-means and files are empty
stand-ins: gpu_cugraph calls nothing of them. `bench/gpu.sh OUT build cugraph` unpacks FOLDER if it is .carry/cugraph. Needs pip, a C compiler and xz.
"""

import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

VERSION = "26.10.0"
PACKAGES = [f"{name}-cu13=={VERSION}" for name in ("libcugraph", "libraft", "librmm")] + ["rapids-logger"]
KEPT = ("libcugraph/lib64/libcugraph.so", "libcugraph/lib64/libcugraph_c.so", "libcugraph/lib64/libcugraph_common.so", "libraft/lib64/libraft.so",
        "librmm/lib64/librmm.so", "rapids_logger/lib64/librapids_logger.so")
EMPTY = ("libcugraph/lib64/libcugraph_mg.so", "libcuvs/lib64/libcuvs.so", "libkvikio/lib64/libkvikio.so")
HEADERS = ("libcugraph/include/cugraph_c", "librmm/include", "rapids_logger/include")

FATBIN_MAGIC = 0xBA55ED50
MACHINE_CODE = 2  # the kind of an entry of a fat binary


def keep_one_capability(library, capability):
    """Overwrites with zeros, which compress well, the code for other compute capabilities in the library's fat binaries."""
    code = bytearray(library.read_bytes())
    at = 0
    while (at := code.find(struct.pack("<I", FATBIN_MAGIC), at)) >= 0:
        _, version, header, size = struct.unpack_from("<IHHQ", code, at)
        if version != 1 or header != 16:  # these four bytes are something else
            at += 4
            continue
        at, end = at + header, at + header + size
        while at < end:
            kind, _, header, size = struct.unpack_from("<HHIQ", code, at)
            (built_for,) = struct.unpack_from("<I", code, at + 28)
            if kind != MACHINE_CODE or built_for != capability:
                code[at + header:at + header + size] = bytes(size)
            at += header + size
    library.write_bytes(code)


def main():
    to, capability = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 90
    with tempfile.TemporaryDirectory() as wheels, tempfile.TemporaryDirectory() as unpacked:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", wheels, *PACKAGES], check=True)
        for wheel in pathlib.Path(wheels).glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(unpacked)
        site = pathlib.Path(unpacked)
        runtime = [str(p.relative_to(site)) for p in site.glob("libcugraph_cu13.libs/libgomp*")]
        for name in [*KEPT, *runtime]:
            keep_one_capability(site / name, capability)
            packed = to / ("libcugraph/lib64/" + pathlib.Path(name).name if name in runtime else name)
            packed.parent.mkdir(parents=True, exist_ok=True)
            with open(f"{packed}.xz", "wb") as out:
                subprocess.run(["xz", "-T0", "-c", str(site / name)], stdout=out, check=True)
        with tarfile.open(to / "headers.tar.xz", "w:xz") as headers:
            for folder in HEADERS:
                headers.add(site / folder, folder)
    for name in EMPTY:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname," + pathlib.Path(name).name, "-x", "c", "-", "-o", str(to / name)], input=b"int empty;", check=True)


main()
