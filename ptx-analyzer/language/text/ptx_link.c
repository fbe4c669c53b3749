/*
 * Joins modules by joining their texts. Each shared name gets one definition, each private name becomes unique, and the
 * pieces are printed so that everything is declared before it is used.
 */
#include "ptx-analyzer/language/text/ptx_link.h"

#include "common/demangle.h"
#include "ptx-analyzer/language/text/print.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <uthash.h>

/* A name of the joined module, and the place of its definition. */
struct entry {
	const char *name;
	struct ptx_module *m;
	uint32_t symbol;
	bool defined; /* else `m` only declares it */
	UT_hash_handle hh;
};

struct linker {
	struct ptx_module *const *modules;
	size_t count;
	struct entry *names;
	struct arena arena;
	uint8_t **states; /* per module and symbol: enum variable_state */
	struct diag *d;
};

enum variable_state { NOT_PRINTED, IN_PROGRESS, PRINTED };
enum { DEEPEST = 256 };

/*
 * Clang lists the variables that host code uses in this variable, to keep them alive. The joined module leaves it out:
 * the addresses in it would look like uses in every kernel.
 */
static const char used_marker[] = "__clang_gpu_used_external";

static const char *const provided[] = {
#define EXTERN(name, effect) #name,
#include "ptx-analyzer/language/table/externs.def"
#undef EXTERN
};

static bool is_provided(const char *name)
{
	for (size_t i = 0; i < sizeof provided / sizeof *provided; i++)
		if (strcmp(provided[i], name) == 0)
			return true;
	return false;
}

static const struct ptx_symbol *symbol_of(const struct entry *e)
{
	return &e->m->symbols[e->symbol];
}

static const struct ptx_function *function_of(const struct ptx_module *m, const struct ptx_symbol *s)
{
	return s->callee < m->nfunctions ? &m->functions[s->callee] : NULL;
}

/* Dynamic shared memory has no definition anywhere: the launch gives it its size. */
static bool is_dynamic_shared(const struct ptx_symbol *s)
{
	return s->space == PTX_SPACE_SHARED && s->linkage == PTX_LINK_EXTERN;
}

static bool is_defined(const struct ptx_module *m, const struct ptx_symbol *s)
{
	const struct ptx_function *f;

	if (s->kind == PTX_SYMBOL_VARIABLE)
		return s->linkage != PTX_LINK_EXTERN || is_dynamic_shared(s);
	f = function_of(m, s);
	return f && !f->is_declaration;
}

static bool is_top_level(const struct ptx_symbol *s)
{
	return s->function == PTX_NONE && (s->kind == PTX_SYMBOL_VARIABLE || s->kind == PTX_SYMBOL_FUNCTION);
}

static bool may_repeat(const struct ptx_symbol *s)
{
	return s->linkage == PTX_LINK_WEAK || s->linkage == PTX_LINK_COMMON || is_dynamic_shared(s);
}

/* --- Clang's static variables --- */

static const char static_infix[] = "__static__";

/*
 * The symbol that defines what `name` declares, under the long name that Clang gives static variables that the host
 * uses.
 */
static const struct ptx_symbol *find_static(const struct ptx_module *m, const char *name)
{
	size_t len = strlen(name);

	for (uint32_t i = 0; i < m->nsymbols; i++) {
		const struct ptx_symbol *s = &m->symbols[i];

		if (is_top_level(s) && strncmp(s->name, name, len) == 0 &&
		    strncmp(s->name + len, static_infix, sizeof static_infix - 1) == 0)
			return s;
	}
	return NULL;
}

/*
 * Clang gives a static variable its long name where it meets the host's use. Kernels above that in the source declare
 * it under the short name. This gives those declarations the long name.
 */
static void use_long_static_names(struct ptx_module *m)
{
	for (uint32_t i = 0; i < m->nsymbols; i++) {
		struct ptx_symbol *s = &m->symbols[i];
		const struct ptx_symbol *definition;

		if (!is_top_level(s) || s->kind != PTX_SYMBOL_VARIABLE || is_defined(m, s))
			continue;
		definition = find_static(m, s->name);
		if (definition)
			s->name = definition->name;
	}
}

