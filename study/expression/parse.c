/* From text to a tree, by recursive descent: one function for each level of precedence. */
#include "study/expression/expression_tree.h"

#include "common/ascii.h"
#include "common/c_locale.h"
#include "common/guess.h"
#include "study/expression/counters.h"
#include "study/file/measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The size bounds what one place of a figure costs, since values that each name another twice double it. */
enum { MAX_DEPTH = 64, MAX_NESTED = 100, MAX_SIZE = 200000 };

struct parser {
	struct study *s;
	struct expression *e;
	enum expression_kind kind;
	const char *text, *at;
	unsigned depth;
	const struct study_value
	    *value; /* the value whose expression this is; the parser of the expression that names it */
	const struct parser *outer;
	struct diag *d;
};

int expression_wrong(const struct expression *e, unsigned column, struct diag *d, const char *format, ...)
{
	const struct study_place place = e->text.place;
	char message[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof message, format, args);
	va_end(args);
	if (place.line)
		return diag_set(d, e->study->path, place.line, place.column + column, "%s", message);
	return diag_set(d, "--filter", 1, column + 1, "%s", message);
}

static struct node *wrong(struct parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static struct node *wrong(struct parser *p, const char *at, const char *format, ...)
{
	char message[400];
	va_list args;

	va_start(args, format);
	c_vsnprintf(message, sizeof message, format, args);
	va_end(args);
	expression_wrong(p->e, (unsigned)(at - p->text), p->d, "%s", message);
	return NULL;
}

/* --- Words --- */

static void skip_space(struct parser *p)
{
	while (ascii_is_space(*p->at))
		p->at++;
}

static bool is_word_start(char c)
{
	return ascii_is_alpha(c) || c == '_';
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	if (!is_word_start(*at))
		return 0;
	while (is_word_start(at[n]) || ascii_is_digit(at[n]) || (at[n] == '.' && is_word_start(at[n + 1])))
		n++;
	return n;
}

/* Takes `token` if it is next; words only as a whole. */
static bool take(struct parser *p, const char *token)
{
	size_t n = strlen(token);

	skip_space(p);
	if (is_word_start(*token) ? word_length(p->at) != n || strncmp(p->at, token, n) != 0
				  : strncmp(p->at, token, n) != 0)
		return false;
	p->at += n;
	return true;
}

static struct node *node(struct parser *p, enum node_kind kind, const char *at)
{
	struct node *n = arena_new(&p->s->arena, struct node);

	n->kind = kind;
	n->column = (unsigned)(at - p->text);
	p->e->size++;
	return n;
}

static bool is_name_part(char c)
{
	return ascii_is_alnum(c) || strchr("_.-", c);
}

/* A value of a dimension: a word, a number, or anything in quotes. NULL: no value is there. */
static const char *take_value(struct parser *p)
{
	const char *begin, *end;

	skip_space(p);
	begin = p->at;
	if (*begin == '"' || *begin == '\'') {
		end = strchr(begin + 1, *begin);
		if (!end)
			return wrong(p, begin, "the quotes are not closed"), NULL;
		p->at = end + 1;
		return arena_strndup(&p->s->arena, begin + 1, (size_t)(end - begin - 1));
	}
	for (end = begin; *end && is_name_part(*end); end++)
		;
	if (end == begin)
		return wrong(p, begin, "a value is expected here, such as a policy's name"), NULL;
	p->at = end;
	return arena_strndup(&p->s->arena, begin, (size_t)(end - begin));
}

static enum dimension take_dimension(struct parser *p)
{
	for (enum dimension i = 0; i < DIM_COUNT; i++)
		if (take(p, dimension_names[i]))
			return i;
	return DIM_COUNT;
}

/* --- Values of dimensions --- */

/* The values of a dimension are known, so any other word is a mistake. */
static bool check_value(struct parser *p, const char *at, enum dimension dimension, const char *value)
{
	struct guess g = guess_start(value, strlen(value));

	if (study_has(p->s, dimension, value, &g))
		return true;
	wrong(p, at, "no %s '%s' in this study%s", dimension_names[dimension], value, guess_hint(&g).text);
	return false;
}

typedef VEC(struct study_text) values;

static bool take_values(struct parser *p, enum dimension dimension, values *list)
{
	do {
		const char *at = p->at + strspn(p->at, " \t\n"), *value = take_value(p);

		if (!value || !check_value(p, at, dimension, value))
			return false;
		vec_push(list, (struct study_text){value, {0, 0}});
	} while (take(p, ","));
	return take(p, ")") || (wrong(p, p->at, "')' is expected here"), false);
}

static const struct study_group *find_group(struct parser *p, enum dimension dimension)
{
	const char *at = p->at, *name = take_value(p);
	struct guess g;

	if (!name)
		return NULL;
	g = guess_start(name, strlen(name));
	for (size_t i = 0; i < p->s->groups.len; i++) {
		const struct study_group *group = &p->s->groups.data[i];

		if (strcmp(group->name, name) == 0 && group->dimension == dimension)
			return group;
		if (group->dimension == dimension)
			guess_try(&g, group->name);
	}
	wrong(p, at, "no group '%s' of values of %s%s; a list needs brackets, as in (a, b)", name,
	      dimension_names[dimension], guess_hint(&g).text);
	return NULL;
}

/* Reads what follows `in`: a group, or values in brackets. */
static bool take_set(struct parser *p, enum dimension dimension, const struct study_text **words, size_t *count)
{
	const struct study_group *group;
	values list = VEC_INIT;

	if (!take(p, "(")) {
		skip_space(p);
		group = find_group(p, dimension);
		if (!group)
			return false;
		*words = group->members.data;
		*count = group->members.len;
		return true;
	}
	if (!take_values(p, dimension, &list)) {
		vec_release(&list);
		return false;
	}
	*words = arena_memdup(&p->s->arena, list.data, list.len * sizeof *list.data);
	*count = list.len;
	vec_release(&list);
	return true;
}

static struct node *condition(struct parser *p, const char *begin, enum dimension dimension)
{
	static const struct {
		const char *token;
		char operator;
	} operators[] = {{"==", '='}, {"=", '='}, {"!=", '!'}, {"<=", 'l'}, {">=", 'g'}, {"<", '<'}, {">", '>'}};
	struct node *n;

	if (take(p, "in")) {
		n = node(p, NODE_IN, begin);
		n->dimension = dimension;
		return take_set(p, dimension, &n->words, &n->nwords) ? n : NULL;
	}
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (take(p, operators[i].token)) {
			const char *at = p->at + strspn(p->at, " \t\n"), *value = take_value(p);
			struct study_text *word = arena_new(&p->s->arena, struct study_text);

			n = node(p, NODE_COMPARE, begin);
			n->operator= operators[i].operator;
			n->dimension = dimension;
			word->text = value;
			n->words = word;
			n->nwords = 1;
			if (!value || (strchr("=!", n->operator) && !check_value(p, at, dimension, value)))
				return NULL;
			return n;
		}
	n = node(p, NODE_DIMENSION, begin);
	n->dimension = dimension;
	return n;
}

/* --- Functions --- */

static double absolute(double a, double b)
{
	(void)b;
	return fabs(a);
}

static double square_root(double a, double b)
{
	(void)b;
	return sqrt(a);
}

static double logarithm(double a, double b)
{
	(void)b;
	return log2(a);
}

static const struct {
	const char *name;
	double (*function)(double, double);
	unsigned arguments;
	bool scales;
} functions[] = {{"abs", absolute, 1, true},
		 {"sqrt", square_root, 1, false},
		 {"log2", logarithm, 1, false},
		 {"min", fmin, 2, true},
		 {"max", fmax, 2, true}};

static const char *const aggregates[] = {"mean", "geomean", "hmean", "sum", "min", "max", "median", "stddev", "count"};

static struct node *either(struct parser *p);

static bool take_over(struct parser *p, struct over *over)
{
	const struct study_text *words;
	size_t count;

	*over = (struct over){.dimension = DIM_COUNT};
	over->launch = take(p, "launch");
	if (over->launch)
		return true;
	skip_space(p);
	over->dimension = take_dimension(p);
	if (over->dimension == DIM_COUNT) {
		wrong(p, p->at, "`over` goes through program, size, gpu, variant, policy, seed or launch");
		return false;
	}
	over->limited = take(p, "in");
	if (!over->limited)
		return true;
	if (!take_set(p, over->dimension, &words, &count))
		return false;
	over->words.data = arena_memdup(&p->s->arena, words, (count + !count) * sizeof *words);
	over->words.len = count;
	return true;
}

static bool take_overs(struct parser *p, struct node *n)
{
	VEC(struct over) overs = VEC_INIT;
	bool fine = true;

	do {
		vec_grow(&overs);
		fine = take_over(p, &vec_last(&overs));
	} while (fine && take(p, ","));
	n->overs = arena_memdup(&p->s->arena, overs.data, overs.len * sizeof *overs.data);
	n->novers = overs.len;
	vec_release(&overs);
	return fine;
}

static bool is_aggregate(const char *name)
{
	for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
		if (strcmp(aggregates[i], name) == 0)
			return true;
	return false;
}

static struct node *close_call(struct parser *p, struct node *n)
{
	return take(p, ")") ? n : wrong(p, p->at, "')' is expected here");
}

static struct node *unknown_function(struct parser *p, const char *begin, const char *name)
{
	struct guess g = guess_start(name, strlen(name));

	guess_try(&g, "base");
	guess_try(&g, "corr");
	for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
		guess_try(&g, aggregates[i]);
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		guess_try(&g, functions[i].name);
	return wrong(p, begin, "no function '%s'%s", name, guess_hint(&g).text);
}

/* `corr(X,` has been read: the correlation of X and Y over runs. */
static struct node *correlation(struct parser *p, struct node *n, bool two)
{
	if (!two)
		return wrong(p, p->at, "corr() takes two values, as in corr(X, Y over program)");
	n->right = either(p);
	if (!n->right || (take(p, "over") && !take_overs(p, n)))
		return NULL;
	return close_call(p, n);
}

/* `name(` has been read. */
static struct node *call(struct parser *p, const char *begin, const char *name)
{
	struct node *n = node(p, NODE_AGGREGATE, begin);
	bool two;

	n->text = name;
	n->left = either(p);
	if (!n->left)
		return NULL;
	if (strcmp(name, "base") == 0) {
		n->kind = NODE_BASE;
		return close_call(p, n);
	}
	two = take(p, ",");
	if (strcmp(name, "corr") == 0)
		return correlation(p, n, two);
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0 && functions[i].arguments == 1u + two) {
			n->kind = NODE_CALL;
			n->function = functions[i].function;
			n->scales = functions[i].scales;
			n->right = two ? either(p) : NULL;
			return two && !n->right ? NULL : close_call(p, n);
		}
	if (!is_aggregate(name))
		return unknown_function(p, begin, name);
	if (two)
		return wrong(p, p->at, "%s() takes one value, and the dimensions behind `over`", name);
	if (take(p, "over") && !take_overs(p, n))
		return NULL;
	return close_call(p, n);
}

