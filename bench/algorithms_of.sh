# shellcheck shell=bash
# Sourced by survey.sh, devices.sh and cmake/kernels.sh: the program's algorithms and the options with which they run.

# All commands of the program $1 that compute something of a graph, can check it and repeat it.
algorithms_of() {
  local command help
  for command in $("$1" --help | sed -nE 's/^  gridblas ([a-z-]+) (GRAPH|RATINGS).*/\1/p'); do
    help=$("$1" "$command" --help)
    case $help in *--check*) ;; *) continue ;; esac
    case $help in *--repeat*) echo "$command" ;; esac # others are no algorithms, such as plan
  done
}

# Of a command. The script sets communities: a file of them, for those that read one.
options_of() {
  # shellcheck disable=SC2154
  case $1 in
    bfs-many|sssp-many|betweenness) echo --samples 16 ;;
    edge-betweenness) echo --samples 4 ;;
    betweenness-sampled) echo --epsilon 0.02 ;;
    neighbor-sample) echo --samples 1000 ;;
    conjugate-gradient) echo --laplacian 0.01 ;;
    clique-count) echo --k 4 ;;
    modularity) echo --communities "$communities" ;;
    bfs-path|max-flow) echo --samples 2 ;;
    cdlp) echo --iterations 10 ;;
    pagerank) echo --iterations 10 --tolerance 0 ;;
    ktruss) echo --k 5 ;;
    factors|als) echo --factors 4 --iterations 5 ;;
    heat|neural|circuit) echo --samples 4 --iterations 20 ;;
  esac
}
