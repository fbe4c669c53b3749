/*
 * Where romark's own files lie: found relative to the running `romark`, in the tree that it was built in or where it is
 * installed.
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
	const char *cudart;         /* folder of the libcudart.so.N that stand in for NVIDIA's */
};

/* Never fails: what is missing shows when it is used. */
void installation_find(struct installation *files, struct arena *arena);

#endif