/* --- Names --- */

static struct node *too_large(struct parser *p, const char *at)
{
	return wrong(p, at,
		     "with the values that it names the expression has more than %d parts; name values fewer times, "
		     "such as 2 * x for x + x",
		     MAX_SIZE);
}

/* The text to its end. */
static struct node *whole(struct parser *p)
{
	struct node *n = either(p);

	skip_space(p);
	if (n && *p->at)
		return wrong(p, p->at, "nothing is expected here any more");
	return n;
}

static bool is_open(const struct parser *p, const struct study_value *value)
{
	for (; p; p = p->outer)
		if (p->value == value)
			return true;
	return false;
}

static struct node *too_nested(struct parser *p, const char *begin, const struct study_value *value)
{
	return wrong(p, begin, "'%s' needs more than %d values, each naming the next; write some of them out",
		     value->name, MAX_NESTED);
}

static unsigned open_values(const struct parser *p)
{
	unsigned count = 0;

	for (; p; p = p->outer)
		count += p->value != NULL;
	return count;
}

static struct expression *parse_value(struct parser *p, struct study_value *value)
{
	struct expression *e = arena_new(&p->s->arena, struct expression);
	struct parser inner = {.s = p->s,
			       .e = e,
			       .kind = p->kind,
			       .text = value->expression.text,
			       .at = value->expression.text,
			       .value = value,
			       .outer = p,
			       .d = p->d};

