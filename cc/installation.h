/*
 * Finds romark's own files relative to the running `romark`, in its build tree or where it is installed.
 *
 *   struct installation files;
 *   installation_find(&files, &arena);
 *   setenv("LD_LIBRARY_PATH", files.cudart, 1);
 */
#ifndef ROMARK_CC_INSTALLATION_H
#define ROMARK_CC_INSTALLATION_H

#include "common/arena.h"

/* Paths without a slash at their end, in the arena. */
struct installation {
	const char *include;        /* folder of the CUDA headers */
	const char *device_library; /* LLVM bitcode with the __nv_ math functions */
	const char *plugin;         /* the LLVM pass, for the Clang that romark was built with */
	const char *library;        /* folder of libromark_cudart.so */
	const char *toolkit;        /* a folder laid out as a CUDA toolkit */
	const char *cudart;         /* folder of the libcudart.so.N that replace NVIDIA's */
};

/* Never fails: a missing file is reported when it is used. */
void installation_find(struct installation *files, struct arena *arena);

#endif
