/*
 * The trace: the memory accesses of a program's kernels, with enough about each instruction for a timing model.
 *
 * Writing (by a device of the runtime)               Reading (by the simulator, `info`)
 *   w = trace_create(path, &diag)                      r = trace_open(path, &diag)
 *   k = trace_add_kernel(w, &kernel)                   while (trace_next_launch(r, &launch, &diag) > 0)
 *   trace_begin_launch(w, &launch)                             while (trace_next_cta(r, &cta, &diag) > 0)
 *     trace_begin_cta(w, x, y, z, warps)                               for each warp: trace_warp_start(&cursor, ..);
 *       trace_block / trace_access (per warp)                              while (trace_warp_next(&cursor, &op)) ..
 *     trace_end_cta(w)                                                 trace_cta_release(cta)
 *   trace_end_launch(w)
 *   trace_finish(w, &diag)
 *
 * The file is a sequence of chunks, each compressed (zstd) and checksummed (xxHash64) by itself, readable from a pipe.
 * CTAs are in launch order. A cut or damaged file gives an error with the byte offset; everything before it stays
 * usable. docs/trace-format.md has the layout.
 */
#ifndef ROMARK_TRACE_H
#define ROMARK_TRACE_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_WARP_LANES = 32, TRACE_MAX_CTA_WARPS = 64, TRACE_MAX_SOURCES = 12, TRACE_MAX_DESTINATIONS = 8 };
enum { TRACE_NO_REGISTER = 0xffff, TRACE_NO_STRUCTURE = 0xffff };
enum { TRACE_BARRIERS = 16, TRACE_ANY_BARRIER = 0xff };

/* Functional unit and kind of work; the machine model has one latency and one issue rate per class. */
/* clang-format off */
enum trace_class {
	TRACE_INT, TRACE_FP32, TRACE_FP64, TRACE_FP16, TRACE_SFU, TRACE_TENSOR, TRACE_MOVE, TRACE_CONVERT,
	TRACE_LOAD, TRACE_STORE, TRACE_ATOMIC, TRACE_ASYNC_COPY, TRACE_TEXTURE, TRACE_BARRIER, TRACE_FENCE,
	TRACE_BRANCH, TRACE_CALL, TRACE_EXIT, TRACE_WARP, TRACE_OTHER,
	TRACE_CLASS_COUNT
};
/* clang-format on */

/* GENERIC accesses are recorded under the space that the lanes really touched. */
/* clang-format off */
enum trace_space {
	TRACE_SPACE_NONE, TRACE_GLOBAL, TRACE_SHARED, TRACE_LOCAL, TRACE_CONST, TRACE_PARAM,
	TRACE_SPACE_COUNT
};
/* clang-format on */

enum trace_inst_flag {
	TRACE_READ_ONLY = 1,   /* carries the read-only mark (ld.global.ro, ld.global.nc) */
	TRACE_VOLATILE = 2,    /* volatile or ordered: an L1 must not keep it */
	TRACE_NO_L1 = 4,       /* hint: cache in the LLC only (.cg, .cv, L1::no_allocate) */
	TRACE_NO_RETURN = 8,   /* atomic whose old value nobody reads (red) */
	TRACE_PREDICATED = 16, /* predicated: the access mask may be smaller than the block's */
	TRACE_HAS_ACCESS = 32, /* one access record per execution is in the stream */
	TRACE_PART = 64,       /* more addresses of the texture instruction in the row before, not one of its own; never
				  the first of a block */
	TRACE_ARRIVES = 128    /* arrives at the barrier and does not wait there; commits a group of copies */
};

/* Row of a kernel's static instruction table. Registers are numbered per kernel, predicates included. */
struct trace_inst {
	uint8_t cls, space, flags;
	uint8_t access_bytes; /* per lane; memory instructions. Without an access: see trace_waits_for_copies */
	uint8_t ndst, nsrc;
	uint8_t barrier;       /* trace_is_barrier: its number, or TRACE_ANY_BARRIER when that is not known */
	uint8_t barrier_warps; /* .. and how many warps it takes, 0 = all of the CTA that have not ended */
	uint16_t dst[TRACE_MAX_DESTINATIONS], src[TRACE_MAX_SOURCES];
	uint16_t structure;   /* index in the kernel's structure names that it may touch, or TRACE_NO_STRUCTURE */
	uint32_t ptx_line;    /* 1-based, 0 = not known */
	uint32_t source_line; /* from .loc, 0 = not known */
};

