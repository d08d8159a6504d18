# shellcheck shell=bash
# Sourced by survey.sh and devices.sh: the program's algorithms and the options with which they are measured.

# All commands of the program $1 that compute something of a graph, can check it and repeat it.
algorithms_of() {
  local command help
  for command in $("$1" --help | sed -nE 's/^  gridblas ([a-z-]+) (GRAPH|RATINGS).*/\1/p'); do
    help=$("$1" "$command" --help)
    case $help in *--check*) ;; *) continue ;; esac
    case $help in *--repeat*) echo "$command" ;; esac # others are no algorithms, such as plan
  done
}

options_of() { # command
  case $1 in
    bfs-many|sssp-many|betweenness) echo --samples 16 ;;
    bfs-path|max-flow) echo --samples 2 ;;
    cdlp) echo --iterations 10 ;;
    pagerank) echo --iterations 10 --tolerance 0 ;;
    ktruss) echo --k 5 ;;
    factors|als) echo --factors 4 --iterations 5 ;;
    heat|neural|circuit) echo --samples 4 --iterations 20 ;;
  esac
}