/* --- One name, several modules --- */

static const char *kind_name(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYMBOL_FUNCTION ? "function" : "variable";
}

/* "function 'f(int)' ..." about a symbol of `m`. */
__attribute__((format(printf, 4, 5))) static int fail_symbol(struct diag *d, const struct ptx_module *m,
							     const struct ptx_symbol *s, const char *format, ...)
{
	char *name = demangle(s->name);
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	diag_file(d, m->file, "%s '%s' %s", kind_name(s), name, text.data);
	strbuf_release(&text);
	free(name);
	return DIAG_ERROR;
}

static uint64_t parameter_bytes(const struct ptx_module *m, const struct ptx_symbol *s)
{
	const struct ptx_function *f = function_of(m, s);
	uint64_t bytes = 0;

	for (uint32_t i = 0; f && i < f->nparams; i++)
		bytes = bytes * 31 + m->symbols[f->params[i]].size;
	for (uint32_t i = 0; f && i < f->nreturns; i++)
		bytes = bytes * 31 + m->symbols[f->returns[i]].size + 1;
	return bytes;
}

static bool is_kernel(const struct ptx_module *m, const struct ptx_symbol *s)
{
	const struct ptx_function *f = function_of(m, s);

	return f && f->is_kernel;
}

/*
 * Clang declares a kernel of another file as a function, whose small parameters are widened: "bool" is .b32 there
 * and .u8 in the kernel. No code calls it by that declaration.
 */
static bool have_other_parameters(const struct ptx_module *m, const struct ptx_symbol *s, const struct ptx_module *n,
				  const struct ptx_symbol *t)
{
	return is_kernel(m, s) == is_kernel(n, t) && parameter_bytes(m, s) != parameter_bytes(n, t);
}

/* Why `e` and the symbol `s` of `m` cannot be the same object, as the end of a sentence; NULL if they can. */
static const char *disagreement(const struct entry *e, const struct ptx_module *m, const struct ptx_symbol *s)
{
	const struct ptx_symbol *old = symbol_of(e);

	if (old->kind != s->kind)
		return "is a function in one and a variable in the other";
	if (old->kind == PTX_SYMBOL_FUNCTION)
		return have_other_parameters(e->m, old, m, s) ? "has other parameters" : NULL;
	if (old->space != s->space)
		return "lies in another memory space (__device__, __constant__)";
	if (old->size && s->size && old->size != s->size && !is_dynamic_shared(s))
		return "has another size";
	return NULL;
}

/* Whether `s` replaces `e`: the link keeps the most strictly aligned of several `extern __shared__`. */
static bool replaces(const struct entry *e, const struct ptx_symbol *s)
{
	const struct ptx_symbol *old = symbol_of(e);

	if (!e->defined)
		return true;
	return is_dynamic_shared(s) ? s->align > old->align : may_repeat(old) && !may_repeat(s);
}

static int merge(struct linker *l, struct entry *e, struct ptx_module *m, uint32_t symbol)
{
	const struct ptx_symbol *s = &m->symbols[symbol];
	const char *why = disagreement(e, m, s);

	if (why)
		return fail_symbol(l->d, m, s, "%s: %s", why, e->m->file);
	if (!is_defined(m, s))
		return 0;
	if (e->defined && !may_repeat(symbol_of(e)) && !may_repeat(s))
		return fail_symbol(l->d, m, s, "is defined here and in %s; make one of them static or extern",
				   e->m->file);
	if (replaces(e, s)) {
		e->m = m;
		e->symbol = symbol;
		e->defined = true;
	}
	return 0;
}

static struct entry *find(const struct linker *l, const char *name)
{
	struct entry *e;

	HASH_FIND_STR(l->names, name, e);
	return e;
}

static void enter(struct linker *l, struct ptx_module *m, uint32_t symbol)
{
	struct entry *e = arena_new(&l->arena, struct entry);

	*e = (struct entry){
	    .name = m->symbols[symbol].name, .m = m, .symbol = symbol, .defined = is_defined(m, &m->symbols[symbol])};
	HASH_ADD_KEYPTR(hh, l->names, e->name, strlen(e->name), e);
}

