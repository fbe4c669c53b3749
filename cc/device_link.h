/*
 * The device link of `romark cc`: joins relocatable device code (-dc, -rdc=true) of objects and static libraries into
 * one module, and writes the source of the object that registers it.
 *
 *   struct cc_link link = CC_LINK_INIT;
 *   cc_link_scan(&link, "a.o", false, &d); cc_link_scan(&link, "libb.a", false, &d);
 *   cc_link_choose(&link, true);
 *   if (link.parts.len) { cc_link_join(&link, &ptx, &d); ... cc_link_source(&link, "linked.fatbin", &text); }
 *   cc_link_release(&link);
 *
 * As any linker, it takes the members of a library that define a needed name: needed by host code (then the host's
 * linker takes them too) or by device code.
 *
 * An object with relocatable device code calls __cudaRegisterLinkedBinary<ID>, with an ID of its own, to have its
 * kernels and variables registered; the object made here defines these functions, and registers the joined module when
 * the first is called.
 */
#ifndef ROMARK_CC_DEVICE_LINK_H
#define ROMARK_CC_DEVICE_LINK_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/file.h"
#include "common/strbuf.h"
#include "common/vec.h"
#include "ptx-analyzer/language/module/ptx.h"

#include <sys/types.h>

#define CC_LINK_REGISTRATION "__cudaRegisterLinkedBinary"

/* A file, whatever path leads to it. */
struct cc_file {
	dev_t device;
	ino_t inode;
	struct file_data data;
};

/* An object, or a member of a library. */
struct cc_unit {
	const char *data; /* in a cc_file */
	size_t size;
	VEC(struct ptx_module *) parts;
	unsigned arch; /* the highest of its parts */
	bool taken;
};

struct cc_name; /* device_link.c */

struct cc_link {
	VEC(struct cc_file) files;
	VEC(struct cc_unit) units; /* in the order of the command line */
	struct cc_name *host_names, *device_names;
	struct arena arena;
	/* Facts about the taken units, from cc_link_choose on: */
	VEC(struct ptx_module *) parts;
	VEC(const char *) ids;
	unsigned arch;
};

#define CC_LINK_INIT {.arena = ARENA_INIT}

/*
 * Adds an object or archive. Other files, and files that were scanned before (a library may be twice on a command
 * line), add nothing. `whole`: all members of an archive are wanted. 0 or DIAG_ERROR.
 */
int cc_link_scan(struct cc_link *link, const char *path, bool whole, struct diag *d);
/* `program`: a program is made, which needs a `main`, not a library. */
void cc_link_choose(struct cc_link *link, bool program);
/* Appends the joined module's PTX to `ptx`. DIAG_ERROR for names that are missing or defined twice. */
int cc_link_join(struct cc_link *link, struct strbuf *ptx, struct diag *d);
void cc_link_release(struct cc_link *link);

/*
 * register.c. Appends C source that embeds and registers the fat binary in the file; nothing if there are no parts.
 */
void cc_link_source(const struct cc_link *link, const char *fatbin, struct strbuf *out);

#endif
