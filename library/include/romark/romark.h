/*
 * libromark: the parts of romark as a library. Each part opens with an example; examples/ has whole programs.
 *
 *   cc program.c $(pkg-config --cflags --libs romark)
 *   find_package(romark) and target_link_libraries(program romark::romark)
 *
 * - Functions that can fail return NULL or -1, and say why in the struct romark_error that they get (it may be NULL).
 *   None prints anything or ends the process, whatever the input is.
 * - Texts and structs that a function returns belong to the object that it was asked for, and live as long as that,
 *   unless it says otherwise. They grow at their end in later versions, so use them through the pointer.
 * - Structs that a program fills in begin with their size; ROMARK_INIT(type) sets it, and 0 in all other fields, which
 *   are the defaults.
 * - Different objects may be used in different threads at the same time.
 */
#ifndef ROMARK_ROMARK_H
#define ROMARK_ROMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of this interface, and that of the library that runs. Within a version the library only gains functions
 * and fields: a program works with every later library of its version. The shared library's name has the number.
 */
#define ROMARK_INTERFACE 1
int romark_interface(void);
/* "0.1.0" */
const char *romark_version(void);

#define ROMARK_INIT(type) ((type){.size = sizeof(type)})

struct romark_error {
	char file[512];        /* of the input, or "" */
	uint32_t line, column; /* from 1 on; 0: not known */
	char message[1024];    /* one line: what is wrong, and what to do */
};

/* --- PTX: which data kernels only read ------------------------------------------------------------------------------
 *
 *   struct romark_analysis *a = romark_analyse("k.ptx", NULL, &error);
 *   for (size_t k = 0; (kernel = romark_analysis_kernel(a, k)); k++)
 *           for (size_t s = 0; (structure = romark_analysis_structure(a, k, s)); s++)
 *                   printf("%s: %s is %s\n", kernel->name, structure->id, structure->verdict);
 *   romark_analysis_free(a);
 */

struct romark_analysis;

enum romark_alias { ROMARK_GUARDED, ROMARK_STRICT, ROMARK_DISTINCT };  /* romark ptx --alias */
enum romark_load { ROMARK_LOAD_RO, ROMARK_LOAD_NC, ROMARK_LOAD_KEEP }; /* romark ptx --load */

struct romark_analyse_options {
	size_t size;
	uint32_t alias;   /* enum romark_alias */
	uint32_t load;    /* enum romark_load: how romark_analysis_ptx spells marked loads */
	bool loads;       /* the JSON has every load */
	bool relocatable; /* other modules call this module's device functions */
};

struct romark_kernel_verdict {
	const char *name;             /* as in PTX */
	uint32_t loads, loads_marked; /* of global memory, in the code */
	size_t structures, guards;    /* how many */
};

struct romark_structure_verdict {
	const char *id;      /* "p2", "p2+8", a variable's name, "unknown" */
	const char *name;    /* in the source, or NULL */
	const char *verdict; /* "read-only", "read-write", "write-only", "unused" */
	const char *sharing; /* "grid", "cta", "thread", "indirect", "unknown" */
	uint32_t loads, stores, atomics, loads_marked;
	const char *why;   /* a sentence about what decided a verdict other than read-only; NULL: nothing to say */
	uint32_t why_line; /* of the PTX; 0: none */
};

/* The marks hold at a launch if no allocation of `reads` is also one of `writes`: indices of structures. */
struct romark_guard {
	uint32_t reads, writes;
};

/* A file of PTX, a fat binary, or a program or library with one. `options` may be NULL. */
struct romark_analysis *romark_analyse(const char *path, const struct romark_analyse_options *options,
				       struct romark_error *error);
/* The same of PTX in memory; `name` is for messages. */
struct romark_analysis *romark_analyse_text(const char *text, size_t bytes, const char *name,
					    const struct romark_analyse_options *options, struct romark_error *error);
void romark_analysis_free(struct romark_analysis *a);
/* Kernels of all modules, in their order; NULL past the last. */
const struct romark_kernel_verdict *romark_analysis_kernel(const struct romark_analysis *a, size_t kernel);
const struct romark_structure_verdict *romark_analysis_structure(const struct romark_analysis *a, size_t kernel,
								 size_t structure);
const struct romark_guard *romark_analysis_guard(const struct romark_analysis *a, size_t kernel, size_t guard);
/* As `romark ptx --report=json` writes it. */
const char *romark_analysis_json(struct romark_analysis *a);
/* The first module with marked loads. After this the JSON stays as it was. */
const char *romark_analysis_ptx(struct romark_analysis *a);

