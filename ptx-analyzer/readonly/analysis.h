/*
 * Read-only analysis: which data structures each kernel only reads, why the others are not, and the rewriting of
 * their loads.
 *
 *   struct ptx_analysis *a = ptx_analyze(module, PTX_ALIAS_GUARDED);
 *   ptx_mark_loads(a, PTX_LOAD_RO);            // edits the module: ld.global -> ld.global.ro
 *   const struct ptx_kernel_facts *k = ptx_kernel_facts(a, "saxpy");
 *   ptx_analysis_free(a);                      // the module stays
 *
 * A structure is what one pointer that the kernel receives reaches: a pointer parameter, a pointer inside a by-value
 * parameter, a module variable, what a pointer loaded from one of these reaches, or `unknown`.
 */
#ifndef ROMARK_PTX_ANALYSIS_H
#define ROMARK_PTX_ANALYSIS_H

#include "ptx-analyzer/language/ptx.h"

/* See "Soundness of a read-only mark" in docs/soundness.md. */
enum ptx_alias { PTX_ALIAS_GUARDED, PTX_ALIAS_STRICT, PTX_ALIAS_DISTINCT };
enum ptx_load_mark { PTX_LOAD_RO, PTX_LOAD_NC, PTX_LOAD_KEEP };
enum ptx_verdict { PTX_UNUSED, PTX_READ_ONLY, PTX_WRITE_ONLY, PTX_READ_WRITE };
/* Who computes the same address: every thread of the grid, of the CTA, only the thread; or it comes from memory. */
enum ptx_sharing { PTX_SHARING_UNKNOWN, PTX_SHARING_GRID, PTX_SHARING_CTA, PTX_SHARING_THREAD, PTX_SHARING_INDIRECT };

/* clang-format off */
enum ptx_structure_kind { PTX_STRUCTURE_PARAM, PTX_STRUCTURE_FIELD, PTX_STRUCTURE_VARIABLE, PTX_STRUCTURE_POINTEE,
			  PTX_STRUCTURE_HEAP, PTX_STRUCTURE_UNKNOWN };
/* clang-format on */

/* What an address depends on; a set of these is in ptx_structure.depends. */
enum ptx_dependence {
	PTX_DEPENDS_TID_X = 1,
	PTX_DEPENDS_TID_Y = 2,
	PTX_DEPENDS_TID_Z = 4,
	PTX_DEPENDS_CTAID_X = 8,
	PTX_DEPENDS_CTAID_Y = 16,
	PTX_DEPENDS_CTAID_Z = 32,
	PTX_DEPENDS_MEMORY = 64, /* an index that was loaded */
};

struct ptx_structure {
	/*
	 * "p2", "p2+8", "lut", "*p2" (what p2's elements point to), "p2+*" (some pointer in parameter 2),
	 * "heap" (device-side malloc), "unknown"
	 */
	const char *id;
	enum ptx_structure_kind kind;
	uint32_t param;        /* PARAM, FIELD: 0-based parameter */
	uint64_t param_offset; /* PARAM, FIELD: byte offset of the pointer in the kernel's parameter buffer */
	uint64_t param_bytes;  /* PARAM, FIELD: 8, or all bytes that "p2+*" may stand in */
	uint32_t symbol;       /* VARIABLE: index in module->symbols */
	uint32_t holder;       /* POINTEE: the structure whose elements are the pointers */
	enum ptx_verdict verdict;
	enum ptx_sharing sharing;
	unsigned depends; /* enum ptx_dependence of the addresses that it is read at */
	uint32_t loads, stores, atomics, loads_marked;
	bool marked;           /* loads of it may be marked, under the alias level asked for */
	bool is_image;         /* texture or surface instructions reach it: what leads to it is a handle */
	uint32_t why_inst;     /* instruction that decided, or PTX_NONE */
	uint32_t why_function; /* function it stands in: index in module->functions */
	uint32_t why_line;     /* line of the PTX text, 0 = none */
	const char *why;       /* one sentence */
};

/*
 * A launch may use the marks only if no allocation of `reads` is also one of `writes` (indices of structures).
 * For a POINTEE the allocations are those that the pointers in its holder's allocation point to, and for an image those
 * that its handle was made for; who cannot check a guard must take it as broken.
 */
struct ptx_guard {
	uint32_t reads, writes;
};

struct ptx_kernel_facts {
	const struct ptx_function *kernel;
	struct ptx_structure *structures;
	uint32_t nstructures;
	struct ptx_guard *guards;
	uint32_t nguards;
	uint32_t loads, loads_marked; /* static global loads reachable from the kernel */
};

/* Structures that one memory instruction may touch: a set of indices into the facts of kernel `kernel`. */
struct ptx_access {
	uint32_t function, inst; /* where: index in module->functions, instruction in it */
	const uint32_t *structures;
	uint32_t nstructures;
	bool is_load, is_store, is_atomic, marked;
	const char *why; /* of a load that is not marked though its structures are read-only; else NULL */
};

struct ptx_analysis;

struct ptx_analysis *ptx_analyze(struct ptx_module *m, enum ptx_alias alias);
/* The same for a part of a program: other modules may call this one's visible functions, so these carry no marks. */
struct ptx_analysis *ptx_analyze_relocatable(struct ptx_module *m, enum ptx_alias alias);
void ptx_analysis_free(struct ptx_analysis *a);
size_t ptx_analysis_kernels(const struct ptx_analysis *a);
const struct ptx_kernel_facts *ptx_analysis_kernel(const struct ptx_analysis *a, size_t index);
const struct ptx_kernel_facts *ptx_kernel_facts(const struct ptx_analysis *a, const char *kernel);
/*
 * Every access to global memory (or generic that may be global) reachable from a kernel, ascending by function and
 * instruction. A copy from global to global memory stands twice.
 */
const struct ptx_access *ptx_kernel_accesses(const struct ptx_analysis *a, size_t index, size_t *count);

/*
 * Rewrites the marked loads. In a function that several kernels call, a load is marked only when every calling
 * kernel allows it. A `.ro` that the text has and the analysis does not allow is taken off. Returns the number of
 * loads changed.
 */
size_t ptx_mark_loads(struct ptx_analysis *a, enum ptx_load_mark mark);

/* May every kernel that comes to this load or texture fetch take it as marked? Fetches show it nowhere else. */
bool ptx_is_marked(const struct ptx_analysis *a, uint32_t function, uint32_t inst);

const char *ptx_verdict_name(enum ptx_verdict v);
const char *ptx_sharing_name(enum ptx_sharing s);
const char *ptx_alias_name(enum ptx_alias alias);

#endif
