/*
 * Output that other tools expect of nvcc: its version, and with -v or --dryrun the places of its parts. CMake
 * identifies the compiler by its version, and learns folders, libraries and the host compiler from the rest.
 */
#ifndef ROMARK_CC_AS_NVCC_H
#define ROMARK_CC_AS_NVCC_H

#include "common/process.h"

void cc_nvcc_print_version(FILE *out);
/* Lines "#$ NAME=value"; `toolkit`: the folder laid out as a CUDA toolkit, `arch` as in struct cc_options. */
void cc_nvcc_print_settings(const char *toolkit, unsigned arch, FILE *out);
/* The link words for the toolkit's folders: the setting LIBRARIES, in the same order. */
void cc_nvcc_add_libraries(const char *toolkit, struct command *c);

#endif