	*e = (struct expression){.study = p->s, .text = value->expression};
	e->root = whole(&inner);
	return e->root ? e : NULL;
}

_Static_assert(EXPRESSION_KINDS == sizeof((struct study_value *)NULL)->parsed / sizeof(struct expression *),
	       "a value has a tree for each kind of expressions that name it");

/* A value is parsed once; all that name it share its tree. */
static struct node *named_value(struct parser *p, const char *begin, struct study_value *value)
{
	struct node *n = node(p, NODE_VALUE, begin);
	struct expression **e = &value->parsed[p->kind];

	if (is_open(p, value))
		return wrong(p, begin, "'%s' needs itself; a value may name only values that do not need it",
			     value->name);
	if (!*e && open_values(p) >= MAX_NESTED)
		return too_nested(p, begin, value);
	if (!*e)
		*e = parse_value(p, value);
	if (!*e)
		return NULL;
	n->text = value->name;
	n->left = (*e)->root;
	p->e->size += (*e)->size;
	if (p->e->nested <= (*e)->nested)
		p->e->nested = (*e)->nested + 1;
	if (p->e->nested > MAX_NESTED)
		return too_nested(p, begin, value);
	return p->e->size > MAX_SIZE ? too_large(p, begin) : n;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct study_value *const *)a)->name, (*(struct study_value *const *)b)->name);
}

