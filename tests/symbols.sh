#!/bin/sh
# The exported symbols of the libraries.
# Static: every name starts with GrB_, GxB_, Grid_ or grid_; in the prefixed library none with GrB_ or GxB_, so that it links beside SuiteSparse:GraphBLAS. Exceptions cannot clash: names of
# unnamed namespaces of .cu files; CUB's templates, which contain their version; NVTX's, which are weak and hidden.
# Shared: exactly the names that the public headers declare.
# Run paths (where the loader looks for libraries), in the build folder and installed: none depends on the current folder.
# Usage: symbols.sh SOURCE_DIR BUILD_DIR libgridblas.a libgridblas_prefixed.a [libgridblas.so libgridblas_prefixed.so]
set -eu
source=$1 build=$2 static=$3 prefixed=$4 shared=${5:-} prefixed_shared=${6:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. "$(dirname "$0")/built.sh"
built gridblas "$static"
built prefixed_archive "$prefixed"
[ -z "$shared" ] || built gridblas_shared "$shared"
[ -z "$prefixed_shared" ] || built gridblas_prefixed_shared "$prefixed_shared"

# run_path FILE: the entries, one a line, empty ones too.
run_path() {
  readelf -d "$1" 2>"$tmp/none" | sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/\2/p' | tr : '\n'
}
# needs FILE: the libraries that it is linked with.
needs() {
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'
}

find "$build" -name CMakeFiles -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print >"$tmp/files"
while read -r file; do
  if run_path "$file" | grep -vE '^(/|\$ORIGIN(/|$))' >"$tmp/entries"; then
    echo "$file: the run path has an empty or a relative entry: $(run_path "$file" | tr '\n' :)"
    exit 1
  fi
done <"$tmp/files"
# Installed, an entry is a folder with a needed library; $ORIGIN is for libgridblas only.
for part in library,all program,all program_shared,gridblas_program_shared python,python_package; do
  install_build "${part#*,}" "$build" --prefix "$tmp/${part%,*}" --component "${part%,*}"
done
find "$tmp/library" "$tmp/program" "$tmp/program_shared" "$tmp/python" -type f \( -perm -u+x -o -name '*.so*' \) >"$tmp/installed" 2>"$tmp/none" || true
while read -r file; do
  run_path "$file" >"$tmp/entries"
  while read -r entry; do
    found=
    for library in $(needs "$file"); do
      case $entry,$library in
        \$ORIGIN*,libgridblas*.so.*) found=1 ;;
        "$build"*) ;;
        /*) [ ! -e "$entry/$library" ] || found=1 ;;
      esac
    done
    [ -n "$found" ] || { echo "${file#"$tmp"/}, installed: a run path that it does not need: $entry"; exit 1; }
  done <"$tmp/entries"
done <"$tmp/installed"
echo "run paths: $(wc -l <"$tmp/files") files in the build folder, $(wc -l <"$tmp/installed") installed"

# names FILE [OPTIONS OF nm]
names() {
  nm ${2:-} --defined-only --extern-only --format=posix "$1" 2>"$tmp/none" | awk 'NF > 1 { print $1 }' | LC_ALL=C sort -u
}

# prefixes FILE PATTERN: the names of a static library in $tmp/static; all match the pattern, or are exceptions.
prefixes() {
  names "$1" >"$tmp/static"
  [ -s "$tmp/static" ] || { echo "nm found no names in $1"; exit 1; }
  if grep -vE "_GLOBAL__N_|(CUB|THRUST)_[0-9]+|^_Z[A-Z]*4cuda|^(nvtx|InitializeInjectionNvtx)|^(DW\.ref\.|$2|__asan_|__odr_asan|_init\$|_fini\$)" "$tmp/static" >"$tmp/others"; then
    echo "$1, not prefixed:" $(cat "$tmp/others")
    exit 1
  fi
  echo "$1: $(wc -l <"$tmp/static") names, all prefixed"
}

# exports FILE OPTIONS OF THE COMPILER: the shared library exports what the headers declare, after preprocessing, and the static one defines. Types are not symbols.
printf '#include <gridblas.h>\n#include <gridblas_algos.h>\n' >"$tmp/all.c"
exports() {
  file=$1
  shift
  names "$file" -D | sed 's/@.*//' | grep -vE '^(_init|_fini|_edata|_end|__bss_start|GRIDBLAS_1)$' | LC_ALL=C sort -u >"$tmp/shared"
  "${CC:-cc}" -E -P -I"$source/include" "$@" "$tmp/all.c" | grep -oE '\b((grid_)?G[rx]B_|Grid_)[A-Za-z0-9_]+' | LC_ALL=C sort -u >"$tmp/public"
  LC_ALL=C comm -23 "$tmp/shared" "$tmp/public" >"$tmp/more"
  [ ! -s "$tmp/more" ] || { echo "$file exports what no public header declares:" $(head -20 "$tmp/more"); exit 1; }
  LC_ALL=C comm -12 "$tmp/static" "$tmp/public" | LC_ALL=C comm -13 "$tmp/shared" - >"$tmp/fewer"
  [ ! -s "$tmp/fewer" ] || { echo "$file lacks:" $(head -20 "$tmp/fewer"); exit 1; }
  echo "$file: $(wc -l <"$tmp/shared") names, all declared in the public headers"
}

prefixes "$static" 'G[rx]B_|Grid_|grid_'
[ -z "$shared" ] || exports "$shared"
prefixes "$prefixed" 'Grid_|grid_'
[ -z "$shared" ] || exports "$prefixed_shared" -DGRIDBLAS_PREFIXED_NAMES -I"$build/include"
