/*
 * Inline assembly: each statement's opcode tells whether it can touch global memory, and the operand between its
 * brackets tells through which argument. What the table does not know counts as written.
 */
#include "passes/ir/effects.h"

#include "common/vec.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * One letter per bracketed operand, the last one for the rest: '-' nothing, 'r' reads, 'w' writes, 'a' both, 't' both
 * at once; 'p' reads and 's' writes memory that is not global; '!' writes anywhere. Of textures and surfaces, whose
 * handle comes first: 'f' fetches, 'h' reads, 'H' writes, 'u' updates.
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
    {"st.async.mmio", "w"},
    {"st.async.release", "w"},
    {"stmatrix", "s"},
    {"atom", "t"},
    {"red", "t"},
    {"red.async", "s"},
    {"red.async.mmio", "t"},
    {"red.async.release", "t"},
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
    {"tex", "f"},
    {"tld4", "f"},
    {"suld", "h"},
    {"sust", "H"},
    {"sured", "u"},
    {"suq", "-"},
    {"txq", "-"},
    {"mbarrier", "s"},
    {"clusterlaunchcontrol", "s"},
    {"tcgen05", "s"},
    {"fence", "-"},
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

		if (len >= found_len && strncmp(opcode, asm_rows[i].prefix, len) == 0 && strchr(".:", opcode[len])) {
			found = asm_rows[i].brackets;
			found_len = len;
		}
	}
	return found;
}

enum { MAX_LOCALS = 32 };

/* What stands in a register: arguments that it was computed from, and whether any of it came from memory. */
struct content {
	uint64_t from;
	bool loaded;
};

struct operands {
	struct content operand[EFFECT_ARGS]; /* of each constraint */
	unsigned count;
	unsigned nargs;
	/* Registers declared in the text. */
	struct {
		const char *name;
		size_t len;
		struct content content;
	} locals[MAX_LOCALS];
	unsigned nlocals;
	bool full; /* some could not be followed */
};

static struct operands parse_constraints(const char *text, unsigned nargs)
{
	struct operands ops = {.count = 0, .nargs = nargs};
	int argument = 0;

	while (*text && ops.count < EFFECT_ARGS) {
		size_t len = strcspn(text, ",");
		bool output = *text == '=', indirect = memchr(text, '*', len) != NULL;
		unsigned long tied = isdigit((unsigned char)*text) ? strtoul(text, NULL, 10) : ops.count;

		/* "0": an argument that begins in the register of result 0. */
		if (tied < ops.count)
			ops.operand[tied].from |= (uint64_t)1 << argument;
		if (*text != '~' && *text != '!')
			ops.operand[ops.count++].from = output && !indirect ? 0 : (uint64_t)1 << argument++;
		text += len + (text[len] == ',');
	}
	return ops;
}

static uint64_t all_arguments(const struct operands *ops)
{
	return ops->nargs >= EFFECT_ARGS ? UINT64_MAX : ((uint64_t)1 << ops->nargs) - 1;
}

static void affect(struct call_effects *e, const struct operands *ops, uint64_t arguments, uint16_t effect)
{
	for (unsigned i = 0; i < ops->nargs && i < EFFECT_ARGS; i++)
		if (arguments >> i & 1)
			e->arg[i] |= effect;
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
	ops->full |= add && ops->nlocals == MAX_LOCALS;
	if (!add || ops->nlocals == MAX_LOCALS)
		return NO_LOCAL;
	ops->locals[ops->nlocals].name = text;
	ops->locals[ops->nlocals].len = len;
	ops->locals[ops->nlocals].content = (struct content){0, false};
	return ops->nlocals++;
}

/*
 * What stands in the register that `*text` starts with: `$3` or `${3:x}`, or a register of the text, added if `add`.
 * Steps over it. NULL for any other word.
 */
static struct content *register_at(struct operands *ops, const char **text, bool add)
{
	const char *at = *text, *digits = at + (at[0] == '$' && at[1] == '{' ? 2 : 1);
	unsigned long number;
	unsigned local;
	size_t len = 0;

	if (at[0] == '$' && isdigit((unsigned char)*digits)) {
		number = strtoul(digits, (char **)text, 10);
		*text += digits - at == 2 ? strcspn(*text, "}") : 0;
		return number < ops->count ? &ops->operand[number] : NULL;
	}
	while (is_name(at[len]))
		len++;
	*text = at + (len ? len : 1);
	local = find_local(ops, at, len, add && len);
	return local == NO_LOCAL ? NULL : &ops->locals[local].content;
}