/* All values have been read when the first expression is parsed. */
static void sort_values(struct study *s)
{
	s->by_name = arena_alloc(&s->arena, (s->values.len + 1) * sizeof *s->by_name);
	for (size_t i = 0; i < s->values.len; i++)
		s->by_name[i] = &s->values.data[i];
	if (s->values.len)
		qsort(s->by_name, s->values.len, sizeof *s->by_name, by_name);
}

/* NULL if the study has no such value. */
static struct study_value *find_value(struct study *s, const char *name)
{
	const struct study_value wanted = {.name = name}, *key = &wanted;
	struct study_value **found;

	if (!s->by_name)
		sort_values(s);
	found = s->values.len ? bsearch(&key, s->by_name, s->values.len, sizeof *s->by_name, by_name) : NULL;
	return found ? *found : NULL;
}

static struct node *counter(struct parser *p, const char *begin, const char *name)
{
	struct node *n = node(p, NODE_COUNTER, begin);
	struct guess g = guess_start(name, strlen(name));

	n->text = name;
	n->total = counter_is_total(name);
	if (p->kind == EXPRESSION_CONDITION)
		return wrong(p, begin,
			     "'%s' is not a dimension; a condition names program, size, gpu, variant, policy or seed",
			     name);
	if (p->kind == EXPRESSION_PART || counter_is_known(name))
		return n;
	counter_guess(&g);
	for (size_t i = 0; i < p->s->values.len; i++)
		guess_try(&g, p->s->values.data[i].name);
	return wrong(p, begin, "no counter or value '%s'%s", name, guess_hint(&g).text);
}

static const char measured_prefix[] = "measured.";

static struct node *measured(struct parser *p, const char *begin, const char *name)
{
	const struct study_measured *m = &p->s->measured;
	const char *column = name + sizeof measured_prefix - 1;
	struct node *n = node(p, NODE_MEASURED, begin);
	struct guess g = guess_start(column, strlen(column));

	n->text = name;
	n->measured = measured_column(m, column);
	if (p->kind == EXPRESSION_CONDITION)
		return wrong(p, begin, "'%s' is not a dimension, and a condition names only these", name);
	if (n->measured != SIZE_MAX)
		return n;
	for (size_t i = 0; i < m->columns.len; i++)
		guess_try(&g, m->columns.data[i]);
	return wrong(p, begin,
		     m->files.len ? "no table of `measured` has a column '%s'%s"
				  : "'%s' is not known: the study names no table with `measured: FILE.csv`",
		     column, guess_hint(&g).text);
}

static struct node *name(struct parser *p)
{
	const char *begin = p->at;
	char *word = arena_strndup(&p->s->arena, begin, word_length(begin));
	enum dimension dimension = dimension_find(word);
	struct study_value *value;

	p->at += strlen(word);
	if (dimension != DIM_COUNT)
		return condition(p, begin, dimension);
	if (take(p, "("))
		return call(p, begin, word);
	if (strncmp(word, measured_prefix, sizeof measured_prefix - 1) == 0)
		return measured(p, begin, word);
	value = find_value(p->s, word);
	return value ? named_value(p, begin, value) : counter(p, begin, word);
}

/* --- Levels of precedence --- */

static struct node *primary(struct parser *p)
{
	struct node *n;
	char *end;

	skip_space(p);
	if (is_word_start(*p->at))
		return name(p);
	if (take(p, "(")) {
		n = either(p);
		return n ? close_call(p, n) : NULL;
	}
	if (!ascii_is_digit(*p->at) && *p->at != '.')
		return wrong(p, p->at,
			     *p->at ? "a number, a name or '(' is expected here, not '%.1s'"
				    : "the expression ends too early%s",
			     p->at);
	n = node(p, NODE_NUMBER, p->at);
	n->number = c_strtod(p->at, &end);
	if (end == p->at)
		return wrong(p, p->at, "a number is expected here");
	p->at = end;
	return n;
}

/* `[policy = shared, seed = 1]` behind a value. */
static struct node *postfix(struct parser *p)
{
	struct node *n = primary(p), *at;

