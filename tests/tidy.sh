#!/bin/sh
# clang-tidy (.clang-tidy) over the C files of the library, the program and the examples, with the compile commands of a build.
# Usage: tidy.sh SOURCE_DIR BUILD_DIR [FILE...]
# Without FILE: a selection (source_files.sh); all (SOURCES=all) take 13 minutes of two cores.
set -eu
source=$1 build=$2
shift 2
command -v clang-tidy >/dev/null || { echo "skipped: no clang-tidy (Debian: clang-tidy)"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$source"

# check FILE: prints the findings. tests/tidy.h describes for the analyzer the calls that the file does not define itself.
cat >"$tmp/check" <<'C'
#!/bin/sh
set --  "$1" "$2"  # build, file
inside=
case $2 in
  semiring/* | spmat/* | dist/*) inside="--extra-arg=-include --extra-arg=$PWD/tests/tidy.h" checks= ;;
  *) checks=-clang-analyzer-* ;; # tests/tidy.h does not describe the error functions of programs
esac
defines=$(sed -nE 's/^(GrB_Info|bool) ((grid_(lookahead_can_take|fail|agree|short_call_agree|check_[a-z_]+|wait_[a-z]+|device_fail_memory|blob_info_read_shares|local_list_make|(matrix_)?entrywise_objects))|Grid_agree)\(.*/--extra-arg=-DGRID_DEFINES_\2/p' "$2")
clang-tidy -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-value ${checks:+--checks=$checks} $inside $defines "$2" 2>&1 | grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter'
exit 0
C
chmod +x "$tmp/check"

if [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  tests/source_files.sh . "$build"
fi >"$tmp/files"
[ -s "$tmp/files" ] || { echo "no files to look at in $build/compile_commands.json"; exit 1; }
# Without gcc's own options, and without files of dist/ over SuiteSparse's header (bench/CMakeLists.txt).
sed -E 's/ -fvect-cost-model=dynamic| -mmem(set|cpy)-strategy=[^ ]*//g' "$build/compile_commands.json" |
  awk -v RS='},' '!(/PEER_HEADER/ && /\/dist\//) { printf "%s%s", separator, $0; separator = "}," }' >"$tmp/compile_commands.json"
xargs -P "$(nproc)" -n 1 "$tmp/check" "$tmp" <"$tmp/files" >"$tmp/found"
[ ! -s "$tmp/found" ] || { cat "$tmp/found"; exit 1; }
echo "clang-tidy: $(wc -l <"$tmp/files") files, clean"