/* --- Traces: reading -------------------------------------------------------------------------------------------------
 *
 *   struct romark_trace *t = romark_trace_open("mm.romtrace", &error);
 *   while (romark_trace_next_launch(t, &launch, &error) > 0)
 *           while ((n = romark_trace_read(t, accesses, 1000, &error)) > 0)
 *                   ... launch->kernel, accesses[0].addresses[0] ...
 *   romark_trace_close(t);
 */

struct romark_trace;

enum romark_space { ROMARK_NO_SPACE, ROMARK_GLOBAL, ROMARK_SHARED, ROMARK_LOCAL, ROMARK_CONST, ROMARK_PARAM };

/* Of instructions; in the order of trace-format.md. */
enum romark_class {
	ROMARK_INT_OP,
	ROMARK_FP32_OP,
	ROMARK_FP64_OP,
	ROMARK_FP16_OP,
	ROMARK_SFU_OP,
	ROMARK_TENSOR_OP,
	ROMARK_MOVE_OP,
	ROMARK_CONVERT_OP,
	ROMARK_LOAD_OP,
	ROMARK_STORE_OP,
	ROMARK_ATOMIC_OP,
	ROMARK_ASYNC_COPY_OP,
	ROMARK_TEXTURE_OP,
	ROMARK_BARRIER_OP,
	ROMARK_FENCE_OP,
	ROMARK_BRANCH_OP,
	ROMARK_CALL_OP,
	ROMARK_EXIT_OP,
	ROMARK_WARP_OP,
	ROMARK_OTHER_OP
};

struct romark_launch_structure {
	const char *id;
	const char *verdict; /* as in struct romark_structure_verdict */
	uint64_t address;    /* 0: not known */
	bool marked;         /* its marks are in force in this launch */
};

struct romark_launch {
	const char *kernel, *module;
	uint32_t number; /* of the launch, from 0 on */
	uint32_t grid[3], block[3];
	uint32_t shared_bytes, registers, stream;
	const char *marks; /* what the marks rest on: "guarded", "own", .. */
	bool marks_in_force;
	size_t nstructures;
	const struct romark_launch_structure *structures;
};

#define ROMARK_NO_STRUCTURE UINT16_MAX

/* One memory instruction that a warp has executed. Its layout is fixed. */
struct romark_trace_access {
	uint64_t addresses[32]; /* of the lanes in `lanes`, else 0 */
	uint32_t cta[3], warp;
	uint32_t lanes;                 /* a bit for each that accesses memory */
	uint32_t instruction;           /* row of the kernel's instructions */
	uint32_t ptx_line, source_line; /* 0: not known */
	uint16_t structure;             /* index in the launch's structures, or ROMARK_NO_STRUCTURE */
	uint8_t op;                     /* enum romark_class */
	uint8_t space;                  /* enum romark_space */
	uint8_t bytes;                  /* of a lane */
	uint8_t read_only;              /* 1: a marked load, whose mark is in force */
	uint8_t reserved[2];
};

/* "-": standard input. */
struct romark_trace *romark_trace_open(const char *path, struct romark_error *error);
void romark_trace_close(struct romark_trace *t);
/* 1: *launch is the next, valid until the next call. 0: the trace is over. -1: it is damaged. */
int romark_trace_next_launch(struct romark_trace *t, const struct romark_launch **launch, struct romark_error *error);
/*
 * The next accesses of the launch, `room` at most: CTA by CTA in launch order, warp by warp, in the order of each
 * warp's program. 0: the launch is over. -1: the trace is damaged.
 */
ptrdiff_t romark_trace_read(struct romark_trace *t, struct romark_trace_access *out, size_t room,
			    struct romark_error *error);
/* Warp instructions of the launch so far, those without an access too. */
uint64_t romark_trace_warp_instructions(const struct romark_trace *t);

/* --- Traces: writing -------------------------------------------------------------------------------------------------
 *
 *   struct romark_trace_writer *w = romark_trace_create("mine.romtrace", &error);
 *   kernel = romark_trace_add_kernel(w, &description, &error);
 *   romark_trace_begin_launch(w, kernel, grid, block, structures, &error)
 *     romark_trace_begin_cta(w, x, y, z, &error)
 *       romark_trace_block(w, warp, block, lanes, &error)              a warp comes to a basic block, and then,
 *       romark_trace_access(w, warp, lanes, addresses, &error)         for each of its memory instructions, this
 *     romark_trace_end_cta(w, &error)
 *   romark_trace_end_launch(w, &error)
 *   romark_trace_finish(w, &error)
 *
 * Each returns 0, or -1 with the reason. After an error nothing but romark_trace_abandon can be done.
 */

struct romark_trace_writer;

#define ROMARK_NO_REGISTER UINT16_MAX