/* A symbol that others may mean by its name. */
static bool is_shared(const struct ptx_module *m, const struct ptx_symbol *s)
{
	return is_top_level(s) && (s->linkage != PTX_LINK_NONE || !is_defined(m, s));
}

static bool is_private(const struct ptx_module *m, const struct ptx_symbol *s)
{
	return is_top_level(s) && !is_shared(m, s) && strcmp(s->name, used_marker) != 0;
}

static int enter_shared(struct linker *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct ptx_module *m = l->modules[i];

		use_long_static_names(m);
		for (uint32_t s = 0; s < m->nsymbols; s++) {
			struct entry *e = is_shared(m, &m->symbols[s]) ? find(l, m->symbols[s].name) : NULL;

			if (e && merge(l, e, m, s) < 0)
				return DIAG_ERROR;
			if (!e && is_shared(m, &m->symbols[s]))
				enter(l, m, s);
		}
	}
	return 0;
}

static void rename_symbol(struct linker *l, struct ptx_module *m, struct ptx_symbol *s)
{
	const char *name = s->name;

	for (unsigned n = 2; find(l, name); n++)
		name = arena_printf(&m->arena, "%s$%u", s->name, n);
	if (s->kind == PTX_SYMBOL_FUNCTION)
		for (uint32_t f = 0; f < m->nfunctions; f++)
			if (&m->symbols[m->functions[f].symbol] == s)
				m->functions[f].name = name;
	s->name = name;
}

static void enter_private(struct linker *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct ptx_module *m = l->modules[i];

		for (uint32_t s = 0; s < m->nsymbols; s++)
			if (is_private(m, &m->symbols[s])) {
				rename_symbol(l, m, &m->symbols[s]);
				enter(l, m, s);
			}
	}
}

static int fail_undefined(const struct ptx_module *m, const struct ptx_symbol *s, struct diag *d,
			  const char *what_to_do)
{
	return fail_symbol(d, m, s, "is used here and defined nowhere; %s", what_to_do);
}

static int check_defined(const struct linker *l)
{
	for (struct entry *e = l->names; e; e = e->hh.next)
		if (!e->defined && !is_provided(e->name))
			return fail_undefined(e->m, symbol_of(e), l->d, "link the object or library that has it");
	return 0;
}

int ptx_check_complete(const struct ptx_module *m, struct diag *d)
{
	for (uint32_t i = 0; i < m->nsymbols; i++) {
		const struct ptx_symbol *s = &m->symbols[i];

		if (is_shared(m, s) && !is_defined(m, s) && !is_provided(s->name))
			return fail_undefined(m, s, d, "compile with -rdc=true when another file defines it");
	}
	return 0;
}

void ptx_link_names(struct ptx_module *m, void (*name)(void *arg, const char *name, bool defined), void *arg)
{
	use_long_static_names(m);
	for (uint32_t i = 0; i < m->nsymbols; i++)
		if (is_shared(m, &m->symbols[i]) && !is_provided(m->symbols[i].name))
			name(arg, m->symbols[i].name, is_defined(m, &m->symbols[i]));
}

/* --- Source positions --- */

/*
 * Renumbers the files of source positions. Inlining is dropped: its names are labels in a debug section, which is not
 * joined.
 */
static void shift_files(struct ptx_module *m, uint32_t offset)
{
	for (uint32_t i = 0; i < m->nlocs; i++) {
		m->locs[i].file += offset;
		m->locs[i].inlined_at = PTX_NONE;
		ptx_private(m)->loc_names[i].text = NULL;
	}
}

static void print_files(const struct linker *l, struct strbuf *out)
{
	uint32_t offset = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct ptx_module *m = l->modules[i];

		for (uint32_t n = 0; n < m->nfiles; n++)
			if (m->files[n])
				strbuf_addf(out, ".file %u \"%s\"\n", n + offset, m->files[n]);
		shift_files(m, offset);
		offset += m->nfiles;
	}
}

/* --- Printing --- */

