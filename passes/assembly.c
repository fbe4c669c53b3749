/*
 * Inline assembly: each statement's opcode tells whether it can touch global memory, and the operand between its
 * brackets tells through which argument. What the table does not know counts as written.
 */
#include "passes/effects.h"

#include "common/xalloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * One letter per bracketed operand, the last one for the rest: '-' nothing, 'r' reads, 'w' writes, 'a' both, 't' both
 * at once; 'p' reads and 's' writes memory that is not global; '!' writes anywhere.
 */
static const struct {
	const char *prefix, *brackets;
} asm_rows[] = {
    {"ld", "r"},
    {"ldu", "r"},
    {"ldmatrix", "p"},
    {"wmma.load", "r"},
    {"wmma.store", "w"},
    {"st", "w"},
    {"st.async", "s"},
    {"stmatrix", "s"},
    {"atom", "t"},
    {"red", "t"},
    {"red.async", "s"},
    {"multimem", "t"},
    {"cp.async", "sr"},
    {"cp.async.mbarrier", "s"},
    {"cp.async.bulk", "wp"},
    {"cp.async.bulk.shared", "srs"},
    {"cp.async.bulk.prefetch", "-"},
    {"cp.async.bulk.tensor", "!"},
    {"cp.async.bulk.tensor.1d.shared", "srs"},
    {"cp.async.bulk.tensor.2d.shared", "srs"},
    {"cp.async.bulk.tensor.3d.shared", "srs"},
    {"cp.async.bulk.tensor.4d.shared", "srs"},
    {"cp.async.bulk.tensor.5d.shared", "srs"},
    {"cp.reduce", "!"},
    {"cp.reduce.async.bulk.global", "tp"},
    {"cp.reduce.async.bulk.shared", "sp"},
    {"prefetch", "-"},
    {"prefetchu", "-"},
    {"applypriority", "-"},
    {"discard", "w"},
    {"createpolicy", "-"},
    {"isspacep", "-"},
    {"tex", "-"},
    {"tld4", "-"},
    {"suld", "-"},
    {"sust", "-"},
    {"sured", "-"},
    {"suq", "-"},
    {"txq", "-"},
    {"mbarrier", "s"},
    {"tensormap", "a"},
    {"mapa", "-"},
    {"getctarank", "-"},
    {"call", "!"},
};

/* Opcodes whose name says the space: none of the program's global memory is reached. */
static bool names_private_space(const char *opcode)
{
	static const char *const spaces[] = {".shared", ".local", ".param", ".const"};

	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (strstr(opcode, spaces[i]) && !strstr(opcode, ".global"))
			return true;
	return false;
}

static const char *brackets_of(const char *opcode)
{
	const char *found = NULL;
	size_t found_len = 0;

	for (size_t i = 0; i < sizeof asm_rows / sizeof *asm_rows; i++) {
		size_t len = strlen(asm_rows[i].prefix);

		if (len >= found_len && strncmp(opcode, asm_rows[i].prefix, len) == 0 &&
		    strchr(".:", opcode[len])) {
			found = asm_rows[i].brackets;
			found_len = len;
		}
	}
	return found;
}

enum { MAX_LOCALS = 32 };

struct operands {
	int argument[EFFECT_ARGS]; /* of each constraint; -1 for results, which are no arguments */
	unsigned count;
	unsigned nargs;
	/* Registers declared in the text, and the arguments that what is in them was computed from. */
	struct {
		const char *name;
		size_t len;
		uint64_t from;
	} locals[MAX_LOCALS];
	unsigned nlocals;
};

static struct operands parse_constraints(const char *text, unsigned nargs)
{
	struct operands ops = {.count = 0, .nargs = nargs};
	int argument = 0;

	while (*text && ops.count < EFFECT_ARGS) {
		size_t len = strcspn(text, ",");
		bool output = *text == '=', indirect = memchr(text, '*', len) != NULL;

		if (*text != '~')
			ops.argument[ops.count++] = output && !indirect ? -1 : argument++;
		text += len + (text[len] == ',');
	}
	return ops;
}

static void affect_all(struct call_effects *e, unsigned nargs, uint8_t effect)
{
	for (unsigned i = 0; i < nargs && i < EFFECT_ARGS; i++)
		e->arg[i] |= effect;
}