/* A row of a kernel's instructions. */
struct romark_instruction {
	uint8_t op;          /* enum romark_class */
	uint8_t space;       /* enum romark_space of a memory instruction */
	uint8_t bytes;       /* of a lane, of a memory instruction */
	bool read_only;      /* a marked load */
	uint16_t target;     /* register that it writes, or ROMARK_NO_REGISTER */
	uint16_t sources[3]; /* registers that it reads, or ROMARK_NO_REGISTER */
	uint16_t structure;  /* index in the kernel's structures, or ROMARK_NO_STRUCTURE */
	uint32_t line;       /* in the source; 0: not known */
};

struct romark_kernel {
	size_t size;
	const char *name, *module; /* module: a file or program, or NULL */
	const struct romark_instruction *instructions;
	uint32_t ninstructions;
	/* Basic blocks: where each begins; the next one begins where it ends. NULL: all instructions are one block. */
	const uint32_t *blocks;
	uint32_t nblocks;
	const char *const *structures; /* ids */
	uint32_t nstructures;
	uint32_t registers; /* of a thread, for the occupancy; 0: as many as the instructions name */
	uint32_t shared_bytes;
};

struct romark_trace_writer *romark_trace_create(const char *path, struct romark_error *error);
/* Its number, or -1. Copies what it needs. */
int romark_trace_add_kernel(struct romark_trace_writer *w, const struct romark_kernel *kernel,
			    struct romark_error *error);
/*
 * `structures`: one for each of the kernel's, of which id is ignored; NULL: nothing is known of them, and marked loads
 * are in force.
 */
int romark_trace_begin_launch(struct romark_trace_writer *w, int kernel, const uint32_t grid[3],
			      const uint32_t block[3], const struct romark_launch_structure *structures,
			      struct romark_error *error);
int romark_trace_begin_cta(struct romark_trace_writer *w, uint32_t x, uint32_t y, uint32_t z,
			   struct romark_error *error);
int romark_trace_block(struct romark_trace_writer *w, uint32_t warp, uint32_t block, uint32_t lanes,
		       struct romark_error *error);
int romark_trace_access(struct romark_trace_writer *w, uint32_t warp, uint32_t lanes, const uint64_t addresses[32],
			struct romark_error *error);
int romark_trace_end_cta(struct romark_trace_writer *w, struct romark_error *error);
int romark_trace_end_launch(struct romark_trace_writer *w, struct romark_error *error);
/* The file appears under its name. Frees `w` in any case. */
int romark_trace_finish(struct romark_trace_writer *w, struct romark_error *error);
/* No file appears. Frees `w`; does nothing for NULL. */
void romark_trace_abandon(struct romark_trace_writer *w);

/* --- Simulation ------------------------------------------------------------------------------------------------------
 *
 *   struct romark_sim_options options = ROMARK_INIT(struct romark_sim_options);
 *   options.llc = "selrep";
 *   struct romark_result *r = romark_sim("mm.romtrace", &options, &error);
 *   printf("%g\n", romark_result_number(r, "llc.miss_rate", 0));
 *   romark_result_free(r);
 */

struct romark_sim_options {
	size_t size;
	const char *gpu, *llc, *l1; /* as of `romark sim`; NULL: the defaults */
	const char *const *set;     /* "section.key=value", ended by NULL; or NULL */
	const char *kernels;        /* a regular expression; NULL: all */
	const char *sample;         /* as of `romark sim --sample`, or NULL */
	uint64_t max_cycles;        /* 0: no limit */
	uint32_t threads;           /* 0: one */
	bool detail;                /* counts per slice, channel and bank for each kernel */
	/* Called now and then, in the thread of the call; may be NULL. */
	void (*progress)(void *arg, uint64_t cycles, uint64_t warp_instructions);
	void *progress_arg;
};

struct romark_result;

/* `options` may be NULL. */
struct romark_result *romark_sim(const char *trace, const struct romark_sim_options *options,
				 struct romark_error *error);
void romark_result_free(struct romark_result *r);
/* The document that `romark sim --json` writes. */
const char *romark_result_json(const struct romark_result *r);
/*
 * A value by its path in the document: "cycles", "llc.miss_rate", "kernels.0.ipc", "policy_stats.selrep.epochs". A
 * number, true as 1, or `otherwise` where there is none.
 */
double romark_result_number(const struct romark_result *r, const char *path, double otherwise);
/* A text, such as "kernels.0.name"; NULL where there is none. */
const char *romark_result_text(const struct romark_result *r, const char *path);
/* Elements of a list, keys of an object: "kernels"; 0 where there is none. */
size_t romark_result_count(const struct romark_result *r, const char *path);
/* The key of an object's n-th value, "" for the whole document; NULL past the last. */
const char *romark_result_key(const struct romark_result *r, const char *path, size_t n);

#ifdef __cplusplus
}
#endif

#endif
