/* How many threads the system allows. OpenMP's libraries end the program when they cannot create one, without
 * a way for the caller to learn of it before. */
#ifndef GRID_POSSIBLE_THREADS_H
#define GRID_POSSIBLE_THREADS_H

/* No more threads than this are created, whatever is asked for: 16 a processor, and 64 at least. More of them
 * only wait for each other. */
int grid_most_threads(void);
/* `wanted`, but at most grid_most_threads(), or fewer if not so many can be created (ulimit -v, ulimit -u, a
 * container's limit). In that case it is half of those that can, at least 1, so that the program's data has
 * memory, too. 1 in a child that was forked when there were several. */
int grid_possible_threads(int wanted);
/* Sets OpenMP's number of threads, and has it create them now, before others take what is possible. */
void grid_set_threads(int n);
#endif