static uint64_t all_arguments(const struct operands *ops)
{
	return ops->nargs >= EFFECT_ARGS ? UINT64_MAX : ((uint64_t)1 << ops->nargs) - 1;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

/* The register named at `text`, added if `add`; NO_LOCAL when it is not known. */
enum { NO_LOCAL = MAX_LOCALS };

static unsigned find_local(struct operands *ops, const char *text, size_t len, bool add)
{
	for (unsigned i = 0; i < ops->nlocals; i++)
		if (ops->locals[i].len == len && memcmp(ops->locals[i].name, text, len) == 0)
			return i;
	if (!add || ops->nlocals == MAX_LOCALS)
		return NO_LOCAL;
	ops->locals[ops->nlocals].name = text;
	ops->locals[ops->nlocals].len = len;
	ops->locals[ops->nlocals].from = 0;
	return ops->nlocals++;
}

/*
 * The arguments behind the operand that `*text` starts with: `$3` or `${3:x}`, or a register of the text. Steps over
 * it. *known is cleared for a register that was given no value here.
 */
static uint64_t operand_arguments(struct operands *ops, const char **text, bool *known)
{
	const char *at = *text, *digits = at + (at[0] == '$' && at[1] == '{' ? 2 : 1);
	unsigned long number;
	unsigned local;
	size_t len = 0;

	if (at[0] == '$' && isdigit((unsigned char)*digits)) {
		number = strtoul(digits, (char **)text, 10);
		*text += digits - at == 2 ? strcspn(*text, "}") : 0;
		if (number < ops->count && ops->argument[number] >= 0)
			return (uint64_t)1 << ops->argument[number];
		return 0;
	}
	while (is_name(at[len]))
		len++;
	*text = at + (len ? len : 1);
	local = find_local(ops, at, len, false);
	if (local == NO_LOCAL) {
		*known = isdigit((unsigned char)*at);
		return 0;
	}
	return ops->locals[local].from;
}

/* Every argument behind the operands in text[0..len). */
static uint64_t arguments_in(struct operands *ops, const char *text, size_t len)
{
	const char *end = text + len;
	uint64_t from = 0;
	bool known = true;

	while (text < end)
		if (is_name(*text))
			from |= operand_arguments(ops, &text, &known);
		else
			text++;
	return from;
}

/* What the statement's first operand, if it is a register of the text or a list of them, is computed from. */
static void note_definition(struct operands *ops, const char *statement)
{
	const char *at = statement + strcspn(statement, " \t\r\n"), *end;
	uint64_t from;

	at += strspn(at, " \t\r\n");
	end = *at == '{' ? at + strcspn(at, "}") : at + strcspn(at, ",");
	if (*at == '[' || *end == '\0')
		return;
	from = arguments_in(ops, end, strlen(end));
	while (at < end) {
		size_t len = 0;
		unsigned local;

		while (is_name(at[len]))
			len++;
		local = len && *at != '$' ? find_local(ops, at, len, true) : NO_LOCAL;
		if (local != NO_LOCAL)
			ops->locals[local].from |= from;
		at += len ? len : 1;
	}
}

/* The effect on the arguments behind the address at `text`; on all of them when that cannot be seen. */
static void affect_operand(struct call_effects *e, struct operands *ops, const char *text, uint8_t effect)
{
	bool known = true;
	uint64_t arguments;

	text += strspn(text, " \t\r\n");
	arguments = operand_arguments(ops, &text, &known);
	if (!arguments)
		arguments = all_arguments(ops);
	for (unsigned i = 0; i < ops->nargs && i < EFFECT_ARGS; i++)
		if (arguments >> i & 1)
			e->arg[i] |= effect;
	if ((effect & (EFFECT_WRITE | EFFECT_ATOMIC)) && ops->nargs == 0)
		e->unknown_write = true;
}

/* What a letter means once the opcode has named a space that is not global. */
static char privately(char letter)
{
	return letter == 'r' ? 'p' : letter == 'w' || letter == 'a' || letter == 't' ? 's' : letter;
}

static void apply_letter(struct call_effects *e, struct operands *ops, const char *operand, char letter)
{
	static const struct {
		char letter;
		uint8_t effect;
		bool loads;
	} meanings[] = {
	    {'r', EFFECT_READ, true},
	    {'w', EFFECT_WRITE, false},
	    {'a', EFFECT_READ | EFFECT_WRITE, true},
	    {'t', EFFECT_ATOMIC, true},
	    {'p', 0, true},
	    {'s', EFFECT_PRIVATE_WRITE, false},
	};

	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (meanings[i].letter != letter)
			continue;
		affect_operand(e, ops, operand, meanings[i].effect);
		if (meanings[i].loads) {
			e->unknown_result = true;
			e->dep |= DEP_MEMORY;
		}
	}
}

