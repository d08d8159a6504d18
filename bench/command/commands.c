/* The table of commands: the algorithms, whose rows are in bench/algorithm, then the commands of this folder.
 */
#include "bench/command/commands.h"

static const command graph500 = {
    .name = "graph500",
    .example = "graph500 --scale S",
    .summary = "the Graph500 benchmark, validated",
    .about =
        "The Graph500 benchmark: builds an R-MAT graph (kernel 1), searches it from many vertices (kernel "
        "2; --sssp: kernel 3, shortest paths), validates every tree and prints the official results.",
    .accepts = OPT_GRAPH500 | OPT_DELTA,
    .work = WORK_SEARCHES,
    .run = cmd_graph500,
};
static const command info = {
    .name = "info",
    .example = "info GRAPH",
    .summary = "a graph's size, degrees and storage",
    .about =
        "The size and degrees of a graph, and how its matrix is stored. With --device cuda and no graph: the "
        "GPUs, what an "
        "R-MAT graph of each scale needs there, and what fits.",
    .accepts = OPT_GRAPH | OPT_DIRECTED | OPT_BUILD | OPT_BALANCE,
    .work = WORK_PRODUCTS,
    .run = cmd_info,
};

static const command plan = {
    .name = "plan",
    .example = "plan GRAPH",
    .summary = "predicted bytes sent and time of a search, for each process grid",
    .about =
        "Predicts for each process grid the entries that a search inspects, the bytes that it sends and its "
        "time. The search runs on the processes that there are, which count.",
    .accepts = OPT_GRAPH | OPT_DIRECTED | OPT_SOURCE | OPT_PLAN | OPT_BUILD | OPT_DIRECTION,
    .work = WORK_SEARCHES,
    .run = cmd_plan,
};

static const command balance = {
    .name = "balance",
    .example = "balance GRAPH",
    .summary = "what an uneven partition of a graph by work gains",
    .about =
        "Compares partitions into equally many vertices and into equal work: how evenly each divides the "
        "edges, the times of PageRank's rounds and of searches with each, the cost of a vertex beside its "
        "edges, and how measured times of rounds repair a bad partition.",
    .accepts = OPT_GRAPH | OPT_DIRECTED | OPT_REPEAT | OPT_ITERATIONS | OPT_BUILD | OPT_DIRECTION,
    .work = WORK_PRODUCTS,
    .run = cmd_balance,
};

static const command convert = {
    .name = "convert",
    .example = "convert GRAPH OUT",
    .summary = "convert a graph's file to another format",
    .about =
        "Writes a graph as a file of another format, each process its share. What a format cannot hold is "
        "refused, not left out.",
    .accepts = OPT_GRAPH | OPT_OUTPUT | OPT_CONVERT,
    .run = cmd_convert,
};

static const command order = {
    .name = "order",
    .example = "order GRAPH OUT",
    .summary = "renumber the vertices, so that fewer edges connect processes",
    .about =
        "Renumbers the vertices of a graph and writes it as a file, together with the numbers. By METIS the "
        "vertices are divided into parts with few edges between them, and those of a part follow each other. "
        "Algorithms have an option --order that does so for one run, and gives each process a part.",
    .accepts = OPT_GRAPH | OPT_OUTPUT | OPT_ORDER | OPT_SEED,
    .run = cmd_order,
};

static const command page = {
    .name = "report",
    .example = "report RESULT.json...",
    .summary = "a page with plots of results that --json wrote",
    .about =
        "Makes one page of results that --json wrote (with --verbose: what each level did): tables, and "
        "plots of levels, degrees, errors by iteration, speed on several processes, the machine's limits "
        "(ops.json of bench/ops.sh --out) and small graphs whose vertices or edges are coloured by the "
        "result. The plots lie beside it as PNG and as SVG, for wide screens and narrow ones. Drawn by "
        "Python with matplotlib (Debian: python3-matplotlib).",
    .accepts = OPT_RESULTS,
    .run = cmd_report,
};

static const command completion = {
    .name = "completion",
    .example = "completion bash|zsh",
    .summary = "completion of these commands and options, for a shell",
    .about =
        "Prints what bash or zsh complete these commands and options by: source <(gridblas completion bash).",
    .accepts = OPT_WORD,
    .run = cmd_completion,
};
static const command manual = {
    .name = "manual",
    .example = "manual [COMMAND]",
    .summary = "the manual page of the program or of a command",
    .about =
        "The manual page of the program or of a command: on a terminal man(1) shows it (Debian: man-db), "
        "else "
        "it is printed as roff.",
    .accepts = OPT_WORD,
    .run = cmd_manual,
};

/* algorithm_table.h: a line ALGORITHM(NAME) for each row of bench/algorithm, found there by the build. */
#define ALGORITHM(name) extern const algorithm algorithm_##name;
#include "algorithm_table.h"
#undef ALGORITHM
#define ALGORITHM(name) &algorithm_##name.command,

const command *const commands[] = {
#include "algorithm_table.h"
    &graph500, &info, &plan, &balance, &convert, &order, &page, &completion, &manual, NULL};
