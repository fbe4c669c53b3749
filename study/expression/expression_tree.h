/* The tree of an expression, between parse.c and evaluate.c. */
#ifndef ROMARK_STUDY_EXPRESSION_TREE_H
#define ROMARK_STUDY_EXPRESSION_TREE_H

#include "study/expression/expression.h"

enum node_kind {
	NODE_NUMBER,    /* number */
	NODE_COUNTER,   /* text */
	NODE_MEASURED,  /* text, measured: a value that somebody has measured */
	NODE_VALUE,     /* text, left: the study's value of this name */
	NODE_DIMENSION, /* dimension */
	NODE_COMPARE,   /* dimension, operator, words: a single word */
	NODE_IN,        /* dimension, words */
	NODE_UNARY,     /* operator: '-' or 'n'ot; left */
	NODE_BINARY,    /* operator, left, right */
	NODE_CALL,      /* function, left, right or NULL */
	NODE_AGGREGATE, /* text: its name; left, overs; right of corr() alone */
	NODE_AT,        /* left, at */
	NODE_BASE,      /* left */
};

/* "over DIMENSION [in ...]"; `launch`: over the kernels of a run. */
struct over {
	enum dimension dimension;
	bool launch, limited;
	study_texts words;
};

struct node {
	enum node_kind kind;
	char operator;   /* + - * / ^ = ! < > l(<=) g(>=) &(and) |(or) n(not) */
	unsigned column; /* in the text, from 0 */
	double number;
	const char *text;
	bool total;  /* of a counter: it grows as a run goes on */
	bool scales; /* of a function: f(k a, k b) = k f(a, b) for k > 0 */
	enum dimension dimension;
	struct node *left, *right;
	struct node *up; /* the NODE_BINARY whose left side this is. Long sums are walked by it, not by recursion */
	const struct study_text *words;
	size_t nwords;
	struct over *overs;
	size_t novers;
	size_t measured; /* the column of a NODE_MEASURED */
	struct study_at at;
	double (*function)(double a, double b);
};

struct expression {
	const struct study *study;
	struct study_text text;
	struct node *root;
	size_t size;     /* nodes, with the nodes of the values that it names, counted as often as they are named */
	unsigned nested; /* values that name one another, one inside the other */
};

/* The operator at the end of the left sides, which is computed first. From there `up` leads back to `n`. */
static inline const struct node *leftmost(const struct node *n)
{
	while (n->left->kind == NODE_BINARY)
		n = n->left;
	return n;
}

/* A message about a place in the expression. Returns DIAG_ERROR. */
int expression_wrong(const struct expression *e, unsigned column, struct diag *d, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