static void apply_brackets(struct call_effects *e, struct operands *ops, const char *statement, const char *letters,
			   bool private_space)
{
	for (const char *at = strchr(statement, '['); at; at = strchr(at + 1, '[')) {
		apply_letter(e, ops, at + 1, private_space ? privately(*letters) : *letters);
		if (letters[1])
			letters++;
	}
}

static void note_registers(struct call_effects *e, const char *statement)
{
	if (strstr(statement, "%tid") || strstr(statement, "%lane") || strstr(statement, "%warpid") ||
	    strstr(statement, "%clock") || strstr(statement, "%globaltimer"))
		e->dep |= DEP_THREAD;
	if (strstr(statement, "%ctaid") || strstr(statement, "%smid") || strstr(statement, "%cluster"))
		e->dep |= DEP_CTA;
}

/* Steps over labels, opening braces and `@p`. */
static char *skip_to_opcode(char *at)
{
	for (;;) {
		char *word;

		at += strspn(at, " \t\r\n{}");
		if (*at == '@') {
			at += strcspn(at, " \t");
			continue;
		}
		word = at + strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.{}");
		if (word == at || *word != ':' || word[1] == ':')
			return at;
		at = word + 1;
	}
}

static void apply_statement(struct call_effects *e, struct operands *ops, char *statement)
{
	char *opcode = skip_to_opcode(statement);
	size_t len = strcspn(opcode, " \t\r\n");
	char name[64] = "";
	const char *letters;

	if (len == 0 || *opcode == '.')
		return;
	note_registers(e, opcode);
	snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), opcode);
	if (strncmp(name, "griddepcontrol.wait", 19) == 0)
		e->waits_for_grid = true;
	letters = brackets_of(name);
	if (letters && *letters == '!') {
		e->unknown_write = e->unknown_result = true;
		affect_all(e, ops->nargs, EFFECT_ESCAPE);
	} else {
		apply_brackets(e, ops, opcode, letters ? letters : "a", letters && names_private_space(name));
	}
	note_definition(ops, opcode);
}

/* Comments and line ends become blanks; statements end at ';'. */
static void blank_comments(char *text)
{
	for (char *at = text; *at; at++) {
		const char *end = NULL;

		if (at[0] == '/' && at[1] == '/')
			end = at + strcspn(at, "\n");
		else if (at[0] == '/' && at[1] == '*')
			end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
		if (end) {
			memset(at, ' ', (size_t)(end - at));
			at += end - at - 1;
		}
	}
}

struct call_effects effects_of_assembly(const char *text, const char *constraints, unsigned nargs)
{
	struct call_effects e = {.dep = DEP_NONE};
	struct operands ops = parse_constraints(constraints, nargs);
	char *copy = xstrdup(text), *rest = copy, *statement;

	affect_all(&e, nargs, EFFECT_RESULT);
	blank_comments(copy);
	while ((statement = strsep(&rest, ";")))
		apply_statement(&e, &ops, statement);
	/* An operand that is memory itself ("=*m", "*m") is touched whatever the text says. */
	for (unsigned i = 0; *constraints && i < ops.count; i++) {
		size_t len = strcspn(constraints, ",");

		if (memchr(constraints, '*', len) && ops.argument[i] >= 0)
			e.arg[ops.argument[i]] |= EFFECT_READ | (*constraints == '=' ? EFFECT_WRITE : 0);
		constraints += len + (constraints[len] == ',');
	}
	free(copy);
	return e;
}
