/* Prints a result for people, for `romark sim` and `romark run --gpu=`. */
#ifndef ROMARK_CLI_SIM_PRINT_H
#define ROMARK_CLI_SIM_PRINT_H

#include "sim-backend/run/sim.h"

void sim_print_summary(const struct sim_result *result);
/* A row for each kernel with its grid and block, and a row for each data structure. */
void sim_print_kernels(const struct sim_result *result);
/* The lines of the program where warps wait most, of all kernels. */
void sim_print_lines(const struct sim_result *result);
void sim_print_structures(const struct sim_result *result);
/* On stderr, where the LLC policy had no marked load to work on: what to do. */
void sim_print_hint(const struct sim_result *result);

#endif
