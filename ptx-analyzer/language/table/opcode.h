/* Private to ptx-analyzer/language: spellings of instructions, decoded and checked by their rows, each stored once. */
#ifndef ROMARK_PTX_OPCODE_H
#define ROMARK_PTX_OPCODE_H

#include "common/arena.h"
#include "ptx-analyzer/language/table/vocabulary.h"

enum { MAX_ROLES = 10, MAX_SPELLING = 255 };

/* The rule for one operand: the row's `operands` column, with the opcode's types filled in. */
struct operand_rule {
	uint8_t role;  /* letter of the signature */
	uint8_t check; /* enum operand_check */
	uint8_t kind;
	uint16_t bits;
};

enum operand_check { CHECK_NOTHING, CHECK_EXACT, CHECK_AT_LEAST, CHECK_PREDICATE, CHECK_NUMBER };

/* Whether an instruction's result is a pair d|p. */
enum operand_pair { PAIR_NO, PAIR_MAY, PAIR_MUST };

/* An interned spelling; the public part is first. */
struct opcode {
	struct ptx_opcode pub;
	uint32_t hash, length;
	uint8_t least, most; /* operands */
	uint8_t nrules;      /* letters of the signature */
	bool repeats;        /* the last letter may repeat any number of times */
	enum operand_pair pair;
	bool optional[MAX_ROLES];
	struct operand_rule rules[MAX_ROLES];
};

struct opcode_table {
	struct arena *arena; /* of the spellings */
	struct opcode **slots;
	uint32_t used, size; /* size is a power of two */
};

/* Interns a spelling. NULL if it is not valid PTX: `why` gets a sentence, `at` the place in the spelling. */
const struct opcode *opcode_intern(struct opcode_table *t, const char *text, size_t length, char *why, size_t why_size,
				   size_t *at);
/* A spelling that is not an instruction, for fragments: PTX_OP_invalid. */
const struct opcode *opcode_invalid(const struct opcode_table *t, const char *text, size_t length);
static inline bool opcode_takes(const struct opcode *opcode, unsigned operands)
{
	return operands >= opcode->least && (operands <= opcode->most || opcode->most == UINT8_MAX);
}

/* Rule of operand `index` of `count`, or NULL. */
const struct operand_rule *opcode_rule(const struct opcode *opcode, unsigned index, unsigned count);

/* The hash of a spelling or an identifier. */
uint32_t hash_text(const char *text, size_t len);

#endif