/* Operations on a barrier object in memory (mbarrier) are accesses: the warp does not wait for others there. */
static inline bool trace_is_barrier(const struct trace_inst *inst)
{
	return inst->cls == TRACE_BARRIER && !(inst->flags & TRACE_HAS_ACCESS);
}

/*
 * cp.async: copies of a warp go into its open group; an instruction of the same class without an access commits the
 * group (TRACE_ARRIVES), or waits until all groups but the latest access_bytes - 1 have arrived, or does both.
 */
static inline bool trace_commits_copies(const struct trace_inst *inst)
{
	return inst->cls == TRACE_ASYNC_COPY && !(inst->flags & TRACE_HAS_ACCESS) && inst->flags & TRACE_ARRIVES;
}

static inline bool trace_waits_for_copies(const struct trace_inst *inst)
{
	return inst->cls == TRACE_ASYNC_COPY && !(inst->flags & TRACE_HAS_ACCESS) && inst->access_bytes;
}

struct trace_block { /* a basic block: instructions [first, first + count) */
	uint32_t first, count;
};

struct trace_kernel {
	const char *name;   /* as in PTX (mangled) */
	const char *module; /* file or program that it came from */
	const struct trace_inst *insts;
	uint32_t ninsts;
	const struct trace_block *blocks;
	uint32_t nblocks;
	const char *const *structures; /* ids as the read-only report prints them: "p0", "p2+8", "lut", "unknown" */
	uint32_t nstructures;
	uint32_t registers_per_thread; /* 32-bit registers that the occupancy model charges */
	uint32_t nregisters;           /* distinct register numbers in the table */
	/*
	 * An excerpt of its PTX that parses by itself. The bodies of its functions have, one behind the other, the
	 * instructions of the table: one for each row that is not TRACE_PART. "": the kernel was not made of PTX. The
	 * reader gives NULL for traces of older versions, which do not say; the writer takes NULL for "".
	 */
	const char *ptx;
	/* Set by the reader, ignored by trace_add_kernel. */
	const uint32_t *first_access; /* per block: TRACE_HAS_ACCESS rows before its first */
	const uint8_t *plain;         /* per row: how many rows from it on are without TRACE_HAS_ACCESS, at most 255 */
};

enum trace_verdict { TRACE_UNUSED, TRACE_IS_READ_ONLY, TRACE_IS_WRITE_ONLY, TRACE_IS_READ_WRITE, TRACE_VERDICT_COUNT };

struct trace_allocation { /* live when the kernel was launched */
	uint64_t address, size;
	const char *name; /* "cudaMalloc#3", a variable's name */
};

/* What the marks of a launch rest on. Results of different kinds say different things and do not compare. */
/* clang-format off */
enum trace_marks {
	TRACE_MARKS_UNKNOWN,  /* the trace does not say: it is of an older version */
	TRACE_MARKS_OWN,      /* the program's own read-only loads, and no analysis */
	TRACE_MARKS_STRICT, TRACE_MARKS_GUARDED, TRACE_MARKS_DISTINCT, /* the alias level of the analysis */
	TRACE_MARKS_OBSERVED, /* what this very launch did: an upper bound, which no code could promise */
	TRACE_MARKS_CHECKED,  /* level guarded, and each marked load was checked against all that the launch may write */
	TRACE_MARKS_COUNT
};
/* clang-format on */

struct trace_structure {     /* one per trace_kernel.structures entry: what held at this launch */
	uint64_t address;    /* value of the pointer, 0 = not known */
	uint32_t allocation; /* index in allocations, UINT32_MAX = none */
	uint8_t verdict;     /* enum trace_verdict */
	bool marked;         /* the marks were in force at this launch (false: a guard fired, or not read-only) */
};

