#!/bin/sh
# cppcheck over C files of the library and the program (source_files.sh), with the compile commands of a build.
# Usage: cppcheck.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
command -v cppcheck >/dev/null || { echo "skipped: no cppcheck (Debian: cppcheck)"; exit 77; }
cd "$source"
# A finding is an error unless its line has cppcheck-suppress, with the reason. _Generic is replaced: cppcheck 2.10 ends some files
# at it with "AST broken", in each build others.
files=$(tests/source_files.sh . "$build")
shift 2
for file in $files; do # as the build names them: from here, or from the root
  set -- "$@" "--file-filter=$file" "--file-filter=$PWD/$file"
done
cppcheck --project="$build/compile_commands.json" "$@" --enable=warning,performance,portability --inline-suppr --quiet -j "$(nproc)" "-D_Generic(...)=0" \
  --template='{file}:{line}: {severity}: {message} [{id}]' --error-exitcode=1
echo "cppcheck: $(echo "$files" | wc -l) files, clean"
