/*
 * Byte ranges of a kernel's memory accesses, evaluated at a launch, where parameters, grid and block are numbers.
 *
 *   struct kernel_ranges *k = ptx_ranges_prepare(function);            // once per kernel
 *   struct launch_ranges *l = ptx_ranges_evaluate(k, &launch);         // at each launch
 *   struct launch_ranges *s = ptx_ranges_scan(k, &launch, l, &memory); // where that is not enough
 *   struct byte_range range = ptx_ranges_of(l, inst);
 *   bool apart = ptx_ranges_apart(l, facts, accesses, count, guard);   // no byte of one side is one of the other
 *
 * A range that is known holds every byte that any thread of the launch accesses by the instruction. Whatever is not
 * followed is not known. Why it is sound: docs/soundness.md, "Byte ranges".
 */
#ifndef ROMARK_PTX_RANGES_H
#define ROMARK_PTX_RANGES_H

#include "common/vec.h"
#include "ptx-analyzer/language/module/ptx.h"
#include "verdict/guards.h"
#include "verdict/structure.h"

struct kernel_ranges;
struct launch_ranges;

struct range_launch {
	uint32_t grid[3], block[3];
	const void *params; /* the kernel's parameter buffer */
	size_t param_bytes;
	/* Where a variable of the module lies (index of its symbol); false if that is not known. NULL: of none. */
	bool (*variable)(void *data, uint32_t symbol, uint64_t *address);
	void *data;
};

enum range_kind {
	RANGE_UNKNOWN,
	RANGE_NEVER, /* no thread comes there */
	RANGE_KNOWN,
};

struct byte_range {
	enum range_kind kind;
	uint64_t first, last; /* RANGE_KNOWN: addresses, both included */
};

/* For a kernel with a body; the module must stay. Release with ptx_ranges_free. */
struct kernel_ranges *ptx_ranges_prepare(struct ptx_function *kernel);
void ptx_ranges_free(struct kernel_ranges *k);

/* `k` must stay. Release with ptx_ranges_release. */
struct launch_ranges *ptx_ranges_evaluate(const struct kernel_ranges *k, const struct range_launch *launch);
/* What somebody else knows of a write that has no range: that it leaves these bytes alone. */
struct range_writers {
	bool (*stays_out)(void *data, uint32_t function, uint32_t inst, const struct byte_range *bytes);
	void *data;
};
/*
 * The same with the numbers in memory that addresses depend on, as they are now: `without` is what was found without
 * them. NULL where they show nothing more, or may be written by the launch. `writers` may be NULL. (scans.c)
 */
struct launch_ranges *ptx_ranges_scan(const struct kernel_ranges *k, const struct range_launch *launch,
				      const struct launch_ranges *without, const struct guard_context *memory,
				      const struct range_writers *writers);
void ptx_ranges_release(struct launch_ranges *l);
/* Of an instruction of the kernel itself. */
struct byte_range ptx_ranges_of(const struct launch_ranges *l, uint32_t inst);

/*
 * Does the guard hold by ranges: no marked load of what it reads takes a byte that what it writes is written at?
 * `accesses`: all of the kernel, as the analysis lists them.
 */
bool ptx_ranges_apart(const struct launch_ranges *l, const struct kernel_facts *facts, const struct access *accesses,
		      size_t count, const struct guard *guard);

typedef VEC(uint32_t) inst_list;
/*
 * Appends the loads of numbers in memory that the range of an instruction's access depends on, ascending: a launch has
 * a range for it only by what it finds there. Release with vec_release.
 */
void ptx_ranges_depend_on(const struct kernel_ranges *k, uint32_t inst, inst_list *loads);

typedef VEC(struct byte_range) range_list;

/*
 * All bytes of global memory that the launch may write, as ranges that ascend and do not meet. False if they are not
 * all known: a write without a range, or by a function that the kernel calls; a call through a pointer, or of code that
 * may write. `kernel`: its number in the module. Release *out with vec_release in any case.
 */
bool ptx_ranges_written(const struct launch_ranges *l, const struct ptx_module *m, uint32_t kernel, range_list *out);

/* A write without a range. */
struct range_write {
	uint32_t function, inst;
};
typedef VEC(struct range_write) range_writes;
/* The same with a list of such writes. False where some are not even known. Release both lists. */
bool ptx_ranges_writes(const struct launch_ranges *l, const struct ptx_module *m, uint32_t kernel, range_list *out,
		       range_writes *others);

#endif