struct trace_launch {
	uint32_t kernel; /* id given by trace_add_kernel; on reading an index for trace_kernel_of */
	uint32_t grid[3], block[3];
	uint32_t shared_bytes; /* static and dynamic together */
	uint32_t local_bytes;  /* of a thread; 0 = none, or not known */
	uint32_t stream;
	const struct trace_allocation *allocations;
	uint32_t nallocations;
	const struct trace_structure *structures; /* nstructures of the kernel */
	bool marks_in_force;                      /* false: a guard fired and the launch ran unmarked */
	uint8_t marks;                            /* enum trace_marks */
	const uint8_t *marked_rows; /* trace_lists_rows: a bit for each row of the table, in place of its marks */
};

/* Do launches with such marks say of each row whether it is marked? */
static inline bool trace_lists_rows(uint8_t marks)
{
	return marks == TRACE_MARKS_OBSERVED || marks == TRACE_MARKS_CHECKED;
}

/* Does the launch run row `row` of its kernel's table as a marked load? */
static inline bool trace_is_marked(const struct trace_launch *launch, const struct trace_inst *inst, uint32_t row)
{
	if (!launch->marks_in_force)
		return false;
	return launch->marked_rows ? launch->marked_rows[row / 8] >> row % 8 & 1 : inst->flags & TRACE_READ_ONLY;
}

/* --- Writing --- */

struct trace_writer;

/* `path` "-" = stdout. The file appears under its name at trace_finish. NULL with `d` filled on an error. */
struct trace_writer *trace_create(const char *path, struct diag *d);
/* Into an open descriptor (a pipe); trace_finish closes it. */
struct trace_writer *trace_create_fd(int fd, const char *name, struct diag *d);
/* Copies what it needs. Register numbers below `nregisters`, at most 65535; between launches only. */
uint32_t trace_add_kernel(struct trace_writer *w, const struct trace_kernel *kernel);
void trace_begin_launch(struct trace_writer *w, const struct trace_launch *launch);
/*
 * The same for a launch whose marks are known at its end. Its records are kept until trace_end_held_launch, which says
 * what the launch turned out to be: the same, but for marks.
 */
void trace_begin_held_launch(struct trace_writer *w, const struct trace_launch *launch);
void trace_end_held_launch(struct trace_writer *w, const struct trace_launch *launch);
/* `nwarps` as the launch's block has it: threads / 32, rounded up. */
void trace_begin_cta(struct trace_writer *w, uint32_t x, uint32_t y, uint32_t z, uint32_t nwarps);
/* Warp `warp` of the open CTA runs basic block `block` with lanes `mask`. Warps may be interleaved in any order. */
void trace_block(struct trace_writer *w, uint32_t warp, uint32_t block, uint32_t mask);
/*
 * The memory access of the block's next TRACE_HAS_ACCESS instruction: lanes `mask` (may be 0) at addresses[lane].
 * `space` is the space really touched. Shared, local and const addresses are offsets in their window.
 */
void trace_access(struct trace_writer *w, uint32_t warp, enum trace_space space, uint32_t mask,
		  const uint64_t addresses[TRACE_WARP_LANES]);
/* Accesses that an interrupted last block did not come to are recorded as made by no lane. */
void trace_end_cta(struct trace_writer *w);
void trace_end_launch(struct trace_writer *w);
/*
 * Instead of trace_end_launch, if the kernel failed. The trace ends there, incomplete; the writer ignores later calls.
 */
void trace_fail_launch(struct trace_writer *w);
/*
 * Writes the end mark and renames into place; frees `w`. 0 or DIAG_ERROR (disk full, ...). Where a launch has failed a
 * pipe gets no end mark, and a file no name, which is an error.
 */
int trace_finish(struct trace_writer *w, struct diag *d);
/* Drops everything; frees `w`. */
void trace_abandon(struct trace_writer *w);

/* --- Reading --- */

struct trace_reader;

/* One CTA of the open launch, still encoded; owned by the reader's user until trace_cta_release. */
struct trace_cta {
	uint32_t x, y, z;
	uint64_t index; /* position in launch order, 0-based */
	uint32_t nwarps;
	const uint8_t *const *streams; /* per warp, encoded */
	const uint32_t *stream_bytes;
	void *storage;
};

/*
 * Where a warp's lanes access memory. Affine: the warp is 2^rows_log2 rows of lanes, and column c of row r is at
 * base + c * stride + r * row_stride. Scattered: an offset of `width` bytes for each active lane, in its stream.
 */
