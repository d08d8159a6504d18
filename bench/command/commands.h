/* The commands of the program, and the table of them (commands.c). */
#ifndef GRID_COMMANDS_H
#define GRID_COMMANDS_H
#include "bench/algorithm/algorithm.h"

extern const command *const commands[]; /* ended by NULL */

int cmd_graph500(const command *c, const options *given);
int cmd_plan(const command *c, const options *o);
int cmd_balance(const command *c, const options *o);
int cmd_completion(const command *c, const options *o); /* cmd_manual.c */
int cmd_manual(const command *c, const options *o);
int cmd_report(const command *c, const options *o);
int cmd_convert(const command *c, const options *o);
int cmd_order(const command *c, const options *o);
/* Is OUT a file of pages? */
bool writes_pages(const options *o);
/* For such an OUT: the tuples may exceed memory (convert_pages.c). */
int convert_to_pages(report *r, const options *o);
int cmd_info(const command *c, const options *o); /* without a graph: cmd_devices */
int cmd_devices(const options *o);                /* info --device cuda without a graph */
#endif
