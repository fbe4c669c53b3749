/*
 * A GPU file out of the configuration files of GPGPU-Sim and Accel-Sim (gpgpusim.config, and trace.config for
 * latencies). Each key has the option that it comes from beside it; options without a counterpart are named at the end.
 *
 *   struct gpgpusim *g = gpgpusim_create();
 *   if (gpgpusim_read(g, text, size, "gpgpusim.config", &d) < 0) ...
 *   gpgpusim_write(g, "mygpu", &yaml);          // for sim_config_parse
 *   gpgpusim_free(g);
 */
#ifndef ROMARK_SIM_GPGPUSIM_H
#define ROMARK_SIM_GPGPUSIM_H

#include "common/diag.h"
#include "common/strbuf.h"

#include <stddef.h>

struct gpgpusim;

struct gpgpusim *gpgpusim_create(void);
void gpgpusim_free(struct gpgpusim *g);
/* Adds a file's options; of an option that comes twice the later one counts. */
int gpgpusim_read(struct gpgpusim *g, const char *text, size_t size, const char *file, struct diag *d);
/* The GPU file. Values outside a knob's range become the nearest, and their comments say so. */
void gpgpusim_write(struct gpgpusim *g, const char *name, struct strbuf *yaml);
/* Options that became keys, and those that did not. */
size_t gpgpusim_mapped(const struct gpgpusim *g);
size_t gpgpusim_unmapped(const struct gpgpusim *g);

#endif
