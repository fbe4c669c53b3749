/*
 * Loads that may touch the same structures form a class. A shadow keeps for each byte which classes have read it, and
 * whether it was written. A class that reads a written byte, or has read a byte that is written, is spoiled, and so are
 * its structures. A load is marked if none of its structures is spoiled.
 *
 * A cell of the shadow has a number for the set of classes. Sets are made when they first appear, one class more than a
 * set before, as in an automaton: few sets appear, since few loads meet in a byte.
 */
#include "runtime/cpu/observe/apart.h"

#include "common/integer.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/images/texture.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/observe/touched.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WRITTEN = 1 << 15, SET = WRITTEN - 1, NO_SET = 0, EVERY_CLASS = SET, NO_CLASS = -1 };
#define PAGES (MEMORY_BYTES / MEMORY_PAGE)

struct load_class {
	const uint32_t *structures; /* none: of a load of which nothing is known, which has a class of its own */
	uint32_t nstructures;
	bool spoiled;
};

/* Classes that have read a byte. `with`: the set with one class more, 0 = not made yet; by class. */
struct class_set {
	uint8_t *classes; /* a byte for each class */
	uint16_t *with;
};

struct apart {
	uint16_t *cells;  /* by byte of device memory */
	uint64_t *epochs; /* by page: the launch that its cells are of */
	uint64_t epoch;
	const struct launch *launch;
	const struct program *program; /* of the launch */
	uint32_t nstructures;
	int *class_of; /* by row of the program; NO_CLASS: may carry no mark */
	VEC(struct load_class) classes;
	VEC(struct class_set) sets; /* by number; EVERY_CLASS stands for all classes where sets are too many */
	bool *elsewhere;            /* by row: it has loaded other memory than the device's */
	uint8_t *rows;
	bool *structures; /* loaded, and apart */
};

static void *reserve(uint64_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		BUG("no addresses for %llu MiB of shadow", (unsigned long long)(bytes >> 20));
	return at;
}

struct apart *apart_new(void)
{
	struct apart *a = xcalloc(1, sizeof *a);

	a->cells = reserve(MEMORY_BYTES * sizeof *a->cells);
	a->epochs = reserve(PAGES * sizeof *a->epochs);
	return a;
}

static void forget(struct apart *a)
{
	for (size_t i = 0; i < a->sets.len; i++) {
		free(a->sets.data[i].classes);
		free(a->sets.data[i].with);
	}
	a->sets.len = a->classes.len = 0;
	free(a->class_of);
	free(a->elsewhere);
	free(a->rows);
	free(a->structures);
}

void apart_free(struct apart *a)
{
	if (!a)
		return;
	forget(a);
	vec_release(&a->sets);
	vec_release(&a->classes);
	munmap(a->cells, MEMORY_BYTES * sizeof *a->cells);
	munmap(a->epochs, PAGES * sizeof *a->epochs);
	free(a);
}

/* --- Instructions and classes --- */

static bool may_carry_mark(const struct inst *in)
{
	enum ptx_space space = (enum ptx_space)in->space;

	return in->flags & INST_MARKABLE && (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC);
}

static bool may_write(const struct inst *in)
{
	enum ptx_space space = (enum ptx_space)in->space;

	if (op_is(in->ptx, OP_COPIES))
		space = (enum ptx_space)in->list[COPY_TO_SPACE];
	return inst_has_role(in, WRITING_ROLES) && (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC);
}

bool apart_concerns(const struct inst *in)
{
	return in->flags & INST_REAL && (may_carry_mark(in) || may_write(in));
}

static int class_with(struct apart *a, const struct access *access)
{
	for (size_t i = 0; access && i < a->classes.len; i++) {
		const struct load_class *c = &a->classes.data[i];

		if (access->nstructures && c->nstructures == access->nstructures &&
		    memcmp(c->structures, access->structures, c->nstructures * sizeof *c->structures) == 0)
			return (int)i;
	}
	vec_push(&a->classes, (struct load_class){.structures = access ? access->structures : NULL,
						  .nstructures = access ? access->nstructures : 0});
	return (int)a->classes.len - 1;
}

/* A fetch has a row for each texel. */
static void put_class(struct apart *a, const struct inst *in, int class)
{
	for (unsigned part = 0; part < texture_parts(in->ptx); part++)
		a->class_of[in->trace + part] = class;
}

static void sort_loads(struct apart *a, const struct access **accesses)
{
	const struct program *p = a->program;

	for (uint32_t i = 0; i < p->ninsts; i++)
		a->class_of[i] = NO_CLASS;
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++) {
			const struct inst *in = &p->codes[c].insts[i];

			if (may_carry_mark(in))
				put_class(a, in, class_with(a, accesses[in->trace]));
		}
}

static uint16_t add_set(struct apart *a, uint8_t *classes)
{
	vec_push(&a->sets, (struct class_set){classes, xcalloc(a->classes.len + 1, sizeof(uint16_t))});
	return (uint16_t)(a->sets.len - 1);
}

void apart_begin(struct apart *a, const struct launch *launch, const struct kernel_facts *facts)
{
	const struct program *program = launch->program;
	const struct access **accesses = xcalloc(program->ninsts + 1, sizeof *accesses);

	forget(a);
	a->epoch++;
	a->launch = launch;
	a->program = program;
	a->nstructures = facts ? facts->nstructures : 0;
	a->class_of = xcalloc(program->ninsts + 1, sizeof *a->class_of);
	a->elsewhere = xcalloc(program->ninsts + 1, sizeof *a->elsewhere);
	a->rows = xcalloc(divide_up(program->ninsts, 8) + 1, 1);
	a->structures = xcalloc(a->nstructures + 1, sizeof *a->structures);
	program_accesses(program, accesses);
	sort_loads(a, accesses);
	add_set(a, xcalloc(a->classes.len + 1, 1));
	free(accesses);
}

