/* Loads a file of policies, checks it, and keeps it for the rest of the process. */
#include "sim-backend/outside/outside_parts.h"

#include "common/file.h"
#include "common/heap.h"
#include "common/xalloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* By enum outside_kind. */
static const struct {
	const char *symbol, *macro, *header;
	size_t size;  /* of this romark's struct */
	size_t least; /* of the first version's: up to the functions that must be there */
	int (*adapt)(struct outside_policy *p, struct diag *d);
} kinds[OUTSIDE_KINDS] = {
    {"romark_llc_policy", "ROMARK_LLC_POLICY", "policy_llc.h", sizeof(struct romark_llc_policy),
     offsetof(struct romark_llc_policy, destroy), outside_adapt_llc},
    {"romark_l1_policy", "ROMARK_L1_POLICY", "policy_l1.h", sizeof(struct romark_l1_policy),
     offsetof(struct romark_l1_policy, destroy), outside_adapt_l1},
    {"romark_replacement_policy", "ROMARK_REPLACEMENT_POLICY", "policy_replacement.h",
     sizeof(struct romark_replacement_policy), offsetof(struct romark_replacement_policy, destroy),
     outside_adapt_replacement},
};

static struct outside_file *files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- One policy --- */

/* Version and size are the first two fields of each kind. */
static int check_version(const uint32_t *head, enum outside_kind kind, const char *path, struct diag *d)
{
	if (head[0] != ROMARK_POLICY_VERSION)
		return diag_file(
		    d, path,
		    "%s is built for version %u of the interface, and this romark has version %d; build it "
		    "against this romark's headers",
		    kinds[kind].symbol, head[0], ROMARK_POLICY_VERSION);
	if (head[1] < kinds[kind].least)
		return diag_file(d, path,
				 "%s has a size of %u, which no version of <romark/%s> has; open it with %s_HEAD",
				 kinds[kind].symbol, head[1], kinds[kind].header, kinds[kind].macro);
	for (size_t i = kinds[kind].size; i < head[1]; i++)
		if (((const char *)head)[i])
			return diag_file(d, path,
					 "%s is built for a later romark, and uses what this one does not know; build "
					 "it against this romark's headers",
					 kinds[kind].symbol);
	return 0;
}

static struct outside_policy *adapt(const struct outside_file *file, enum outside_kind kind, const void *theirs,
				    struct diag *d)
{
	const uint32_t *head = theirs;
	struct outside_policy *p;

	if (check_version(head, kind, file->path, d) < 0)
		return NULL;
	p = xcalloc(1, sizeof *p);
	p->file = file;
	p->kind = kind;
	memcpy(&p->theirs, theirs, head[1] < kinds[kind].size ? head[1] : kinds[kind].size);
	if (kinds[kind].adapt(p, d) == 0)
		return p;
	xfree(p->knobs);
	xfree(p->stats);
	xfree(p);
	return NULL;
}

/* --- A file --- */

static struct outside_file *find(const char *hash)
{
	for (struct outside_file *f = files; f; f = f->next)
		if (strcmp(f->hash, hash) == 0)
			return f;
	return NULL;
}

static bool path_is_loaded(const char *path)
{
	for (const struct outside_file *f = files; f; f = f->next)
		if (strcmp(f->path, path) == 0)
			return true;
	return false;
}

/* The loader takes a name that it knows for what it has loaded before, so a new content gets another name. */
static void *load_copy(const struct file_data *data, const char *path, struct diag *d)
{
	const char *folder = getenv("TMPDIR");
	char copy[PATH_MAX];
	void *handle = NULL;
	int fd;

	snprintf(copy, sizeof copy, "%s/romark-policy-XXXXXX", folder && *folder ? folder : "/tmp");
	fd = mkstemp(copy);
	if (fd < 0) {
		diag_file(d, path, "this file has changed since it was loaded, and a copy cannot be made: %s: %s", copy,
			  strerror(errno));
		return NULL;
	}
	if (write(fd, data->data, data->size) == (ssize_t)data->size)
		handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		diag_file(d, path, "cannot be loaded as a policy: %s", dlerror());
	close(fd);
	unlink(copy);
	return handle;
}

static void *load(const struct file_data *data, const char *path, struct diag *d)
{
	void *handle;

	if (path_is_loaded(path))
		return load_copy(data, path, d);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		diag_file(d, path, "cannot be loaded as a policy: %s", dlerror());
	return handle;
}

static int take_policies(struct outside_file *file, void *handle, struct diag *d)
{
	bool any = false;

	for (enum outside_kind kind = 0; kind < OUTSIDE_KINDS; kind++) {
		const void *theirs = dlsym(handle, kinds[kind].symbol);

		if (!theirs)
			continue;
		file->policies[kind] = adapt(file, kind, theirs, d);
		if (!file->policies[kind])
			return DIAG_ERROR;
		any = true;
	}
	if (any)
		return 0;
	return diag_file(d, file->path,
			 "there is no policy in this file: none of romark_llc_policy, romark_l1_policy and "
			 "romark_replacement_policy; define one as <romark/policy.h> says");
}

static struct outside_file *add(const struct file_data *data, const char *path, const char *hash, struct diag *d)
{
	struct outside_file *file = xcalloc(1, sizeof *file), **last = &files;
	void *handle = load(data, path, d);

