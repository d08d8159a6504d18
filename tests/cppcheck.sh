#!/bin/sh
# cppcheck over the C files of the library and the program, with the compile commands of a build.
# Usage: cppcheck.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
command -v cppcheck >/dev/null || { echo "skipped: no cppcheck (Debian: cppcheck)"; exit 77; }
cd "$source"
# What is found is an error unless its line says otherwise (cppcheck-suppress, with the reason).
cppcheck --project="$build/compile_commands.json" --file-filter='semiring/*' --file-filter='spmat/*.c' --file-filter='dist/*' \
  --file-filter='algos/*' --file-filter='bench/*.c' --enable=warning,performance,portability --inline-suppr --quiet -j "$(nproc)" \
  --template='{file}:{line}: {severity}: {message} [{id}]' --error-exitcode=1
echo "cppcheck: clean"