/* --- Sets of classes --- */

/* The number of the set with these classes, which it takes over. */
static uint16_t number_of(struct apart *a, uint8_t *classes)
{
	for (size_t i = 0; i < a->sets.len; i++)
		if (memcmp(a->sets.data[i].classes, classes, a->classes.len) == 0) {
			free(classes);
			return (uint16_t)i;
		}
	if (a->sets.len < EVERY_CLASS)
		return add_set(a, classes);
	free(classes);
	return EVERY_CLASS;
}

static uint16_t make_set(struct apart *a, uint16_t from, unsigned class)
{
	uint8_t *classes = xcalloc(a->classes.len + 1, 1);

	memcpy(classes, a->sets.data[from].classes, a->classes.len);
	classes[class] = 1;
	return number_of(a, classes);
}

/* `from` and the class. */
static uint16_t set_with(struct apart *a, uint16_t from, unsigned class)
{
	uint16_t made;

	if (from == EVERY_CLASS)
		return from;
	if (a->sets.data[from].with[class])
		return a->sets.data[from].with[class];
	made = make_set(a, from, class);
	a->sets.data[from].with[class] = made;
	return made;
}

static void spoil(struct apart *a, uint16_t set)
{
	for (size_t i = 0; set != NO_SET && i < a->classes.len; i++)
		a->classes.data[i].spoiled |= set == EVERY_CLASS || a->sets.data[set].classes[i];
}

/* --- Bytes --- */

static void refresh(struct apart *a, uint64_t page)
{
	if (a->epochs[page] == a->epoch)
		return;
	memset(&a->cells[page * MEMORY_PAGE], 0, MEMORY_PAGE * sizeof *a->cells);
	a->epochs[page] = a->epoch;
}

static void write_cells(struct apart *a, uint16_t *cells, uint64_t count)
{
	uint16_t last = NO_SET;

	for (uint64_t i = 0; i < count; i++) {
		uint16_t set = cells[i] & SET;

		if (set != last)
			spoil(a, set);
		last = set;
		cells[i] |= WRITTEN;
	}
}

static void read_cells(struct apart *a, uint16_t *cells, uint64_t count, unsigned class)
{
	uint16_t from = NO_SET, to = set_with(a, NO_SET, class);

	for (uint64_t i = 0; i < count; i++) {
		if (cells[i] & WRITTEN) {
			a->classes.data[class].spoiled = true;
			return;
		}
		if (cells[i] != from) {
			from = cells[i];
			to = set_with(a, from, class);
		}
		cells[i] = to;
	}
}

/* `class` NO_CLASS: they are written. */
static void touch_bytes(struct apart *a, uint64_t address, uint64_t bytes, int class)
{
	uint64_t at = address - MEMORY_BASE;

	while (bytes) {
		uint64_t room = MEMORY_PAGE - at % MEMORY_PAGE, part = bytes < room ? bytes : room;

		refresh(a, at / MEMORY_PAGE);
		if (class == NO_CLASS)
			write_cells(a, &a->cells[at], part);
		else
			read_cells(a, &a->cells[at], part, (unsigned)class);
		at += part;
		bytes -= part;
	}
}

static int touch(struct warp *w, const struct inst *in, const struct accesses *accesses, unsigned lane,
		 uint64_t address, uint64_t bytes)
{
	struct apart *a = w->launch->observer->apart;
	bool is_load = may_carry_mark(in), is_inside = memory_contains(w->launch->memory, address, bytes);

	(void)accesses;
	(void)lane;
	if (!is_load && is_inside)
		touch_bytes(a, address, bytes, NO_CLASS);
	if (!is_load || a->launch != w->launch)
		return STOP_NOT;
	if (!is_inside)
		a->elsewhere[in->trace] = true;
	else if (!a->classes.data[a->class_of[in->trace]].spoiled)
		touch_bytes(a, address, bytes, a->class_of[in->trace]);
	return STOP_NOT;
}

int note_apart(struct warp *w, const struct inst *in, uint32_t mask)
{
	return w->launch->observer->apart ? each_touched_range(w, in, mask, touch) : STOP_NOT;
}

void apart_note_written(struct apart *a, uint64_t address, uint64_t bytes)
{
	touch_bytes(a, address, bytes, NO_CLASS);
}

/* --- The answer --- */

static bool is_apart(const struct load_class *c, const bool *spoiled)
{
	for (uint32_t i = 0; i < c->nstructures; i++)
		if (spoiled[c->structures[i]])
			return false;
	return !c->spoiled;
}

void apart_end(struct apart *a)
{
	bool *spoiled = xcalloc(a->nstructures + 1, sizeof *spoiled);

	for (size_t i = 0; i < a->classes.len; i++)
		for (uint32_t k = 0; a->classes.data[i].spoiled && k < a->classes.data[i].nstructures; k++)
			spoiled[a->classes.data[i].structures[k]] = true;
	for (uint32_t row = 0; row < a->program->ninsts; row++) {
		const struct load_class *c = a->class_of[row] == NO_CLASS ? NULL : &a->classes.data[a->class_of[row]];

		if (c && !a->elsewhere[row] && is_apart(c, spoiled))
			a->rows[row / 8] |= (uint8_t)(1u << row % 8);
		for (uint32_t k = 0; c && k < c->nstructures; k++)
			a->structures[c->structures[k]] = !spoiled[c->structures[k]];
	}
	free(spoiled);
}

const uint8_t *apart_rows(const struct apart *a)
{
	return a->rows;
}

bool apart_structure(const struct apart *a, uint32_t index)
{
	return index < a->nstructures && a->structures[index];
}