static uint64_t operand_arguments(struct operands *ops, const char **text, bool *elsewhere)
{
	const struct content *content = register_at(ops, text, false);

	*elsewhere |= content && content->loaded;
	return content ? content->from : 0;
}

/* Every argument behind the operands in text[0..len), those between brackets left out if `values`. */
static uint64_t arguments_in(struct operands *ops, const char *text, size_t len, bool values, bool *elsewhere)
{
	const char *end = text + len;
	uint64_t from = 0;

	while (text < end)
		if (values && *text == '[')
			text += strcspn(text, "]");
		else if (is_name(*text))
			from |= operand_arguments(ops, &text, elsewhere);
		else
			text++;
	return from;
}

/*
 * What the statement's first operand, if it is a register of the text or a list of them, is computed from. Returns
 * whether that is news.
 */
static bool note_definition(struct operands *ops, const char *statement, bool loads)
{
	const char *at = statement + strcspn(statement, " \t\r\n"), *end;
	bool news = false;
	uint64_t from;

	at += strspn(at, " \t\r\n");
	end = *at == '{' ? at + strcspn(at, "}") : at + strcspn(at, ",");
	if (*at == '[' || *end == '\0')
		return false;
	from = arguments_in(ops, end, strlen(end), loads, &loads);
	while (at < end) {
		struct content *content;

		if (!is_name(*at)) {
			at++;
			continue;
		}
		content = register_at(ops, &at, true);
		if (!content)
			continue;
		news |= (from & ~content->from) || loads > content->loaded;
		content->from |= from;
		content->loaded |= loads;
	}
	return news;
}

/*
 * The effect on the arguments behind the address at `text`. An address that is not seen to come from them alone may be
 * any, theirs too.
 */
static void affect_operand(struct call_effects *e, struct operands *ops, const char *text, uint16_t effect)
{
	bool elsewhere = false, loaded = false;
	uint64_t arguments;

	text += strspn(text, " \t\r\n");
	arguments = operand_arguments(ops, &text, &elsewhere);
	elsewhere |= !arguments;
	if (effect & EFFECT_IMAGE)
		affect(e, ops, arguments_in(ops, text, strcspn(text, "]"), false, &loaded), EFFECT_PLACE);
	if (!arguments) {
		arguments = all_arguments(ops);
		effect &= (uint16_t)~(EFFECT_IMAGE | EFFECT_FETCH);
	}
	affect(e, ops, arguments, effect);
	e->unknown_write |= elsewhere && (effect & (EFFECT_WRITE | EFFECT_ATOMIC));
	e->unknown_result |= elsewhere && (effect & (EFFECT_READ | EFFECT_ATOMIC | EFFECT_PRIVATE_READ));
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
		uint16_t effect;
		bool loads;
	} meanings[] = {
	    {'r', EFFECT_READ, true},
	    {'w', EFFECT_WRITE, false},
	    {'a', EFFECT_READ | EFFECT_WRITE, true},
	    {'t', EFFECT_ATOMIC, true},
	    {'p', EFFECT_PRIVATE_READ, true},
	    {'s', EFFECT_PRIVATE_WRITE, false},
	    {'f', EFFECT_IMAGE | EFFECT_FETCH | EFFECT_READ, false},
	    {'h', EFFECT_IMAGE | EFFECT_READ, false},
	    {'H', EFFECT_IMAGE | EFFECT_WRITE, false},
	    {'u', EFFECT_IMAGE | EFFECT_ATOMIC, false},
	};

	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (meanings[i].letter != letter)
			continue;
		affect_operand(e, ops, operand, meanings[i].effect);
		e->loads |= meanings[i].loads;
		/* What comes out of an image is not followed. */
		e->unknown_result |= meanings[i].effect & EFFECT_IMAGE;
		if (meanings[i].effect & (EFFECT_READ | EFFECT_ATOMIC | EFFECT_PRIVATE_READ))
			e->dep |= DEP_MEMORY;
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

/* One statement: its opcode, and the letters of what is between its brackets. */
struct statement {
	const char *text;
	char name[64];
	const char *letters;
	bool private_space;
};

