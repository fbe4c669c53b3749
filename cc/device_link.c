/*
 * Reads objects and libraries for the device link, and takes the same members of libraries as a linker: a name is
 * wanted when a taken unit needs it, and a member is taken when it defines a wanted name.
 */
#include "cc/device_link.h"

#include "cc/symbols.h"
#include "common/ascii.h"
#include "ptx-analyzer/containers/archive.h"
#include "ptx-analyzer/containers/input.h"
#include "ptx-analyzer/language/text/ptx_link.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

static const char section[] = "__nv_relfatbin", registration[] = CC_LINK_REGISTRATION;

/* --- Reading --- */

static int add_part(struct cc_unit *unit, const struct ptx_input *in, size_t entry, struct diag *d)
{
	const struct ptx_entry *e = &in->entries[entry];
	struct file_data text;
	struct ptx_module *m;

	if (ptx_input_text(in, entry, &text, d) < 0)
		return DIAG_ERROR;
	m = ptx_parse(e->name, text.data, text.size, d);
	file_data_release(&text);
	if (!m)
		return DIAG_ERROR;
	vec_push(&unit->parts, m);
	if (e->sm > unit->arch)
		unit->arch = e->sm;
	return 0;
}

static int add_parts(struct cc_unit *unit, const char *name, struct diag *d)
{
	struct ptx_input in;
	int result = 0;

	if (ptx_input_memory(name, unit->data, unit->size, &in, d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; result == 0 && i < in.count; i++) {
		if (!in.entries[i].relocatable)
			continue;
		if (in.entries[i].kind == PTX_ENTRY_CUBIN)
			result = diag_file(d, in.entries[i].name,
					   "holds relocatable machine code; compile it with romark cc -dc");
		else if (in.entries[i].kind == PTX_ENTRY_PTX)
			result = add_part(unit, &in, i, d);
	}
	ptx_input_release(&in);
	return result;
}

static int add_unit(struct cc_link *link, const char *name, const char *data, size_t size, bool taken, struct diag *d)
{
	vec_push(&link->units, (struct cc_unit){.data = data, .size = size, .taken = taken});
	return memmem(data, size, section, sizeof section) ? add_parts(&vec_last(&link->units), name, d) : 0;
}

static int add_library(struct cc_link *link, const char *path, const struct file_data *file, bool whole, struct diag *d)
{
	struct archive archive = {.name = path, .data = (const uint8_t *)file->data, .size = file->size};
	struct archive_member m;
	int more;

	while ((more = archive_next(&archive, &link->arena, &m, d)) > 0)
		if (cc_is_object((const char *)m.data, m.size) &&
		    add_unit(link, m.name, (const char *)m.data, m.size, whole, d) < 0)
			return DIAG_ERROR;
	return more;
}

/* False for a file that was scanned before. */
static bool is_new(const struct cc_link *link, const struct stat *status)
{
	for (size_t i = 0; i < link->files.len; i++)
		if (link->files.data[i].device == status->st_dev && link->files.data[i].inode == status->st_ino)
			return false;
	return true;
}

int cc_link_scan(struct cc_link *link, const char *path, bool whole, struct diag *d)
{
	struct file_data file;
	struct stat status = {0};

	if (stat(path, &status) == 0 && !is_new(link, &status))
		return 0;
	if (file_read(path, &file, d) < 0)
		return DIAG_ERROR;
	vec_push(&link->files, (struct cc_file){status.st_dev, status.st_ino, file});
	if (is_archive((const uint8_t *)file.data, file.size))
		return add_library(link, path, &file, whole, d);
	if (cc_is_object(file.data, file.size))
		return add_unit(link, path, file.data, file.size, true, d);
	file_data_release(&vec_last(&link->files).data);
	return 0;
}

/* --- Choosing --- */

struct cc_name {
	const char *name;
	bool wanted, defined;
	UT_hash_handle hh;
};

/* State of a visit over a unit's names. */
struct visit {
	struct cc_link *link;
	struct cc_name **names; /* of the host's or the device's */
	bool supplies;          /* the unit defines a wanted name */
};

static struct cc_name *find_name(struct cc_name *names, const char *name)
{
	struct cc_name *n;

	HASH_FIND_STR(names, name, n);
	return n;
}

static void enter_name(void *arg, const char *name, bool defined)
{
	struct visit *v = arg;
	struct cc_name *n = find_name(*v->names, name);

	if (!n) {
		n = arena_new(&v->link->arena, struct cc_name);
		n->name = name;
		HASH_ADD_KEYPTR(hh, *v->names, n->name, strlen(n->name), n);
	}
	n->wanted |= !defined;
	n->defined |= defined;
}

static void check_name(void *arg, const char *name, bool defined)
{
	struct visit *v = arg;
	const struct cc_name *n = defined ? find_name(*v->names, name) : NULL;

	v->supplies |= n && n->wanted && !n->defined;
}

static void visit_names(struct visit *v, const struct cc_unit *unit, void (*name)(void *, const char *, bool))
{
	v->names = &v->link->host_names;
	cc_symbols(unit->data, unit->size, name, v);
	v->names = &v->link->device_names;
	for (size_t i = 0; i < unit->parts.len; i++)
		ptx_link_names(unit->parts.data[i], name, v);
}

static bool supplies(struct cc_link *link, const struct cc_unit *unit)
{
	struct visit v = {.link = link};

	visit_names(&v, unit, check_name);
	return v.supplies;
}

static void enter_names(struct cc_link *link, const struct cc_unit *unit)
{
	struct visit v = {.link = link};

	visit_names(&v, unit, enter_name);
}

static bool has_id(const struct cc_link *link, const char *id, size_t len)
{
	for (size_t i = 0; i < link->ids.len; i++)
		if (strlen(link->ids.data[i]) == len && strncmp(link->ids.data[i], id, len) == 0)
			return true;
	return false;
}

/* The string tables hold the functions' names as they are. */
static void add_ids(struct cc_link *link, const struct cc_unit *unit)
{
	const char *at = unit->data, *end = unit->data + unit->size;
	size_t prefix = sizeof registration - 1;

	while ((at = memmem(at, (size_t)(end - at), registration, prefix))) {
		size_t len = 0;

		at += prefix;
		while (at + len < end && (ascii_is_alnum(at[len]) || at[len] == '_'))
			len++;
		if (len && !has_id(link, at, len))
			vec_push(&link->ids, arena_strndup(&link->arena, at, len));
	}
}

static void use_unit(struct cc_link *link, const struct cc_unit *unit)
{
	if (unit->parts.len)
		add_ids(link, unit);
	for (size_t i = 0; i < unit->parts.len; i++)
		vec_push(&link->parts, unit->parts.data[i]);
	if (unit->arch > link->arch)
		link->arch = unit->arch;
}

static bool has_parts(const struct cc_link *link)
{
	for (size_t i = 0; i < link->units.len; i++)
		if (link->units.data[i].parts.len)
			return true;
	return false;
}

/* Takes members until no remaining member defines a wanted name. */
static void take_members(struct cc_link *link, bool program)
{
	struct visit host = {.link = link, .names = &link->host_names};
	bool more = true;

	if (program)
		enter_name(&host, "main", false); /* wanted by the C library */
	for (size_t i = 0; i < link->units.len; i++)
		if (link->units.data[i].taken)
			enter_names(link, &link->units.data[i]);
	while (more) {
		more = false;
		for (size_t i = 0; i < link->units.len; i++) {
			struct cc_unit *unit = &link->units.data[i];

			if (unit->taken || !supplies(link, unit))
				continue;
			unit->taken = more = true;
			enter_names(link, unit);
		}
	}
}

void cc_link_choose(struct cc_link *link, bool program)
{
	if (has_parts(link))
		take_members(link, program);
	for (size_t i = 0; i < link->units.len; i++)
		if (link->units.data[i].taken)
			use_unit(link, &link->units.data[i]);
}

/* ----------------------------------------------------------------------------------------------------------------- */

int cc_link_join(struct cc_link *link, struct strbuf *ptx, struct diag *d)
{
	return ptx_link(link->parts.data, link->parts.len, ptx, d);
}

void cc_link_release(struct cc_link *link)
{
	HASH_CLEAR(hh, link->host_names);
	HASH_CLEAR(hh, link->device_names);
	for (size_t i = 0; i < link->units.len; i++) {
		for (size_t n = 0; n < link->units.data[i].parts.len; n++)
			ptx_module_free(link->units.data[i].parts.data[n]);
		vec_release(&link->units.data[i].parts);
	}
	for (size_t i = 0; i < link->files.len; i++)
		file_data_release(&link->files.data[i].data);
	vec_release(&link->units);
	vec_release(&link->files);
	vec_release(&link->parts);
	vec_release(&link->ids);
	arena_release(&link->arena);
}