struct trace_lanes {
	uint64_t base;
	int32_t stride, row_stride;
	uint8_t rows_log2;
	uint8_t shift, width;   /* scattered: base + (offset << shift) */
	const uint8_t *offsets; /* scattered; NULL: affine */
};

/* One executed warp instruction. */
struct trace_op {
	const struct trace_inst *inst;
	uint32_t inst_index;
	uint32_t mask;                      /* lanes that executed the block */
	uint32_t access_mask;               /* lanes that accessed memory (TRACE_HAS_ACCESS only; else 0) */
	uint8_t space;                      /* space really touched */
	struct trace_lanes lanes;           /* when access_mask is not 0 */
	uint64_t address[TRACE_WARP_LANES]; /* valid for the lanes of access_mask, once trace_op_addresses has run */
};

/*
 * The decoder's predictions: the last successor and mask of each block, and for each memory instruction the last
 * address, its step and the lanes' pattern. Both are direct-mapped tables, so a warp costs the same in every kernel.
 */
enum { TRACE_BLOCK_SLOTS = 32, TRACE_ACCESS_SLOTS = 32 };

struct trace_access_slot {
	uint64_t base;      /* address of lane 0, as the pattern extrapolates it */
	int32_t step;       /* base moved by this last time */
	int32_t stride;     /* from lane to lane in a row */
	int32_t row_stride; /* from row to row */
	uint32_t owner;     /* 1 + ordinal of the memory instruction, 0 = free */
	uint32_t mask;
	uint8_t rows_log2; /* the warp as 1, 2, .. 32 rows of lanes: 16x16 CTAs have 2 */
	uint8_t space;
	uint8_t seen; /* executed at least once since it took the slot */
};

struct trace_predictor {
	uint32_t block, mask;
	uint32_t access;                 /* ordinal of the next memory instruction */
	uint8_t last[TRACE_SPACE_COUNT]; /* 1 + slot of the last access to the space */
	struct {
		int32_t jump; /* successor - block - 1 */
		uint32_t mask;
	} blocks[TRACE_BLOCK_SLOTS];
	struct trace_access_slot accesses[TRACE_ACCESS_SLOTS];
};

/*
 * Position in a warp's stream; plain data, no allocation. Callers read only `bad`. The members that every step needs
 * are in front. They share a cache line if the cursor begins at one.
 */
struct trace_warp_cursor {
	const struct trace_kernel *kernel;
	const uint8_t *at, *end;
	uint32_t inst, block_end; /* next instruction, end of the current block */
	bool bad;                 /* the stream is damaged; trace_warp_next returned false early */
	struct trace_predictor expect;
};

struct trace_reader *trace_open(const char *path, struct diag *d);
struct trace_reader *trace_open_fd(int fd, const char *name, struct diag *d);
void trace_close(struct trace_reader *r);
/*
 * The place where the trace is cut or damaged, once the reader has reached it; NULL before, and for a whole trace. A
 * reader that accepts the cut ends the launch and the trace there, without an error.
 */
const struct diag *trace_cut(const struct trace_reader *r);
void trace_accept_cut(struct trace_reader *r);
/* Whether it is cut because a launch failed when it was recorded. */
bool trace_has_failed_launch(const struct trace_reader *r);
const char *trace_name(const struct trace_reader *r);
/* 1 = *launch is filled (valid until the next call), 0 = end of trace, DIAG_ERROR. Unread CTAs are skipped. */
int trace_next_launch(struct trace_reader *r, struct trace_launch *launch, struct diag *d);
/*
 * 1 = *cta filled, 0 = end of the launch, DIAG_ERROR. The CTA is checked: coordinates inside the grid, at most
 * TRACE_MAX_CTA_WARPS warps, table rows within the kernel's counts.
 */
int trace_next_cta(struct trace_reader *r, struct trace_cta *cta, struct diag *d);
/* The same without giving it: 1 = the launch's next CTA was passed over. */
int trace_skip_cta(struct trace_reader *r, struct diag *d);
void trace_cta_release(struct trace_cta *cta);
/* Tables of a launch's kernel; valid until trace_close. */
const struct trace_kernel *trace_kernel_of(const struct trace_reader *r, uint32_t kernel);
uint64_t trace_bytes_read(const struct trace_reader *r);
/*
 * Unpacked bytes of the records of CTAs, which are nearly all of the work: the bytes that were given or passed over,
 * and the bytes of the whole trace, read without moving the reader. The total is 0 if it is not known: for a pipe, or
 * after damage.
 */
