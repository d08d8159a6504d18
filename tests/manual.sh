#!/bin/bash
# Manual pages and completion contain every command and option, and man and the shells accept them; the pages about algorithms name every command of the
# program and every function of gridblas_algos.h: tests/manual.sh PROGRAM FOLDER (see program_run.sh).
set -u
made=$(realpath -m "$2")
. "$(dirname "$0")/program_run.sh"
built manual "$made/gridblas"
shopt -s extglob

"$program" --help >help
commands=$(sed -n 's/^  gridblas \([a-z][a-z0-9-]*\) .*/\1/p' help | sort -u)
holds "there are commands" test "$(wc -w <<<"$commands")" -gt 20
# complete WORD...: bash's completions of the last one.
complete_line() {
  COMP_WORDS=(gridblas "$@") COMP_CWORD=$# COMPREPLY=()
  _gridblas
  echo "${COMPREPLY[*]}"
}
. "$made/gridblas"
for c in $commands; do
  "$program" "$c" --help >help.$c
  gzip -dc "$made/man1/gridblas-$c.1.gz" >page.$c
  options=$(grep -oE '^ +(-., )?--[a-z0-9-]+' help.$c | grep -oE -- '--[a-z0-9-]+' | sort)
  holds "$c: the page has the options of --help" is "$(sed -n 's/^\.B \\-\\-\([^=]*\).*/--\1/p' page.$c | sed 's/\\//g' | sort)" "$options"
  holds "$c: bash has them" is "$(complete_line "$c" -- | tr ' ' '\n' | sort)" "$options"
  holds "$c: zsh has them" is "$(awk -v c="    $c) _arguments" 'index($0, c " ") == 1 { on = 1; next } on && /^    [a-z]/ { exit } on' "$made/_gridblas" | grep -oE "^      '--[a-z0-9-]+" | cut -c8- | sort)" "$options"
done
pages=$(cat "$script_folder"/../docs/algorithms.md "$script_folder"/../docs/algorithms/*.md)
for c in $commands; do holds "docs/algorithms.md or a page of docs/algorithms names the command $c" grep -q "[\` ]${c}[\` ]" <<<"$pages"; done
functions=$(sed -nE 's/^[A-Za-z].*[ *](Grid_[a-z0-9_]+)\(.*/\1/p' "$script_folder/../include/gridblas_algos.h")
holds "there are functions" test "$(wc -w <<<"$functions")" -gt 20
for f in $functions; do holds "... the function $f" grep -qw "$f" <<<"$pages"; done
# The pages' commands with files that do not exist: all else of them is right.
lines=$(sed -nE 's/ *#.*//; s/^    (gridblas [a-z0-9-]+ [a-z]+\.(txt|mtx).*)/\1/p' "$script_folder"/../docs/*.md "$script_folder"/../docs/algorithms/*.md | sort -u)
holds "the pages have commands" test "$(wc -l <<<"$lines")" -gt 50
while read -r line; do
  holds "... with right options: $line" grep -q 'cannot open: No such file' <("$program" ${line#gridblas } 2>&1)
done <<<"$lines"
holds "bash: commands" is "$(complete_line bf)" "bfs bfs-many bfs-path"
holds "bash: values" is "$(complete_line bfs --device '')" "cpu cuda"
holds "bash: values behind =" is "$(complete_line bfs --direction = pu)" "push pull"
touch some.mtx
holds "bash: files" is "$(complete_line bfs so)" "some.mtx"
if command -v man >/dev/null && command -v groff >/dev/null; then
  for page in "$made"/man1/*.gz; do man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null; done 2>err
  holds "man has nothing to say against them" is "$(cat err)" ""
else
  echo "not tried: man (Debian: man-db groff)"
fi
if command -v zsh >/dev/null; then
  holds "zsh reads it" zsh -n "$made/_gridblas"
else
  echo "not tried: zsh"
fi
bad 'made for bash and zsh' 0 completion fish
bad 'needs a shell' 0 completion
bad 'there is no such command: did you mean bfs\?' 2 manual bsf
good 2 manual bfs
holds "one process prints it" is "$(grep -c '^\.TH GRIDBLAS-BFS 1' out)" 1
# On a terminal man shows the page; without man its package is named. script(1) provides the terminal.
mkdir none
ln -s "$(command -v sh)" none
cat >none/man <<'SH'
#!/bin/sh
exec sed 's/^/shown: /'
SH
chmod +x none/man
script_sh=$(command -v script)
holds "man shows it on a terminal" grep -q '^shown: .TH GRIDBLAS-BFS 1' <("$script_sh" -qec "PATH=$PWD/none:$PATH $program manual bfs" typescript </dev/null)
rm none/man
"$script_sh" -qec "PATH=$PWD/none $program manual bfs" typescript </dev/null >out
holds "the package of man is named" grep -q 'man, which is not installed (Debian: man-db)' out
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
