#!/bin/bash
# Compiles gridblas for aarch64 on another processor, and runs its unit tests of one process under qemu. For Debian 12.
# Usage: packaging/aarch64.sh WORK_FOLDER [--install] [NAME...]
#   --install  installs the cross compiler and qemu if they are missing (root); without it the script ends with 77, and says what is missing
#   NAME       unit tests to build and run; default: all
# WORK_FOLDER keeps Debian's libraries for arm64, unpacked, and the build, for the next time. With 25 tests it takes 0.8 GB.
# GRIDBLAS_JOBS: how many compilers and tests run at once; default: one a core.
set -eu
source=$(realpath "$(dirname "$0")/..")
[ $# -ge 1 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
mkdir -p "$1"
work=$(realpath "$1") jobs=${GRIDBLAS_JOBS:-$(nproc)} triple=aarch64-linux-gnu
shift
install=
[ "${1-}" != --install ] || { install=yes; shift; }
root=$work/root build=$work/build
skip() { echo "skipped: $*"; exit 77; }

tools="gcc-$triple libc6-dev-arm64-cross qemu-user-static cmake ninja-build pkg-config"
missing=
for package in $tools; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -n "$missing" ] && [ "$install" ] && [ "$(id -u)" -eq 0 ]; then
  apt-get update -q
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
elif [ -n "$missing" ]; then
  skip "missing Debian packages:$missing"
fi

# Debian's libraries for arm64 are unpacked into a folder, not installed: apt with a state of its own names and fetches them.
libraries="libc6-dev libgcc-s1 libgomp1 libopenmpi-dev openmpi-bin zlib1g-dev libzstd-dev libjansson-dev libhdf5-openmpi-dev libmetis-dev libcmocka-dev"
if [ ! -e "$root/complete" ]; then
  mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial} "$root"
  : >"$work/apt/status"
  apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$work/apt/state" -o Dir::State::status="$work/apt/status"
       -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true)
  "${apt[@]}" update >"$work/apt/log" 2>&1 || skip "the mirror does not answer: $(tail -n 1 "$work/apt/log")"
  # shellcheck disable=SC2086
  "${apt[@]}" install -y --no-install-recommends --download-only $libraries >>"$work/apt/log" 2>&1 || { tail -n 5 "$work/apt/log"; exit 1; }
  for deb in "$work"/apt/cache/archives/*.deb; do dpkg-deb -x "$deb" "$root"; done
  # links to absolute paths would lead to this machine's files
  find "$root" -type l -lname '/*' | while read -r link; do ln -snf "$root$(readlink "$link")" "$link"; done
  touch "$root/complete"
fi

cat >"$work/toolchain.cmake" <<E_CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $triple-gcc)
set(CMAKE_SYSROOT $root)
set(CMAKE_LIBRARY_ARCHITECTURE $triple)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;$root)
set(MPI_SKIP_COMPILER_WRAPPER ON)
set(MPI_C_HEADER_DIR $root/usr/lib/$triple/openmpi/include)
set(MPI_C_LIB_NAMES mpi)
set(MPI_mpi_LIBRARY $root/usr/lib/$triple/openmpi/lib/libmpi.so)
# libraries that those named need, and that the linker looks for
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,$root/usr/lib/$triple:$root/lib/$triple:$root/usr/lib/$triple/openmpi/lib")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "\${CMAKE_EXE_LINKER_FLAGS_INIT}")
E_CMAKE
export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
launcher=
command -v ccache >/dev/null && launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
cmake -S "$source" -B "$build" -G Ninja --toolchain "$work/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DGRIDBLAS_WERROR=ON -DGRIDBLAS_CUDA=OFF -DGRIDBLAS_PYTHON=OFF -DGRIDBLAS_FORTRAN=OFF \
  $launcher >"$work/configure.log" 2>&1 || { tail -n 20 "$work/configure.log"; exit 1; }
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for file in "$source"/tests/unit_*.c; do
    name=$(basename "$file" .c)
    case $name in unit_*cuda*) ;; *) names+=("$name") ;; esac
  done
fi
ninja -C "$build" -j "$jobs" gridblas "${names[@]}" >"$work/build.log" 2>&1 || { grep -A 5 -E 'error|FAILED' "$work/build.log" | head -n 40; exit 1; }
$triple-readelf -h "$build/gridblas" | grep Machine

# unit_jit_cpu compiles at run time: by the cross compiler, which knows no processor as "native". It checks each folder from / on,
# where qemu's option -L shows another one; so it gets its libraries from the loader's option.
mkdir -p "$work/bin"
cat >"$work/bin/cc" <<E_CC
#!/bin/bash
exec $triple-gcc --sysroot=$root "\${@/#-march=native/-O3}"
E_CC
chmod +x "$work/bin/cc"
ln -sf cc "$work/bin/gcc"
PATH=$work/bin:$PATH
# Open MPI starts no daemon for one process. Other tests start no compiler.
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMP_NUM_THREADS=2 GOMP_SPINCOUNT=0 GRIDBLAS_CC=off GRIDBLAS_TIMEOUT=0
mkdir -p "$work/logs"
run() { # one test under qemu: a line, and its output in a file
  local begin=$SECONDS rc=0 start=(-L "$root")
  [ "$1" != unit_jit_cpu ] || start=("$root/lib/ld-linux-aarch64.so.1" --library-path "$root/usr/lib/$triple:$root/lib/$triple")
  (cd "$build/tests" && timeout 1200 qemu-aarch64-static "${start[@]}" "./$1") >"$work/logs/$1" 2>&1 || rc=$?
  case $rc in
    0) echo "passed  $1 $((SECONDS - begin)) s" ;;
    77) echo "skipped $1: $(grep -m 1 -i skipped "$work/logs/$1")" ;;
    *) echo "FAILED  $1 (exit status $rc, $work/logs/$1)" ;;
  esac
}
export -f run
export build work root triple
printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I NAME bash -c 'run NAME' | tee "$work/results"
! grep -q FAILED "$work/results"
