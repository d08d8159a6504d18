/* Manual pages, and completion for bash and zsh, made from the tables of commands and options. */
#include <ctype.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/command/commands.h"
#include "bench/program/options/nearest.h"

enum { MOST_LINES = 64 };

/* ---- manual pages ---- */

/* Escapes text for roff: leading dots and quotes, backslashes and hyphens. */
static void print_text(const char *text, FILE *f) {
  bool begins = true;
  for (; *text != '\0'; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", f);
    if (*text == '\\')
      fputs("\\e", f);
    else if (*text == '-')
      fputs("\\-", f);
    else
      fputc(*text, f);
    begins = *text == '\n';
  }
}

static void print_section(const char *name, const char *text, FILE *f) {
  fprintf(f, ".SH %s\n", name);
  print_text(text, f);
  fputc('\n', f);
}

static void print_title(const char *name, const char *line, FILE *f) {
  fputs(".TH GRIDBLAS", f);
  if (name != NULL) fputc('-', f);
  for (const char *c = name; c != NULL && *c != '\0'; c++) fputc(toupper((unsigned char)*c), f);
  fprintf(f, " 1 \"\" gridblas \"User commands\"\n.SH NAME\ngridblas%s", name != NULL ? "\\-" : "");
  if (name != NULL) print_text(name, f);
  fputs(" \\- ", f);
  print_text(line, f);
  fputc('\n', f);
}

static void manual_of_program(FILE *f) {
  print_title(NULL, "algorithms on graphs by sparse matrix products, in one process or on a grid of them", f);
  fputs(
      ".SH SYNOPSIS\n.B gridblas\nCOMMAND [OPTION...]\n.br\n.B mpirun \\-n\nP\n.B gridblas\nCOMMAND "
      "[OPTION...]\n.SH COMMANDS\n",
      f);
  for (int k = 0; commands[k] != NULL; k++) {
    fputs(".TP\n.B ", f);
    print_text(commands[k]->example, f);
    fputc('\n', f);
    print_text(commands[k]->summary, f);
    fputc('\n', f);
  }
  print_section(
      "DESCRIPTION",
      "Every command has a page of its own, gridblas-COMMAND(1), which is what gridblas COMMAND --help says.",
      f);
  print_section("EXIT STATUS",
                "0; 1 when a check fails; 2 for bad usage or input and whatever else stops it.", f);
}

static void manual_of_command(const command *c, FILE *f) {
  option_line line[MOST_LINES];
  const char *group = NULL, *after;
  const int n = options_list(line, MOST_LINES, &after, c);
  print_title(c->name, c->summary, f);
  fputs(".SH SYNOPSIS\n.B gridblas ", f);
  print_text(c->name, f);
  fprintf(f, "\n[OPTION...] %s\n", options_arguments(c));
  print_section("DESCRIPTION", c->about, f);
  if (*after != '\0') {
    fputs(".PP\n", f);
    print_text(after, f);
    fputc('\n', f);
  }
  fputs(".SH OPTIONS\n", f);
  for (int k = 0; k < n; k++) {
    if (line[k].group != group && line[k].group != NULL) fprintf(f, ".SS %s\n", line[k].group);
    group = line[k].group;
    fputs(".TP\n.B \\-\\-", f);
    print_text(line[k].name, f);
    if (line[k].arg != NULL) fprintf(f, "=\\fI%s\\fR", line[k].arg);
    fputc('\n', f);
    print_text(line[k].doc, f);
    fputc('\n', f);
  }
  print_section("SEE ALSO", "gridblas(1)", f);
}

/* ---- completion ---- */

static bool is_file(const char *arg) {
  return strcmp(arg, "FILE") == 0;
}

static void bash_of_command(const command *c, FILE *f) {
  option_line line[MOST_LINES];
  const char *after;
  const int n = options_list(line, MOST_LINES, &after, c);
  fprintf(f, "  %s)\n    case $before in\n", c->name);
  for (int k = 0; k < n; k++) {
    if (line[k].arg == NULL) continue;
    fprintf(f, "      --%s) ", line[k].name);
    if (line[k].words[0] != '\0')
      fprintf(f, "COMPREPLY=($(compgen -W '%s' -- \"$word\"))", line[k].words);
    else if (is_file(line[k].arg) || strcmp(line[k].arg, "DIR") == 0)
      fprintf(f, "COMPREPLY=($(compgen -%c -- \"$word\"))", is_file(line[k].arg) ? 'f' : 'd');
    else
      fputs("COMPREPLY=()", f);
    fputs("; return ;;\n", f);
  }
  fputs("    esac\n    options='", f);
  for (int k = 0; k < n; k++) fprintf(f, "%s--%s", k > 0 ? " " : "", line[k].name);
  fputs("' ;;\n", f);
}