uint64_t trace_stream_bytes(const struct trace_reader *r);
uint64_t trace_stream_bytes_total(const struct trace_reader *r);
/* A hash that identifies this trace, wherever the reader is; DIAG_ERROR if the trace is no file with a name. */
int trace_identity(const struct trace_reader *r, uint64_t *identity, struct diag *d);
/*
 * `r` is an image from another process (common/heap.h): it goes on where it was in the file that `opened`, a reader of
 * the same trace, has open. Closes `opened`.
 */
int trace_resume(struct trace_reader *r, struct trace_reader *opened, struct diag *d);

/* `kernel` comes from trace_kernel_of. The cursor ends with trace_cta_release and trace_close. */
void trace_warp_start(struct trace_warp_cursor *c, const struct trace_kernel *kernel, const struct trace_cta *cta,
		      uint32_t warp);
/* false at the end of the stream (or when it is damaged: see `bad`). A TRACE_PART without lanes is passed over. */
bool trace_warp_next(struct trace_warp_cursor *c, struct trace_op *op);
/* The same, but leaves `address` unset, for callers that need only the lanes' pattern. trace_op_addresses sets it. */
bool trace_warp_step(struct trace_warp_cursor *c, struct trace_op *op);
/*
 * Passes over at most `most` instructions that access no memory and are neighbours in the table. Returns their number
 * n: lanes *mask executed rows *first to *first + n - 1. At 0 the next instruction is one for trace_warp_step.
 */
static inline uint32_t trace_warp_pass(struct trace_warp_cursor *c, uint32_t most, uint32_t *first, uint32_t *mask)
{
	uint32_t left = c->block_end - c->inst, plain = left ? c->kernel->plain[c->inst] : 0;

	plain = plain < left ? plain : left;
	plain = plain < most ? plain : most;
	*first = c->inst;
	*mask = c->expect.mask;
	c->inst += plain;
	return plain;
}
/*
 * For callers that take a block's rows together. trace_warp_enter goes to the next row's block if the rows of the block
 * before are over; false at the end of the stream, or when it is damaged. trace_warp_row reads one row of the block, be
 * it a TRACE_PART without lanes; false when the stream is damaged.
 */
bool trace_warp_enter(struct trace_warp_cursor *c, uint32_t *block);
bool trace_warp_row(struct trace_warp_cursor *c, struct trace_op *op);
static inline bool trace_warp_in_block(const struct trace_warp_cursor *c)
{
	return c->inst != c->block_end;
}
void trace_op_addresses(struct trace_op *op);
/*
 * Prefetches what trace_warp_step will read next, for callers that step through more streams than the cache holds. Call
 * it with `step` from TRACE_PREFETCH_STEPS - 1 down to 0: each call follows pointers that the call before has
 * prefetched.
 */
enum { TRACE_PREFETCH_STEPS = 3 };
void trace_warp_prefetch(const struct trace_warp_cursor *c, unsigned step);

/* Watches a trace that passes by in pieces of any size, and counts its launches. Does not look at checksums. */
struct trace_watch {
	uint64_t launches; /* that have ended */
	bool complete;     /* the end of the trace has passed, and nothing behind it */
	bool failed;       /* .. or a launch that failed, which is the last launch and is not counted */
	uint8_t header[20];
	uint32_t got;     /* bytes of it */
	uint64_t to_skip; /* bytes up to the next header */
};

#define TRACE_WATCH_INIT {.to_skip = 16}
void trace_watch(struct trace_watch *w, const uint8_t *bytes, size_t size);

const char *trace_class_name(enum trace_class cls);
const char *trace_space_name(enum trace_space space);
const char *trace_verdict_name(enum trace_verdict verdict);
const char *trace_marks_name(enum trace_marks marks);
/*
 * The name for a whole trace: *known has that of the launches so far, or NULL before the first; "mixed" where they
 * differ. Checked marks are for launches whose guards fail, so a trace with both is "checked".
 */
void trace_marks_add(const char **known, enum trace_marks marks);

#endif