	file->path = xstrdup(path);
	snprintf(file->hash, sizeof file->hash, "%s", hash);
	if (!handle || take_policies(file, handle, d) < 0) {
		for (enum outside_kind kind = 0; kind < OUTSIDE_KINDS; kind++)
			if (file->policies[kind]) {
				xfree(file->policies[kind]->knobs);
				xfree(file->policies[kind]->stats);
				xfree(file->policies[kind]);
			}
		if (handle)
			dlclose(handle);
		xfree(file->path);
		xfree(file);
		return NULL;
	}
	while (*last)
		last = &(*last)->next;
	return *last = file;
}

enum { LARGEST_OBJECT = 1 << 28 };

static struct outside_file *find_or_add(const char *path, struct diag *d)
{
	struct file_data data;
	struct outside_file *file;
	XXH128_hash_t hash;
	char text[33];

	if (file_read_regular(path, LARGEST_OBJECT, &data, d) < 0)
		return NULL;
	hash = XXH3_128bits(data.data, data.size);
	snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
	file = find(text);
	if (!file)
		file = add(&data, path, text, d);
	file_data_release(&data);
	return file;
}

/* What stays loaded must not be in the heap that ends with a run. */
int outside_load(const char *path, struct outside_found *found, struct diag *d)
{
	char absolute[PATH_MAX];
	bool in_heap = heap_is_used();
	struct outside_file *file;

	*found = (struct outside_found){.llc = NULL};
	if (!realpath(path, absolute))
		return diag_file(d, path, "cannot open: %s", strerror(errno));
	pthread_mutex_lock(&lock);
	heap_use(false);
	file = find_or_add(absolute, d);
	heap_use(in_heap);
	pthread_mutex_unlock(&lock);
	if (!file)
		return DIAG_ERROR;
	if (file->policies[OUTSIDE_LLC])
		found->llc = &file->policies[OUTSIDE_LLC]->ops.llc;
	if (file->policies[OUTSIDE_L1])
		found->l1 = &file->policies[OUTSIDE_L1]->ops.l1;
	if (file->policies[OUTSIDE_REPLACEMENT])
		found->replacement = &file->policies[OUTSIDE_REPLACEMENT]->ops.replacement;
	return 0;
}

/* --- The run --- */

static _Thread_local struct {
	outside_namer *name;
	const void *arg;
} names;

void outside_use_names(outside_namer *name, const void *arg)
{
	names.name = name;
	names.arg = arg;
}

static const char *structure_id(const struct romark_run *run, uint32_t structure)
{
	const struct outside_run *r = (const struct outside_run *)run;
	const char *kernel;

	return r->name ? r->name(r->arg, structure, &kernel) : NULL;
}

static const char *structure_kernel(const struct romark_run *run, uint32_t structure)
{
	const struct outside_run *r = (const struct outside_run *)run;
	const char *kernel = NULL;

	return r->name && r->name(r->arg, structure, &kernel) ? kernel : NULL;
}

struct outside_run outside_run_now(void)
{
	return (struct outside_run){{structure_id, structure_kernel}, names.name, names.arg};
}

/* --- Questions --- */

static struct outside_policy *policy_of(const void *ops)
{
	struct outside_policy *found = NULL;

	pthread_mutex_lock(&lock);
	for (const struct outside_file *f = files; f && !found; f = f->next)
		for (enum outside_kind kind = 0; kind < OUTSIDE_KINDS; kind++)
			if (f->policies[kind] && (const void *)&f->policies[kind]->ops == ops)
				found = f->policies[kind];
	pthread_mutex_unlock(&lock);
	return found;
}

void outside_begin_values(const void *ops, void *values)
{
	struct outside_policy *p = policy_of(ops);

	if (p)
		((struct outside_values *)values)->self = p;
}

const char *outside_path(const void *ops)
{
	const struct outside_policy *p = policy_of(ops);

	return p ? p->file->path : NULL;
}

const char *outside_hash(const void *ops)
{
	const struct outside_policy *p = policy_of(ops);

	return p ? p->file->hash : NULL;
}

const char *outside_fault(const void *ops)
{
	struct outside_policy *p = policy_of(ops);

	return p && atomic_load(&p->is_faulty) ? p->fault : NULL;
}

void outside_forgive(const void *ops)
{
	struct outside_policy *p = policy_of(ops);

	if (!p)
		return;
	atomic_store(&p->is_faulty, false);
	atomic_flag_clear(&p->fault_is_taken);
}

static struct outside_listed listed_of(const struct outside_policy *p)
{
	struct outside_listed listed = {
	    .path = p->file->path, .hash = p->file->hash, .knobs = p->knobs, .stats = p->stats};

#define NAMED(key, ops)                                                                                                \
	listed.kind = key;                                                                                             \
	listed.name = (ops).name;                                                                                      \
	listed.summary = (ops).summary;                                                                                \
	listed.source = (ops).source
	switch (p->kind) {
	case OUTSIDE_LLC: NAMED("llc", p->ops.llc); break;
	case OUTSIDE_L1: NAMED("l1", p->ops.l1); break;
	default: NAMED("llc_replacements", p->ops.replacement); break;
	}
#undef NAMED
	return listed;
}

bool outside_at(size_t index, struct outside_listed *listed)
{
	const struct outside_policy *found = NULL;

	pthread_mutex_lock(&lock);
	for (const struct outside_file *f = files; f && !found; f = f->next)
		for (enum outside_kind kind = 0; kind < OUTSIDE_KINDS && !found; kind++)
			if (f->policies[kind] && index-- == 0)
				found = f->policies[kind];
	pthread_mutex_unlock(&lock);
	if (found)
		*listed = listed_of(found);
	return found;
}
