#!/bin/sh
# Collects the dependencies that a GPU machine without network may lack into .carry/ (git-ignored): headers and libraries of jansson, cmocka, zlib and METIS, and
# NCCL's header, from this machine's Debian packages. bench/gpu.sh and bench/cpu.sh use .carry/ if it exists. Usage: bench/gpu_pack.sh [FOLDER]
# GPU_OLD_COMMIT=COMMIT: also the source of that commit, in FOLDER/old, for `bench/gpu.sh OUT against` and bench/cpu.sh.
# PEER=FILE: also that wheel of suitesparse-graphblas, for bench/cpu.sh, with Debian's header (the wheel has none).
set -eu
cd "$(dirname "$0")/.."
to=${1:-.carry}
rm -rf "$to"
mkdir -p "$to/include" "$to/lib"

# copy PACKAGE...: the headers and libraries of installed packages, or of packages fetched for this; links become files.
copy() {
  for package in "$@"; do
    if dpkg-query -W "$package" >/dev/null 2>&1; then
      dpkg -L "$package"
    else
      (cd "$fetched" && apt-get download -q "$package" >/dev/null && dpkg -x "$package"_*.deb "$package")
      find "$fetched/$package" -type f -o -type l
    fi | while read -r file; do
      case "$file" in
        */doc/*) ;;
        */include/*.h) cp -L "$file" "$to/include/" ;;
        *.a | *.so | *.so.*) [ ! -e "$file" ] || cp -L "$file" "$to/lib/" ;;
      esac
    done
  done
}
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
copy libjansson4 libjansson-dev libcmocka0 libcmocka-dev zlib1g zlib1g-dev libmetis5 libmetis-dev
for header in /usr/include/nccl.h /usr/local/cuda/include/nccl.h /usr/local/include/nccl.h; do
  [ ! -e "$header" ] || cp -L "$header" "$to/include/"
done

if [ -n "${GPU_OLD_COMMIT:-}" ]; then
  mkdir -p "$to/old"
  git archive "$GPU_OLD_COMMIT" | tar -x -C "$to/old"
fi
if [ -n "${PEER:-}" ]; then
  mkdir -p "$to/suitesparse"
  cp "$PEER" "$to/"
  header=$(find /usr/include /usr/local/include -maxdepth 2 -name GraphBLAS.h | head -n 1)
  cp "$header" "$to/suitesparse/"
fi

for file in include/jansson.h include/cmocka.h include/zlib.h lib/libjansson.so lib/libcmocka.so lib/libz.so; do
  [ -s "$to/$file" ] || { echo "gpu_pack.sh: $to/$file is missing" >&2; exit 1; }
done
du -sh "$to"
