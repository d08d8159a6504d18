#!/bin/sh
# Manual pages and completion, by the program itself: manual.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/man1"
"$program" completion bash >"$folder/gridblas"
"$program" completion zsh >"$folder/_gridblas"
"$program" manual | gzip -9n >"$folder/man1/gridblas.1.gz"
for command in $("$program" --help | sed -n 's/^  gridblas \([a-z][a-z0-9-]*\) .*/\1/p' | sort -u); do
  "$program" manual "$command" | gzip -9n >"$folder/man1/gridblas-$command.1.gz"
done
: >"$folder/made"