	for (unsigned i = 0; n && take(p, "["); i++) {
		if (i == MAX_DEPTH)
			return wrong(p, p->at - 1, "the expression is too deep");
		at = node(p, NODE_AT, p->at);
		at->left = n;
		do {
			enum dimension dimension;
			const char *value, *begin;

			skip_space(p);
			dimension = take_dimension(p);
			if (dimension == DIM_COUNT || !take(p, "="))
				return wrong(p, p->at, "DIMENSION = VALUE is expected here");
			skip_space(p);
			begin = p->at;
			value = take_value(p);
			if (!value || !check_value(p, begin, dimension, value))
				return NULL;
			at->at.value[dimension] = value;
		} while (take(p, ","));
		if (!take(p, "]"))
			return wrong(p, p->at, "']' is expected here");
		n = at;
	}
	return n;
}

static struct node *unary(struct parser *p)
{
	const char *begin;
	struct node *n;

	skip_space(p);
	begin = p->at;
	if (p->depth > MAX_DEPTH)
		return wrong(p, begin, "the expression is too deep");
	if (!take(p, "-"))
		return postfix(p);
	n = node(p, NODE_UNARY, begin);
	n->operator= '-';
	p->depth++;
	n->left = unary(p);
	p->depth--;
	return n->left ? n : NULL;
}

/* Operators of one level, which group to the left. */
struct level {
	const char *tokens[7];
	char operators[7];
	struct node *(*next)(struct parser *p);
};

static struct node *binary(struct parser *p, const struct level *level)
{
	struct node *left;

	if (p->depth > MAX_DEPTH)
		return wrong(p, p->at, "the expression is too deep");
	p->depth++;
	left = level->next(p);
	for (size_t i = 0; left && level->tokens[i];) {
		struct node *n;

		if (!take(p, level->tokens[i])) {
			i++;
			continue;
		}
		n = node(p, NODE_BINARY, p->at - 1);
		n->operator= level->operators[i];
		n->left = left;
		left->up = n;
		n->right = p->e->size > MAX_SIZE ? too_large(p, p->at) : level->next(p);
		left = n->right ? n : NULL;
		i = 0;
	}
	p->depth--;
	return left;
}

static struct node *product(struct parser *p)
{
	static const struct level level = {{"*", "/", NULL}, {'*', '/'}, unary};

	return binary(p, &level);
}

static struct node *sum(struct parser *p)
{
	static const struct level level = {{"+", "-", NULL}, {'+', '-'}, product};

	return binary(p, &level);
}

static struct node *comparison(struct parser *p)
{
	static const struct level level = {
	    {"==", "!=", "<=", ">=", "<", ">", NULL}, {'=', '!', 'l', 'g', '<', '>'}, sum};

	return binary(p, &level);
}

static struct node *negation(struct parser *p)
{
	const char *begin;
	struct node *n;

	skip_space(p);
	begin = p->at;
	if (!take(p, "not"))
		return comparison(p);
	n = node(p, NODE_UNARY, begin);
	n->operator= 'n';
	n->left = p->depth > MAX_DEPTH ? wrong(p, begin, "the expression is too deep") : (p->depth++, negation(p));
	p->depth--;
	return n->left ? n : NULL;
}

static struct node *both(struct parser *p)
{
	static const struct level level = {{"and", NULL}, {'&'}, negation};

	return binary(p, &level);
}

static struct node *either(struct parser *p)
{
	static const struct level level = {{"or", NULL}, {'|'}, both};

	return binary(p, &level);
}

static bool is_joined(const struct node *n)
{
	return n->kind == NODE_BINARY && (n->operator== '&' || n->operator== '|');
}

/* A part of the tree that is not a condition, or NULL. */
static const struct node *no_condition(const struct node *n)
{
	const struct node *b = n, *other;

	if (n->kind == NODE_COMPARE || n->kind == NODE_IN)
		return NULL;
	if (n->kind == NODE_UNARY && n->operator== 'n')
		return no_condition(n->left);
	if (!is_joined(n))
		return n;
	while (is_joined(b->left))
		b = b->left;
	other = no_condition(b->left);
	for (; !other; b = b->up) {
		other = no_condition(b->right);
		if (b == n)
			break;
	}
	return other;
}

static struct node *only_condition(struct parser *p, struct node *root)
{
	const struct node *other = no_condition(root);

	return other ? wrong(p, p->text + other->column, "a condition is expected here, such as policy = shared")
		     : root;
}

struct expression *expression_parse(struct study *s, const struct study_text *text, enum expression_kind kind,
				    struct diag *d)
{
	struct expression *e = arena_new(&s->arena, struct expression);
	struct parser p = {.s = s, .e = e, .kind = kind, .text = text->text, .at = text->text, .d = d};

	*e = (struct expression){.study = s, .text = *text};
	e->root = whole(&p);
	if (e->root && kind == EXPRESSION_CONDITION)
		e->root = only_condition(&p, e->root);
	return e->root ? e : NULL;
}
