/*
 * An analyser's findings on a kernel: its data structures, the accesses to them, and what a launch must check.
 *
 * A structure is the memory that a pointer of the kernel reaches: a pointer parameter, a pointer inside a by-value
 * parameter, a module variable, what a pointer loaded from one of these reaches, or `unknown`. All strings and arrays
 * belong to the analysis that filled them.
 */
#ifndef ROMARK_VERDICT_STRUCTURE_H
#define ROMARK_VERDICT_STRUCTURE_H

#include "common/arena.h"
#include "common/strbuf.h"
#include "verdict/place.h"
#include "verdict/reason_kind.h"
#include "verdict/verdict.h"

#define STRUCTURE_NONE UINT32_MAX /* "no instruction, function, symbol" */

enum structure_kind {
	STRUCTURE_PARAM,
	STRUCTURE_FIELD,
	STRUCTURE_VARIABLE,
	STRUCTURE_POINTEE,
	STRUCTURE_HEAP,
	STRUCTURE_UNKNOWN
};

/* The kernel or function that forbids a mark in a function that others reach, too. Both NULL: nothing forbids it. */
struct denial {
	const char *kernel;   /* writes what it loads, or may, or gives it memory that is not global */
	const char *function; /* through which code that is not known may come to the load */
};

/*
 * How large a number may be that a kernel adds to a pointer, beside the numbers of threads: the sum of `constant` and
 * of at most 2^wide times the largest number among
 *   - the kernel's parameters of 64 bits that are numbers (struct kernel_facts);
 *   - with `words`, numbers of 32 bits, from memory or from parameters.
 */
struct offset_size {
	bool any; /* it may be any number, such as one of 64 bits from memory */
	bool words;
	uint8_t wide;
	uint64_t constant;
};

/* Bytes of pointers in memory: `at` from where the pointer to that memory leads, and at all multiples of `step`. */
struct word_place {
	int64_t at;
	uint32_t step; /* 0: only there */
};

struct structure {
	/*
	 * "p2", "p2+8", "lut", "*p2" (what p2's elements point to), "p2+*" (some pointer in parameter 2),
	 * "*(lut+8)" (what the pointer at byte 8 of lut points to), "heap" (device-side malloc), "unknown"
	 */
	const char *id;
	const char *name; /* in the source, if known; else NULL */
	enum structure_kind kind;
	uint32_t param;        /* PARAM, FIELD: 0-based parameter */
	uint64_t param_offset; /* PARAM, FIELD: byte offset of the pointer in the kernel's parameter buffer */
	uint64_t param_bytes;  /* PARAM, FIELD: 8, or all bytes that may contain the pointers of "p2+*" */
	/*
	 * If all accesses are at a constant distance from the pointer, or from the pointer and an index, and none is at
	 * distance 0: the least and the largest distance in bytes. Else 0. The pointer itself may lie in other memory.
	 */
	int64_t bias_low, bias_high;
	struct offset_size added; /* PARAM, FIELD: what is added to its pointer */
	uint32_t symbol;          /* VARIABLE: its number in the module */
	uint32_t holder;          /* POINTEE: the structure whose elements are the pointers */
	bool at_word;             /* POINTEE: only the pointer at byte `word` of the holder leads to it */
	uint64_t word;
	/*
	 * POINTEE: the kernel loads its pointers from these places of the holder's memory alone; what lies between them
	 * are numbers. None: from any place.
	 */
	const struct word_place *words;
	uint32_t nwords;
	enum verdict verdict;
	enum sharing sharing;
	unsigned depends; /* enum dependence of the addresses that it is read at */
	uint32_t loads, stores, atomics, loads_marked;
	bool marked;           /* loads of it may be marked at the report's alias level */
	bool is_image;         /* texture or surface instructions reach it: what leads to it is a handle */
	uint32_t why_inst;     /* instruction that decided, or STRUCTURE_NONE */
	uint32_t why_function; /* the function that contains it */
	uint32_t why_line;     /* line of the text that was analysed, 0 = none */
	const char *why;       /* a sentence, or NULL */
	const char *why_file;  /* source file that `why_line` is of, or NULL */
	enum reason_kind why_kind;
	const char *why_symbol, *why_instruction; /* function and text of the instruction that decided, or NULL */
	struct place_chain why_places;            /* where that comes from in the source */
	const struct call_step *why_calls;        /* from the kernel to that function, where it is another */
	uint32_t nwhy_calls;
	struct denial denied_by; /* of the load that `why` is about */
	const char *written;     /* not read-only because this structure is written; NULL: itself, or not known */
	/*
	 * The fact beyond accesses that makes it read-only: "noalias", "constant", "promise" (all loads of it are the
	 * program's own read-only loads); else NULL
	 */
	const char *rests_on;
	bool assumed;       /* read-only only because the level assumes, unchecked, that names are distinct memory */
	uint32_t ambiguous; /* loads, stores and atomics that may be to another structure instead */
};