static void print_head(const struct linker *l, struct strbuf *out)
{
	const struct ptx_module *newest = l->modules[0], *target = l->modules[0];

	for (size_t i = 1; i < l->count; i++) {
		const struct ptx_module *m = l->modules[i];

		if (m->version_major * 100 + m->version_minor > newest->version_major * 100 + newest->version_minor)
			newest = m;
		if (strverscmp(m->target, target->target) > 0)
			target = m;
	}
	strbuf_addf(out, ".version %u.%u\n.target %s\n.address_size %u\n", newest->version_major, newest->version_minor,
		    target->target, target->address_size);
}

/* Declarations of all functions, so that bodies and initial values may name them in any order. */
static void print_declarations(const struct linker *l, struct strbuf *out)
{
	for (struct entry *e = l->names; e; e = e->hh.next) {
		const struct ptx_symbol *s = symbol_of(e);

		if (s->kind != PTX_SYMBOL_FUNCTION)
			continue;
		for (uint32_t f = 0; f < e->m->nfunctions; f++)
			if (e->m->functions[f].symbol == e->symbol) {
				print_declaration(out, &e->m->functions[f], s->linkage);
				break;
			}
	}
}

/*
 * Prints the variables that an initial value names before the variable itself. Where variables name each other, or the
 * chain is too deep, it prints a declaration instead.
 */
static void print_ordered(struct linker *l, struct entry *e, unsigned depth, struct strbuf *out)
{
	const struct ptx_symbol *s = symbol_of(e);
	size_t module = 0;
	uint8_t *state;

	while (l->modules[module] != e->m)
		module++;
	state = &l->states[module][e->symbol];
	if (*state == IN_PROGRESS || (*state == NOT_PRINTED && depth == DEEPEST))
		print_variable(out, e->m, s, true);
	if (*state != NOT_PRINTED || depth == DEEPEST)
		return;
	*state = IN_PROGRESS;
	for (size_t i = 0; i < s->nrelocs; i++) {
		struct entry *target = find(l, e->m->symbols[s->relocs[i].symbol].name);

		if (target && target != e && symbol_of(target)->kind == PTX_SYMBOL_VARIABLE)
			print_ordered(l, target, depth + 1, out);
	}
	print_variable(out, e->m, s, false);
	*state = PRINTED;
}

static void print_variables(struct linker *l, struct strbuf *out)
{
	l->states = arena_array(&l->arena, uint8_t *, l->count);
	for (size_t i = 0; i < l->count; i++)
		l->states[i] = arena_array(&l->arena, uint8_t, l->modules[i]->nsymbols + 1);
	for (struct entry *e = l->names; e; e = e->hh.next)
		if (symbol_of(e)->kind == PTX_SYMBOL_VARIABLE)
			print_ordered(l, e, 0, out);
}

static void print_bodies(const struct linker *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct ptx_module *m = l->modules[i];

		for (uint32_t f = 0; f < m->nfunctions; f++) {
			const struct entry *e = m->functions[f].is_declaration ? NULL : find(l, m->functions[f].name);

			if (!e || e->m != m)
				continue;
			out_char(out, '\n');
			ptx_print_function(&m->functions[f], NULL, out);
		}
	}
}

static void print_aliases(const struct linker *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct ptx_module *m = l->modules[i];

		for (uint32_t n = 0; n < ptx_private(m)->nitems; n++) {
			const struct item *item = &ptx_private(m)->items[n];

			if (item->kind == ITEM_ALIAS && find(l, m->symbols[item->id].name)->m == m)
				print_item(out, m, item);
		}
	}
}

int ptx_link(struct ptx_module *const *modules, size_t count, struct strbuf *out, struct diag *d)
{
	struct linker l = {.modules = modules, .count = count, .arena = ARENA_INIT, .d = d};
	int result = enter_shared(&l);

	if (result == 0) {
		enter_private(&l);
		result = check_defined(&l);
	}
	if (result == 0) {
		print_head(&l, out);
		print_files(&l, out);
		print_declarations(&l, out);
		print_variables(&l, out);
		print_bodies(&l, out);
		print_aliases(&l, out);
		strbuf_reserve(out, 1);
		out->data[out->len] = '\0';
	}
	HASH_CLEAR(hh, l.names);
	arena_release(&l.arena);
	return result;
}