static bool read_statement(struct statement *s, char *text)
{
	size_t len;

	s->text = skip_to_opcode(text);
	len = strcspn(s->text, " \t\r\n");
	if (len == 0 || *s->text == '.')
		return false;
	snprintf(s->name, sizeof s->name, "%.*s", (int)(len < sizeof s->name ? len : sizeof s->name - 1), s->text);
	s->letters = brackets_of(s->name);
	s->private_space = s->letters && names_private_space(s->name);
	if (!s->letters)
		s->letters = "a";
	return true;
}

/* Nothing in a register but what it was computed from: no brackets, or brackets that are not read. */
static bool is_load(const struct statement *s)
{
	return strchr(s->text, '[') && strpbrk(s->letters, "ratpfh");
}

/* The program's own ld.global.nc. */
static bool is_promised(const struct statement *s)
{
	return strncmp(s->name, "ld.global", 9) == 0 && (strstr(s->name, ".nc.") || strstr(s->name, ".nc:"));
}

static bool has(const char *name, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

/* Ordered accesses and fences beyond the CTA: what is read after them, others may have written. */
static bool listens(const struct statement *s)
{
	static const char *const orders[] = {".volatile", ".relaxed", ".acquire", ".acq_rel", ".mmio"};

	if (strstr(s->name, ".cta") || s->private_space)
		return false;
	if (strncmp(s->name, "fence", 5) == 0 || strncmp(s->name, "membar", 6) == 0)
		return true;
	if (strncmp(s->name, "ld.", 3) == 0)
		return has(s->name, orders, 5);
	return strncmp(s->name, "atom.", 5) == 0 && has(s->name, orders + 2, 2);
}

static void apply_statement(struct call_effects *e, struct operands *ops, const struct statement *s)
{
	const char *operands = s->text + strcspn(s->text, " \t\r\n");
	bool touches_memory = strchr(operands, '[') && strcmp(s->letters, "-") != 0, elsewhere = false;

	note_registers(e, s->text);
	if (strncmp(s->name, "griddepcontrol.wait", 19) == 0)
		e->waits_for_grid = true;
	e->listens |= listens(s);
	if (*s->letters == '!') {
		e->unknown_write = e->unknown_result = true;
		affect(e, ops, all_arguments(ops), EFFECT_RESULT | EFFECT_ESCAPE);
		return;
	}
	apply_brackets(e, ops, s->text, s->letters, s->private_space);
	/* A value beside an address may be what is stored there. */
	affect(e, ops, arguments_in(ops, operands, strlen(operands), true, &elsewhere),
	       EFFECT_RESULT | (touches_memory ? EFFECT_ESCAPE : 0));
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
	VEC(struct statement) statements = {0};
	struct statement statement;
	char *copy = xstrdup(text), *rest = copy, *part;
	unsigned accesses = 0;
	bool news, promised = false;

	blank_comments(copy);
	while ((part = strsep(&rest, ";")))
		if (read_statement(&statement, part))
			vec_push(&statements, statement);
	/* Once more while it brings anything: the text may loop. */
	do {
		news = false;
		for (size_t i = 0; i < statements.len; i++)
			news |= note_definition(&ops, statements.data[i].text, is_load(&statements.data[i]));
	} while (news);
	for (size_t i = 0; i < statements.len; i++) {
		apply_statement(&e, &ops, &statements.data[i]);
		accesses += strchr(statements.data[i].text, '[') != NULL;
		promised |= is_promised(&statements.data[i]);
	}
	for (unsigned i = 0; accesses == 1 && promised && i < EFFECT_ARGS; i++)
		e.arg[i] |= e.arg[i] & EFFECT_READ ? EFFECT_PROMISED : 0;
	if (ops.full)
		affect(&e, &ops, all_arguments(&ops), EFFECT_RESULT | EFFECT_ESCAPE);
	/* An operand that is memory itself ("=*m", "*m") is touched whatever the text says. */
	for (unsigned i = 0; *constraints && i < ops.count; i++) {
		size_t len = strcspn(constraints, ",");

		if (memchr(constraints, '*', len))
			affect(&e, &ops, ops.operand[i].from, EFFECT_READ | (*constraints == '=' ? EFFECT_WRITE : 0));
		constraints += len + (constraints[len] == ',');
	}
	vec_release(&statements);
	free(copy);
	return e;
}
