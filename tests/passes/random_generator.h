/*
 * Shared by the parts of the generator of random programs: the text so far, and the values that a statement may use.
 * random_program.c makes functions of statements; random_statements.c has those in a line, random_flow.c those with
 * blocks of their own.
 */
#ifndef ROMARK_TEST_RANDOM_GENERATOR_H
#define ROMARK_TEST_RANDOM_GENERATOR_H

#include "tests/passes/ir_text.h"
#include "tests/passes/random_program.h"

#include "common/vec.h"

#include <stdbool.h>

/* f0 and f1, which call each other. */
enum { FUNCTIONS = 2 };

struct generator {
	struct random *random;
	struct ir_text text;
	unsigned block;     /* label of the current block */
	unsigned functions; /* f0.. that may be called */
	unsigned roots;     /* the first of `pointers`: the function's own */
	unsigned nesting;   /* of loops and branches */
	bool calls;         /* may the code here call functions */
	bool in_kernel;
	bool disguises; /* the program hides pointers in numbers */
	VEC(unsigned) pointers, numbers;
};

unsigned pick(struct generator *g, unsigned below);
/* Yes, one time in `in`. */
bool chance(struct generator *g, unsigned in);

/* A line of the text; one that defines a value, which is returned; a label. */
#define line(g, ...) ir_line(&(g)->text, __VA_ARGS__)
#define value(g, ...) ir_value(&(g)->text, __VA_ARGS__)
void label(struct generator *g, unsigned number);

/* Some pointer or number that there is; one more of them. */
unsigned pointer(struct generator *g);
unsigned number(struct generator *g);
void keep_pointer(struct generator *g, unsigned id);
void keep_number(struct generator *g, unsigned id);
/* The memory to write: mostly the function's own, since a store through an unknown pointer leaves no marks at all. */
unsigned target(struct generator *g);
/* Pointers and numbers made since then do not reach here. */
void forget(struct generator *g, size_t pointers, size_t numbers);

/* Address of one of four words from byte `from` on, in either node; of a slot. */
unsigned word_address(struct generator *g, unsigned object, unsigned from);
unsigned slot_address(struct generator *g, unsigned object);

/* One statement without blocks of its own; a call of a function. */
void add_plain_statement(struct generator *g);
void add_call(struct generator *g);
/* Statements of all kinds. */
void add_statements(struct generator *g, unsigned count);
/* A pointer in disguise, in a kernel of a program with disguises. */
void add_disguise(struct generator *g);

#endif
