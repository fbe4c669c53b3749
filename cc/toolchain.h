/*
 * Where the parts that a compiled program needs lie: found relative to the running `romark`, in the build tree or in
 * an installed one; each can be overridden by an environment variable.
 */
#ifndef ROMARK_CLI_TOOLCHAIN_H
#define ROMARK_CLI_TOOLCHAIN_H

#include "common/arena.h"
#include "common/diag.h"

struct toolchain {
	const char *clang, *clangxx; /* ROMARK_CLANG names clang++; clang is its sibling */
	unsigned clang_version;      /* major */
	const char *include;         /* the CUDA headers */
	const char *device_library;  /* LLVM bitcode with the __nv_ math functions */
	const char *plugin;          /* the LLVM pass, or NULL where it does not fit this Clang */
	const char *library;         /* folder of libromark_cudart.so */
	const char *toolkit;         /* a folder laid out as a CUDA toolkit */
	const char *cudart;          /* folder of the libcudart.so.N that stand in for NVIDIA's */
};

/* Folders only; never fails (a missing folder shows when it is used). */
void toolchain_folders(struct toolchain *t, struct arena *arena);
/* Finds Clang as well. `path` (may be NULL) is what the user asked for. 0 or DIAG_ERROR. */
int toolchain_find(struct toolchain *t, const char *path, struct arena *arena, struct diag *d);

#endif
