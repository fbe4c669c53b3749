/*
 * Private to the analysis: one kernel's structures and accesses while verdicts are made.
 */
#ifndef ROMARK_PTX_KERNEL_H
#define ROMARK_PTX_KERNEL_H

#include "ptx-analyzer/readonly/analysis.h"
#include "ptx-analyzer/flow/flow.h"
#include "verdict/level.h"

/* Elements of a set of structures: these, and structure i as STRUCT_ELEM(i). */
enum {
	STRUCT_WINDOW, /* local, shared, parameter or constant memory; once accesses are collected, the workspace too */
	STRUCT_INTEGER,   /* no pointer at all */
	STRUCT_WORKSPACE, /* the driver's memory, of which the program has no pointer */
	STRUCT_FIRST,
};
#define STRUCT_ELEM(index) ((index) + (uint32_t)STRUCT_FIRST)
#define STRUCT_INDEX(elem) ((elem) - (uint32_t)STRUCT_FIRST)

/* Facts on a structure that verdicts need beyond struct structure. */
struct structure_notes {
	uint32_t writer;    /* first access that writes it by name, or PTX_NONE */
	uint32_t plain;     /* loads that are not ld.global.nc already */
	uint32_t new_marks; /* loads marked that were not ld.global.nc before */
	uint64_t load_deps, store_deps;
	bool constant;                 /* a .const variable */
	bool by_strangers;             /* code that is not known, which reads and writes, may reach it */
	bool any_field;                /* "p2+*" */
	bool shown;                    /* belongs in the report */
	bool assumed;                  /* taken for a pointer, which the launch must know */
	bool placed;                   /* an access was seen, so the structure's bias covers all accesses so far */
	int64_t drift_low, drift_high; /* least and largest bias that its pointers have lost */
};

struct kernel_access {
	uint32_t function, inst;
	uint8_t flags, space;
	set_id set;    /* of structures */
	set_id beside; /* of the kernel's roots: bits of these are in the address beside its base */
	set_id whole;  /* those among them that are added as they are, neither scaled nor in parts */
	uint64_t deps;
	int64_t bias;  /* the constant part of the distance from its structures' pointers, or 0 */
	uint16_t step; /* see struct flow_access; for code of the kernel itself */
	int64_t at;
	struct offset_size added; /* what may be added to its base */
};

/* A call, by the positions of caller and callee among the kernel's functions. */
struct kernel_call {
	uint32_t caller, callee, inst;
	set_id passed; /* structures that it hands on */
};

struct kernel {
	struct kernel_facts facts;
	struct ptx_analysis *owner;
	VEC(struct structure) structures;
	VEC(struct structure_notes) notes;
	VEC(struct kernel_access) work;
	VEC(struct kernel_access) window_loads; /* of local, shared or parameter memory in this kernel */
	VEC(struct kernel_call) calls;          /* ascending by caller */
	struct access *accesses;                /* for the public: ascending by function and instruction */
	size_t naccesses;
	VEC(uint64_t) numbers;     /* until they are facts, not in order */
	VEC(uint32_t) functions;   /* reachable, the kernel first; kept for the report */
	struct evidence *evidence; /* of each structure, once the accesses are collected */
	uint32_t grid_wait; /* first access that waits for the kernel before, which writes until then; or PTX_NONE */
	bool calls_unknown; /* may run code that is not known, which may call back */
	bool listens;       /* others may tell it, while it runs, that they have written something */
	struct kernel_ranges *ranges; /* prepared when a launch first asks for byte ranges; NULL before */
	uint64_t reads;               /* special registers read, as DEP_ bits */
};

/* The kernel gives the function local, shared, parameter or constant memory to load. */
#define DENIED_BY_WINDOW (1u << 31)

enum mark_state { MARK_UNSEEN, MARK_ALLOWED, MARK_DENIED };

struct ptx_analysis {
	struct ptx_module *module;
	struct flow_module *flow;
	struct set_table *sets; /* of structures */
	struct arena arena;
	enum alias_level alias;
	bool relocatable;   /* other modules may call this module's functions */
	uint32_t originals; /* functions from here on are copies */
	struct kernel *kernels;
	size_t nkernels;
	uint32_t *positions; /* scratch of kernel_collect, zero between kernels */
	uint8_t **marks;     /* per function and instruction: enum mark_state; NULL = no load there */
	/* The same for who denied it first: kernel i as 1 + i, function f as 1 + nkernels + f, with DENIED_BY_WINDOW.
	 */
	uint32_t **deniers;
};

/* An analysis with all that making it needed, and the second takes that away again. (analysis.c) */
struct ptx_analysis *analysis_make(struct ptx_module *m, enum alias_level alias, bool relocatable, bool may_copy);
void analysis_release_scratch(struct ptx_analysis *a);
/* Finds what `k` reaches: structures, accesses. (ptx_kernel.c) */
void kernel_collect(struct kernel *k);
/* Verdicts and the marks that this kernel allows. (ptx_judge.c) */
void kernel_judge(struct kernel *k);
/* Adds what this kernel allows and denies to `marks`, per function and instruction. (ptx_judge.c) */
void kernel_allow(const struct kernel *k, uint8_t **marks);
/* Takes marks off functions that code which is not known may call, with pointers that are not known. (ptx_judge.c) */
void deny_open_functions(struct ptx_analysis *a, uint8_t **marks);
/* Gives kernels copies of functions whose marks others forbid; false if there are none. (ptx_copies.c) */
bool copy_functions(struct ptx_analysis *a);
/* Lists the copies that the kernel calls, for reports. (ptx_copies.c) */
void list_copies(struct kernel *k);
/* Counts, guards and the public tables, once every kernel has allowed or denied the marks. (ptx_judge.c) */
void kernel_conclude(struct kernel *k);
/*
 * Why the load `a` carries no mark, its structures apart: a sentence that needs no release, and who denied the mark if
 * this kernel allows it. (ptx_why.c)
 */
const char *unmarked_reason(const struct kernel *k, const struct kernel_access *a, struct denial *by,
			    enum reason_kind *kind);
/* The calls that lead from the kernel to an access in another function; none for its own. (call_paths.c) */
const struct call_step *call_path(const struct kernel *k, const struct kernel_access *a, uint32_t *count);
/* One sentence for each structure. (ptx_why.c) */
void kernel_explain(struct kernel *k);

/*
 * The write because of which structure `index`, which no access writes by name, is not read-only; PTX_NONE if it is.
 * (ptx_judge.c)
 */
uint32_t deciding_write(const struct kernel *k, uint32_t index);
/* May a load of the structure be marked, if it is `promised` to be read-only or not? (ptx_judge.c) */
bool structure_allows(const struct kernel *k, uint32_t index, bool promised);
const struct ptx_function *kernel_function(const struct kernel *k);
/* Fills in struct structure.words. (pointer_words.c) */
void kernel_find_words(struct kernel *k);
/* Orders struct access by function and instruction. (ptx_judge.c) */
int access_compare(const void *a, const void *b);
const struct ptx_inst *access_inst(const struct kernel *k, const struct kernel_access *a);

#endif
