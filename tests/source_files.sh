#!/bin/sh
# The C files that the slow source checks (tidy.sh, cppcheck.sh) read: those changed by the last 15 commits, and a sixteenth of all
# others, the next sixteenth at the next commit. SOURCES=all, or no git history: all files.
# Usage: source_files.sh SOURCE_DIR BUILD_DIR
set -eu
cd "$1"
all=$(sed -n "s|^ *\"file\": \"$PWD/\(.*\.c\)\".*|\1|p" "$2/compile_commands.json" | grep -E '^(semiring|spmat|dist|algos|bench|examples)/' | sort -u)
changed=$(git diff --name-only HEAD~15 2>/dev/null) && commits=$(git rev-list --count HEAD) || SOURCES=all
if [ "${SOURCES:-}" = all ]; then
  printf '%s\n' "$all"
else
  printf '%s\n' "$all" | CHANGED=$changed awk -v c="$commits" '
    BEGIN { n = split(ENVIRON["CHANGED"], f, "\n"); for (k = 1; k <= n; k++) lately[f[k]] }
    NR % 16 == c % 16 || $0 in lately'
fi
