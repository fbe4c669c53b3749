/*
 * The device link of `romark cc`: relocatable device code (-dc, -rdc=true) out of objects and static libraries, joined
 * into one module, and the source of the object that registers it.
 *
 *   struct cc_link link = CC_LINK_INIT;
 *   cc_link_scan(&link, "a.o", &d); cc_link_scan(&link, "libb.a", &d);
 *   if (link.parts.len) { cc_link_join(&link, &ptx, &d); ... cc_link_source(&link, "linked.fatbin", &text); }
 *   cc_link_release(&link);
 *
 * An object compiled so calls __cudaRegisterLinkedBinary<ID>, with an ID of its own, to have its kernels and variables
 * registered; the object made here defines these functions, and registers the joined module when the first is called.
 */
#ifndef ROMARK_CLI_CC_LINK_H
#define ROMARK_CLI_CC_LINK_H

#include "common/diag.h"
#include "common/strbuf.h"
#include "common/vec.h"
#include "ptx-analyzer/ptx.h"

#include <sys/types.h>

/* A file, whatever path leads to it. */
struct cc_file_id {
	dev_t device;
	ino_t inode;
};

struct cc_link {
	VEC(struct ptx_module *) parts;
	VEC(struct cc_file_id) files; /* scanned */
	VEC(char *) ids;
	unsigned arch; /* the highest that a part was compiled for */
};

#define CC_LINK_INIT {.parts = VEC_INIT}

/*
 * Adds the relocatable device code of an object or archive; other files, those without any, and what was scanned before
 * (a library that stands twice on a command line) add nothing.
 */
int cc_link_scan(struct cc_link *link, const char *path, struct diag *d);
/* Appends the joined module's PTX to `ptx`. DIAG_ERROR for names that are missing or defined twice. */
int cc_link_join(struct cc_link *link, struct strbuf *ptx, struct diag *d);
/* Appends C source that embeds the fat binary in the file `fatbin` and registers it; nothing if there are no parts. */
void cc_link_source(const struct cc_link *link, const char *fatbin, struct strbuf *out);
void cc_link_release(struct cc_link *link);

/*
 * Clang names the relocatable part of an object after the source's path, globally: makes that name weak in the object
 * at `path`, so that one source compiled twice, or two of the same relative name, can be linked. 0 or DIAG_ERROR.
 */
int cc_link_soften(const char *path, struct diag *d);

#endif
