#!/bin/bash
# Checks of the source tree that take seconds: tests/source.sh [--format]. It prints one line a check, and what a failed one found; the exit status is 0
# when all passed. A check without its tool is skipped. --format first formats the C and CUDA files in place.
set -u
cd "$(dirname "$0")/.." || exit 2
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# Files that git knows or would add; without git every file, but those of build folders.
git ls-files --cached --others --exclude-standard >"$results/files" 2>/dev/null || find . -path ./build -prune -o -type f -print | sed 's|^\./||' >"$results/files"
while read -r file; do [ -f "$file" ] && echo "$file"; done <"$results/files" | sort -u >"$results/all"
files() { grep -E "$1" "$results/all"; }

c_files() { files '\.(c|h|cu|cuh)$' | xargs -P "$(nproc)" -n 40 "$@"; }
# clang-format fills a comment with a line that is too long: then a list of parameters becomes running text.
check_format() { c_files clang-format --dry-run -Werror && ! grep -nE '^ \* [^ ].*[^ ] {3}[^ ]' include/*.h; }
check_layers() { tests/layers.sh .; }
check_links() { python3 tests/links.py .; }
check_glossary() { python3 tests/glossary.py .; }
# SC2046: lists of words; SC2010: names without spaces; SC2034: variables of files that are sourced.
check_shellcheck() { (files '\.sh$'; echo .ci/run) | xargs -P "$(nproc)" -n 12 shellcheck -x -P SCRIPTDIR -S warning -e SC2046,SC2010,SC2034; }
check_ruff() { files '\.py$' | xargs ruff check --quiet --config python/pyproject.toml; }

# start CHECK TOOL: in the background; status and output below $results.
start() {
  if ! command -v "$2" >/dev/null; then
    echo "skipped: no $2" >"$results/$1.out"
    echo 77 >"$results/$1.status"
    return
  fi
  { "check_$1" >"$results/$1.out" 2>&1; echo $? >"$results/$1.status"; } &
}
# Twice: clang-format moves on from its own result where macros follow each other.
[ "${1:-}" != --format ] || { c_files clang-format -i && c_files clang-format -i; } || exit 2
start format clang-format
start layers sh
start links python3
start glossary python3
start shellcheck shellcheck
start ruff ruff
wait
failed=0
for check in format layers links glossary shellcheck ruff; do
  case $(cat "$results/$check.status") in
    0) echo "$check: passed" ;;
    77) echo "$check: $(cat "$results/$check.out")" ;;
    *)
      failed=1
      echo "$check: FAILED"
      head -n 60 "$results/$check.out" | sed 's/^/    /'
      [ "$check" != format ] || echo "    tests/source.sh --format formats them"
      ;;
  esac
done
exit $failed
