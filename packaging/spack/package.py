# gridblas for Spack: packages/gridblas/package.py of a repository (docs/packages.md).
# ruff: noqa: F403, F405

import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Gridblas(CMakePackage, CudaPackage):
    """Distributed sparse matrices with the GraphBLAS C API, for CPUs, MPI and GPUs."""

    # A release adds homepage, url and its version. Until then, check.sh inserts a checkout's path.
    git = "file:///CHECKOUT"

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Several processes: a plug-in for this MPI")
    variant("hdf5", default=True, description="Binsparse files")
    variant("metis", default=False, description="Orders of vertices that cut few edges")
    variant("python", default=False, description="The Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("jansson")
    depends_on("mpi", when="+mpi")
    # HDF5 with MPI would bind every program to that MPI.
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("metis", when="+metis")
    depends_on("cuda@13:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU's: cuda_arch=90")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    extends("python@3.10:", when="+python")
    depends_on("py-cffi", type=("build", "run"), when="+python")
    depends_on("py-numpy@1.24:", type=("build", "run"), when="+python")

    generator("ninja")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("GRIDBLAS_CUDA", "cuda"),
            self.define("GRIDBLAS_TESTS", False),
            self.define("GRIDBLAS_FORTRAN", False),
            self.define("GRIDBLAS_PYTHON", False),  # installed by install_python
        ]
        for name in ("mpi", "hdf5", "metis"):
            args.append(self.define_from_variant(f"GRIDBLAS_{name.upper()}", name))
        # What the system has is not used.
        args += [self.define(f"GRIDBLAS_{name}", False) for name in ("LIBDEFLATE", "SUITESPARSE")]
        args += [self.define(name, "NO") for name in ("OPENMPI_INCLUDE", "MPICH_INCLUDE")]
        if "+cuda" in spec:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", spec.variants["cuda_arch"].value))
        return args

    @run_after("install")
    def install_python(self):
        if "+python" not in self.spec:
            return
        source = join_path(self.stage.source_path, "python")
        for name in ("gridblas", "_nx_gridblas"):
            install_tree(join_path(source, name), join_path(python_platlib, name))
        package = join_path(python_platlib, "gridblas")
        headers = join_path(self.stage.source_path, "include")
        declarations = join_path(package, "_declarations.py")
        version = str(self.spec.version)
        python(join_path(source, "declare.py"), headers, declarations, version, os.environ["CC"])
        metadata = join_path(source, "metadata.py")
        python(metadata, join_path(source, "pyproject.toml"), python_platlib)
        library = find_libraries("libgridblas", root=self.prefix, shared=True)[0]
        symlink(library, join_path(package, "libgridblas.so"))
