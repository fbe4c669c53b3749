/*
 * What nvcc tells those who ask it: its version, and with -v or --dryrun where its parts lie. CMake identifies the
 * compiler by the one and learns folders, libraries and the host compiler from the other.
 */
#ifndef ROMARK_CC_NVCC_H
#define ROMARK_CC_NVCC_H

#include "common/process.h"
#include "cc/toolchain.h"

void cc_nvcc_print_version(FILE *out);
/* Lines "#$ NAME=value"; `arch` as in struct cc_options. */
void cc_nvcc_print_settings(const struct toolchain *tools, unsigned arch, FILE *out);
/* The link words for the toolkit's folders: what the settings call LIBRARIES, in the same order. */
void cc_nvcc_add_libraries(const struct toolchain *tools, struct command *c);

#endif