static void bash(FILE *f) {
  fputs(
      "# bash completion for gridblas, made by `gridblas completion bash`\n"
      "_gridblas() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=''\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n    COMPREPLY=($(compgen -W '",
      f);
  for (int k = 0; commands[k] != NULL; k++) fprintf(f, "%s ", commands[k]->name);
  fputs(
      "--help --version' -- \"$word\"))\n    return\n  fi\n"
      "  # --option=value is three words here\n"
      "  [[ $before == = && $COMP_CWORD -gt 2 ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  [[ $word == = ]] && { before=${COMP_WORDS[COMP_CWORD-1]}; word=''; }\n"
      "  case ${COMP_WORDS[1]} in\n",
      f);
  for (int k = 0; commands[k] != NULL; k++) bash_of_command(commands[k], f);
  fputs(
      "  esac\n"
      "  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
      "complete -o filenames -o bashdefault -F _gridblas gridblas\n",
      f);
}

/* Escapes text inside single quotes of an _arguments description: no quote, bracket or colon. */
static void print_zsh(const char *text, FILE *f) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputs("'\\''", f);
    else if (strchr("[]:\\", *text) != NULL)
      fprintf(f, "\\%c", *text);
    else
      fputc(*text, f);
  }
}

static void zsh_of_command(const command *c, FILE *f) {
  option_line line[MOST_LINES];
  const char *after;
  const int n = options_list(line, MOST_LINES, &after, c);
  fprintf(f, "    %s) _arguments", c->name);
  for (int k = 0; k < n; k++) {
    const option_line *l = &line[k];
    fprintf(f, " \\\n      '--%s%s[", l->name, l->arg != NULL ? "=" : "");
    print_zsh(l->doc, f);
    fputc(']', f);
    if (l->arg != NULL) {
      fprintf(f, ":%s:", l->arg);
      if (l->words[0] != '\0')
        fprintf(f, "(%s)", l->words);
      else if (is_file(l->arg) || strcmp(l->arg, "DIR") == 0)
        fputs(is_file(l->arg) ? "_files" : "_files -/", f);
      else
        fputc(' ', f);
    }
    fputc('\'', f);
  }
  fputs(" \\\n      '*:file:_files' ;;\n", f);
}

static void zsh(FILE *f) {
  fputs(
      "#compdef gridblas\n# zsh completion for gridblas, made by `gridblas completion zsh`\n"
      "_gridblas() {\n  local -a commands\n  commands=(\n",
      f);
  for (int k = 0; commands[k] != NULL; k++) {
    fprintf(f, "    '%s:", commands[k]->name);
    print_zsh(commands[k]->summary, f);
    fputs("'\n", f);
  }
  fputs(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n",
      f);
  for (int k = 0; commands[k] != NULL; k++) zsh_of_command(commands[k], f);
  fputs("  esac\n}\n_gridblas \"$@\"\n", f);
}

/* ---- the commands ---- */

int cmd_completion(const command *c, const options *o) {
  (void)c;
  const char *shell = o->result[0];
  if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0)
    return fail(STATUS_INPUT, "completion '%s': it is made for bash and zsh", shell);
  if (Grid_rank() == 0) (shell[0] == 'b' ? bash : zsh)(stdout);
  return STATUS_OK;
}

/* Prints the page of c, or of the program if c is NULL; on a terminal through man. Returns NULL, or the
 * error. */
static const char *print_manual(const command *c) {
  enum { NO_MAN = 127 };
  FILE *f = stdout;
  if (isatty(STDOUT_FILENO) &&
      isatty(STDIN_FILENO)) /* under mpirun only the first process has the terminal */
    /* NOLINTNEXTLINE(cert-env33-c): a command that is written here */
    f = popen("command -v man >/dev/null || exit 127; exec man -l -", "w");
  if (f == NULL) return "a manual page is shown by man, which cannot be started";
  if (c == NULL)
    manual_of_program(f);
  else
    manual_of_command(c, f);
  const int status = f != stdout ? pclose(f) : 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == NO_MAN
             ? "a manual page is shown by man, which is not installed (Debian: man-db); gridblas COMMAND "
               "--help says the same"
             : NULL;
}

int cmd_manual(const command *c, const options *o) {
  (void)c;
  const char *name = o->results > 0 ? o->result[0] : NULL;
  int k = 0;
  while (name != NULL && commands[k] != NULL && strcmp(commands[k]->name, name) != 0) k++;
  if (name != NULL && commands[k] == NULL)
    return fail(STATUS_INPUT, "manual '%s': there is no such command%s", name,
                nearest_command(name, commands));
  const char *why = Grid_rank() == 0 ? print_manual(name != NULL ? commands[k] : NULL) : NULL;
  return fail_on_any(STATUS_INPUT, why);
}
