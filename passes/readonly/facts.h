/*
 * The pass's findings on each kernel: the structures it reaches, what it does to each, which of them may be marked at
 * an alias level, and the launch conditions for that. docs/llvm-pass.md has the rules, and why they are sound.
 */
#ifndef ROMARK_PASSES_FACTS_H
#define ROMARK_PASSES_FACTS_H

#include "passes/passes.h"
#include "passes/ir/ir.h"
#include "verdict/level.h"

#include "common/arena.h"
#include "common/strbuf.h"

/* The grounds of a mark. */
enum proof {
	PROOF_NONE,   /* no mark */
	PROOF_LAUNCH, /* names that are distinct at this launch */
	PROOF_CODE,   /* the code alone */
};

/* A structure, its verdict and the grounds. */
struct ir_structure {
	struct structure pub;
	uint8_t object; /* enum object_kind */
	bool noalias, escaped, listed;
	LLVMValueRef variable; /* VARIABLE */
	enum proof proof;
	uint32_t calls;       /* UNKNOWN: of code that may do anything */
	uint32_t plain_loads; /* those that the input does not call read-only itself */
	uint32_t new_marks;
	uint32_t why_op;                       /* operation that decided, or NO_OP */
	uint32_t why_way;                      /* kernel's ways: how the kernel comes to it */
	bool is_constant;                      /* VARIABLE that is never written by definition */
	bool by_pointer, by_fetch, by_surface; /* how it is accessed */
	bool is_number;
};
#define NO_OP UINT32_MAX

/* A calling context: a call, and the context that contains it. The kernel itself is context 0. */
struct ir_way {
	uint32_t function, caller, call; /* program->functions; kernel's ways; program->ops */
};

#define NO_WAY UINT32_MAX

struct ir_access {
	uint32_t op; /* program->ops */
	const uint32_t *structures;
	const uint32_t *ways; /* for each structure, the first context in which it is touched */
	uint32_t nstructures;
	uint8_t dep;
	bool is_load, is_store, is_atomic, is_call;
	bool by_fetch, by_surface; /* and not through a pointer */
	bool markable;        /* a simple load, or the read half of a copy, from global memory alone; a texture fetch */
	bool is_marked_input; /* the input itself marks it as read-only */
};

struct ir_kernel {
	uint32_t function;
	VEC(struct ir_structure) structures;
	struct evidence *evidence;      /* of each structure */
	VEC(struct ir_access) accesses; /* in program order */
	const struct ir_way *ways;
	VEC(struct guard) guards;
	VEC(uint32_t) private_loads; /* operations that load only shared, local or constant memory here */
	uint32_t loads, loads_marked;
	uint8_t reads; /* special registers read: enum dep */
	bool waits_for_grid;
	bool listens;         /* while it runs, it may be told that others have written */
	bool private_escapes; /* an address from nowhere may be one of shared or local memory */
};

struct facts {
	struct ir program;
	struct arena arena;
	enum alias_level alias;
	size_t originals; /* functions from here on are copies */
	VEC(struct ir_kernel) kernels;
	uint8_t *op_proof; /* per operation: the mark that every kernel reaching it allows; enum proof */
	/* Per operation: who denied its mark first; kernel i as 1 + i, function f that others call as 1 + kernels + f
	 */
	uint32_t *op_denier;
	struct strbuf dump; /* of each kernel, where the options want it */
};

/*
 * `foreign`: see struct ir. Analyses every kernel of `module`, which stays the caller's and must not change while the
 * facts are used. Where marks are wanted, it gets copies of functions first (kernel_clones.h).
 */
void facts_make(struct facts *facts, LLVMModuleRef module, const struct pass_options *options, bool foreign);
void facts_release(struct facts *facts);

#endif
