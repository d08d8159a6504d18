#!/bin/bash
# Runs a page of docs/tutorials from top to bottom: tutorial.sh SOURCE_DIR BUILD_DIR PAGE [network]
#
# All blocks run in one temporary folder that stands for the project's: examples/ and build/release are links. The environment is what build/env.sh
# sets, and what earlier blocks of the page export.
#   ```sh               its commands run by bash, with set -e
#   ```text             after one of those: every line was printed, in this order; "..." stands for any text, or for any lines
#   ```LANG title="F"   becomes the file F; where examples/F exists they are equal
# A line <!-- test: WHAT --> before a block says what it needs. Without that the block is skipped, which is printed:
#   network             the word `network` was passed (ctest --preset packages)
#   gpu                 a GPU that this build of the program uses
#   command NAME        the command NAME is on the path
#   library NAME        the compiler finds -lNAME
#   python NAME         the Python that has the package has the module NAME, too
#   report              a Python with matplotlib, which `gridblas report` finds
#   ctest NAME          never run here: the test NAME runs these commands
# Exit status 77: everything was skipped.
set -eu
source=$(realpath "$1") folder=$(realpath "$2") page=$(realpath "$1")/docs/tutorials/$3.md network=${4:-}
[ -f "$page" ] || { echo "there is no $page"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/blocks" "$tmp/home" "$tmp/work/build"
cd "$tmp/work"
"$source/cmake/env.sh" "$folder" >build/env.sh
ln -s "$source/examples" examples
ln -s "$folder" build/release

# ---- the environment: nothing but paths, and what pip and git need to reach the network ----
environment=(HOME="$tmp/home" LANG=C.UTF-8 PYTHONPATH="$folder/python" PYTHONDONTWRITEBYTECODE=1)
for name in $(compgen -e); do
  case $name in PIP_* | GIT_CONFIG_* | OMPI_MCA_plm* | *_proxy | CUDA_VISIBLE_DEVICES | LD_LIBRARY_PATH) environment+=("$name=${!name}") ;; esac
done
path=$PATH
! grep -qE '(^| )python3 ' "$page" || for python in "$folder/python/venv/bin/python3" python3 /usr/bin/python3; do # the first that the package runs in
  python=$(command -v "$python") && env PYTHONPATH="$folder/python" "$python" -c 'import gridblas, scipy.sparse' 2>/dev/null && path=$(dirname "$python"):$PATH && break
done
environment+=(PATH="$path")
: >"$tmp/state"
# run FILE: its commands, in the folder and with the variables that the last ones left.
run() {
  # shellcheck disable=SC2016
  env -i "${environment[@]}" bash -c 'set -e; . "$1"; . "$2"; { export -p; printf "cd %q\n" "$PWD"; } >"$1"' run "$tmp/state" "$1" </dev/null
}

# ---- the page's blocks: NNNN.sh, .text and .file, with .needs, .name and .line beside them ----
awk -v blocks="$tmp/blocks" '
  function beside(what, text) { print text >(file "." what); close(file "." what) }
  /^<!-- test: .* -->$/ { needs = $0; sub(/^<!-- test: /, "", needs); sub(/ -->$/, "", needs); next }
  inside && /^```$/ { inside = 0; close(file); next }
  inside { if (kind != "") print >file; next }
  /^```/ {
    inside = 1; kind = ""; title = ""
    if (match($0, /title="[^"]*"/)) title = substr($0, RSTART + 7, RLENGTH - 8)
    if ($0 == "```sh" || $0 == "```text") kind = substr($0, 4)
    if (title != "") kind = "file"
    file = sprintf("%s/%04d.%s", blocks, NR, kind)
    if (kind != "") { printf "" >file; beside("line", NR) }
    if (kind != "" && needs != "") beside("needs", needs)
    if (title != "") beside("name", title)
    needs = ""
  }' "$page"

# lacks NEEDS: prints why a block is skipped; nothing if it runs.
lacks() {
  local what=${1%% *} name=${1#* }
  case $what in
    network) [ "$network" = network ] || echo "needs the network (ctest --preset packages)" ;;
    gpu) "$folder/gridblas" bfs path:9 --device cuda >"$tmp/gpu" 2>&1 || echo "needs a GPU" ;;
    command) command -v "$name" >/dev/null || echo "needs $name" ;;
    library) echo 'int main(void) { return 0; }' | cc -x c - -o "$tmp/linked" -l"$name" 2>/dev/null || echo "needs the library $name" ;;
    report)
      "$folder/gridblas" bfs path:9 --json "$tmp/path.json" >"$tmp/log" 2>&1
      "$folder/gridblas" report "$tmp/path.json" -o "$tmp/path.html" >"$tmp/log" 2>&1 || ! grep -q python3-matplotlib "$tmp/log" || echo "needs matplotlib" ;;
    python) env "${environment[@]}" python3 -c "import gridblas, $name" 2>/dev/null || echo "needs the Python package, and $name" ;;
    ctest)
      local pattern=${name//[^a-z_.]/}
      grep -rqF "${pattern##*.}" "$source/tests/CMakeLists.txt" || { echo "there is no test $name" >&2; return 1; }
      echo "the test $name runs this" ;;
    *) echo "unknown: <!-- test: $1 -->" >&2; return 1 ;;
  esac
}
# has EXPECTED PRINTED
has() {
  awk '
    function pattern(line) { gsub(/[][\\.^$*+?(){}|]/, "\\\\&", line); gsub(/\\\.\\\.\\\./, ".*", line); return "^" line "$" }
    { sub(/[ \t\r]+$/, "") }
    FNR == NR { if ($0 != "..." && $0 != "") { text[++lines] = $0; wanted[lines] = pattern($0) }; next }
    found < lines && $0 ~ wanted[found + 1] { found++ }
    END { if (found < lines) { print "FAILED: not printed, or not in this order: " text[found + 1]; exit 1 } }' "$1" "$2"
}

ran=0 skipped=no
: >"$tmp/printed"
for block in "$tmp"/blocks/*.sh "$tmp"/blocks/*.text "$tmp"/blocks/*.file; do [ -f "$block" ] && echo "$block"; done | sort >"$tmp/list"
while read -r block; do
  line=$(cat "$block.line")
  reason=
  if [ -f "$block.needs" ]; then reason=$(lacks "$(cat "$block.needs")"); fi
  case $block in
    *.text)
      [ "$skipped" = yes ] || has "$block" "$tmp/printed" || { sed 's/^/    /' "$tmp/printed"; echo "$page:$line"; exit 1; }
      continue ;;
    *.file)
      name=$(cat "$block.name")
      [ ! -f "$source/examples/$name" ] || diff "$block" "$source/examples/$name" || { echo "FAILED: $page:$line is not examples/$name"; exit 1; }
      mkdir -p "$(dirname "$name")"
      cp "$block" "$name"
      continue ;;
  esac
  if [ -n "$reason" ]; then
    skipped=yes
    echo "line $line not run: $reason:"
    sed 's/^/    $ /' "$block"
    continue
  fi
  skipped=no
  sed 's/^/$ /' "$block"
  if ! run "$block" >"$tmp/printed" 2>&1; then
    cat "$tmp/printed"
    ! grep -qE 'Could not resolve host|Failed to connect|unable to access' "$tmp/printed" || { echo "skipped: the network does not give this"; exit 77; }
    echo "FAILED: $page:$line"
    exit 1
  fi
  ran=$((ran + 1))
done <"$tmp/list"
echo "$ran blocks of $3 ran"
[ $ran -gt 0 ] || exit 77