/*
 * A launch may use the marks only if no allocation of `reads` is also one of `writes` (indices of structures).
 * For a POINTEE the allocations are those that the pointers in its holder's allocation point to, and for an image those
 * that its handle was made for; who cannot check a guard must take it as broken.
 */
struct guard {
	uint32_t reads, writes;
};

struct kernel_facts {
	const char *name;
	uint32_t function; /* its number in the module */
	uint32_t line;     /* where it begins */
	struct structure *structures;
	uint32_t nstructures;
	struct guard *guards;
	uint32_t nguards;
	const uint64_t
	    *numbers; /* ascending: places in the parameter buffer of 64-bit numbers that go into addresses */
	uint32_t nnumbers;
	uint32_t loads, loads_marked; /* static global loads reachable from the kernel */
	const char **copies;          /* functions that were copied for this kernel's marks, under their new names */
	uint32_t ncopies;
};

/*
 * Ids, by which reports, guards and comparisons name structures; in `arena` where they are made.
 *
 *   structure_id_of_param(a, 2)        "p2"
 *   structure_id_of_field(a, 2, 8)     "p2+8", the pointer at byte 8 of by-value parameter 2
 *   structure_id_of_any_field(a, 2)    "p2+*", some pointer in it
 *   structure_id_of_pointee(a, "p2")   "*p2"
 *   structure_id_of_word(a, "lut", 8)  "*(lut+8)"
 */
#define STRUCTURE_ID_HEAP "heap"
#define STRUCTURE_ID_UNKNOWN "unknown"
const char *structure_id_of_param(struct arena *arena, unsigned param);
const char *structure_id_of_field(struct arena *arena, unsigned param, int64_t offset);
const char *structure_id_of_any_field(struct arena *arena, unsigned param);
const char *structure_id_of_pointee(struct arena *arena, const char *holder);
const char *structure_id_of_word(struct arena *arena, const char *holder, uint64_t word);

/* For people: an id that is made of a mangled symbol as the source has it, "*ns::lut" for "*_ZN2ns3lutE". */
void structure_show(struct strbuf *out, const char *id);
const char *structure_shown(struct arena *arena, const char *id);

/* A name as the source has it, without control characters; NULL for an empty one or NULL. */
const char *structure_name(struct arena *arena, const char *text);
/* A module variable's name in the source, if the symbol tells more: "lut" for "_ZL3lut". Else NULL. */
const char *structure_name_of_variable(struct arena *arena, const char *symbol);
/* Names what pointers lead to by the names of what holds them: "*rows" for "*p2". */
void structure_name_pointees(struct arena *arena, struct structure *all, uint32_t count);

/* The order of reports: parameters, variables, what they point to, heap, unknown; "p2+8" before "p2+16". For qsort. */
int structure_compare(const struct structure *a, const struct structure *b);

/* The structures that a memory instruction may touch: a set of indices into a kernel's structures. */
struct access {
	uint32_t function, inst; /* where: the module's function, instruction in it */
	const uint32_t *structures;
	uint32_t nstructures;
	bool is_load, is_store, is_atomic, marked;
	const char *why; /* of a load that is not marked though its structures are read-only; else NULL */
	enum reason_kind why_kind;
	struct denial denied_by;
};

#endif
