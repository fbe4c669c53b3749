/* Compares two modules: matches kernels and structures by name, then compares verdicts and marks. */
#include "verdict/report/report_writers.h"

#include "common/demangle.h"
#include "common/xalloc.h"

#include <string.h>

/* nvcc puts a hash of the file into the names of what only the file knows; it changes with the file. */
static bool has_hash(const char *name)
{
	return strstr(name, "_GLOBAL__N__") || strstr(name, "_INTERNAL_");
}

/* Of kernels, or of structures. */
static bool is_same_name(const char *a, const char *b)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
	bool same = strcmp(a, b) == 0;

	if (same || !has_hash(a) || !has_hash(b))
		return same;
	structure_show(&x, a);
	structure_show(&y, b);
	same = strcmp(x.data, y.data) == 0;
	strbuf_release(&x);
	strbuf_release(&y);
	return same;
}

static const struct kernel_facts *find_kernel(const struct report *r, const char *name)
{
	struct report_position at = {0, 0};
	const struct report_module *module;
	const struct report_kernel *k;

	while ((k = report_next(r, &at, &module)))
		if (is_same_name(k->facts->name, name))
			return k->facts;
	return NULL;
}

static const struct structure *find_structure(const struct kernel_facts *f, const char *id)
{
	for (uint32_t i = 0; f && i < f->nstructures; i++)
		if (is_same_name(f->structures[i].id, id))
			return &f->structures[i];
	return NULL;
}

/* A structure of a module's kernel; `s` is NULL if the kernel lacks it. */
struct side {
	const struct kernel_facts *facts;
	const struct structure *s;
};

/* Structures of the same name. First come all of the old kernel, then those that only the new kernel has. */
struct pair {
	struct side old, new;
};

/* --- Grounds of marks --- */

/* The next structure, from `*at` on, that a guard wants to be other memory; NULL at the end. */
static const char *next_guard(const struct side *side, uint32_t *at)
{
	const struct kernel_facts *f = side->facts;

	for (; side->s && *at < f->nguards; (*at)++)
		if (&f->structures[f->guards[*at].reads] == side->s)
			return f->structures[f->guards[(*at)++].writes].id;
	return NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Guards ascend by what is written. */
static bool same_guards(const struct pair *p)
{
	uint32_t i = 0, j = 0;

	for (;;) {
		const char *a = next_guard(&p->old, &i), *b = next_guard(&p->new, &j);

		if (!(a && b ? is_same_name(a, b) : a == b))
			return false;
		if (!a)
			return true;
	}
}

static bool same_structure(const struct pair *p)
{
	const struct structure *a = p->old.s, *b = p->new.s;

	return a && b && a->verdict == b->verdict && a->loads == b->loads && a->loads_marked == b->loads_marked &&
	       a->sharing == b->sharing && same_text(a->rests_on, b->rests_on) && same_guards(p);
}

/* --- Kernels --- */

static bool structure_pair(const struct kernel_facts *old, const struct kernel_facts *new, uint32_t *at, struct pair *p)
{
	uint32_t nold = old ? old->nstructures : 0, nnew = new ? new->nstructures : 0;

	p->old.facts = old;
	p->new.facts = new;
	for (; *at < nold + nnew; (*at)++) {
		if (*at < nold) {
			p->old.s = &old->structures[*at];
			p->new.s = find_structure(new, p->old.s->id);
		} else {
			p->new.s = &new->structures[*at - nold];
			p->old.s = NULL;
			if (find_structure(old, p->new.s->id))
				continue;
		}
		(*at)++;
		return true;
	}
	return false;
}

static bool same_kernel(const struct kernel_facts *old, const struct kernel_facts *new)
{
	struct pair p;
	uint32_t at = 0;

	if (!old || !new || old->loads != new->loads || old->loads_marked != new->loads_marked)
		return false;
	while (structure_pair(old, new, &at, &p))
		if (!same_structure(&p))
			return false;
	return true;
}

typedef void visit_kernel(const struct kernel_facts *old, const struct kernel_facts *new, void *context);

/* Calls `visit` for each kernel that differs; returns how many are the same. */
static size_t compare(const struct report *old, const struct report *new, visit_kernel *visit, void *context)
{
	struct report_position at = {0, 0};
	const struct report_module *module;
	const struct report_kernel *k;
	size_t same = 0;

	while ((k = report_next(old, &at, &module))) {
		const struct kernel_facts *other = find_kernel(new, k->facts->name);

		if (same_kernel(k->facts, other))
			same++;
		else
			visit(k->facts, other, context);
	}
	at = (struct report_position){0, 0};
	while ((k = report_next(new, &at, &module)))
		if (!find_kernel(old, k->facts->name))
			visit(NULL, k->facts, context);
	return same;
}

/* --- Text --- */

/* ", by promise, if p1 and p2 are other memory": of a structure with marks, what they rest on. */
static void add_ground(const struct side *side, struct strbuf *out)
{
	const char *guard, *separator = ", if ";
	uint32_t at = 0, count = 0;

	if (!side->s->loads_marked)
		return;
	if (side->s->rests_on)
		strbuf_addf(out, ", by %s", side->s->rests_on);
	while ((guard = next_guard(side, &at))) {
		strbuf_adds(out, separator);
		structure_show(out, guard);
		separator = ", ";
		count++;
	}
	if (count)
		strbuf_adds(out, count == 1 ? " is other memory" : " are other memory");
}

static void add_side(const struct side *side, struct strbuf *out)
{
	const struct structure *s = side->s;

	if (!s) {
		strbuf_adds(out, "absent");
		return;
	}
	strbuf_addf(out, "%s, %s, %u of %u loads marked", verdict_name(s->verdict), sharing_name(s->sharing),
		    s->loads_marked, s->loads);
	add_ground(side, out);
}

/* Adds a kernel's name in the source, if it differs. */
static void add_plain_name(const char *name, struct strbuf *out)
{
	char *plain = demangle(name);

	if (strcmp(plain, name) != 0)
		strbuf_addf(out, "  %s\n", plain);
	xfree(plain);
}

static void add_reason(const struct structure *s, struct strbuf *out)
{
	if (!s || !s->why)
		return;
	if (s->why_line)
		strbuf_addf(out, "    line %u: %s\n", s->why_line, s->why);
	else
		strbuf_addf(out, "    %s\n", s->why);
}

/* "  p1 (in): " */
static void add_name(const struct structure *s, struct strbuf *out)
{
	size_t start = out->len + 2;

	strbuf_adds(out, "  ");
	structure_show(out, s->id);
	if (s->name && strcmp(s->name, out->data + start) != 0)
		strbuf_addf(out, " (%s)", s->name);
	strbuf_adds(out, ": ");
}

static void text_kernel(const struct kernel_facts *old, const struct kernel_facts *new, void *context)
{
	struct strbuf *out = context;
	struct pair p;
	uint32_t at = 0;

	if (!old || !new) {
		strbuf_addf(out, "\nkernel %s: %s\n", old ? old->name : new->name, old ? "removed" : "added");
		add_plain_name(old ? old->name : new->name, out);
		return;
	}
	strbuf_addf(out, "\nkernel %s: %u of %u loads marked -> %u of %u\n", old->name, old->loads_marked, old->loads,
		    new->loads_marked, new->loads);
	add_plain_name(new->name, out);
	while (structure_pair(old, new, &at, &p)) {
		if (same_structure(&p))
			continue;
		add_name(p.old.s ? p.old.s : p.new.s, out);
		add_side(&p.old, out);
		strbuf_adds(out, " -> ");
		add_side(&p.new, out);
		strbuf_addc(out, '\n');
		add_reason(p.new.s, out);
	}
}

void diff_text(const struct report *old, const struct report *new, struct strbuf *out)
{
	struct strbuf changes = STRBUF_INIT;
	size_t same = compare(old, new, text_kernel, &changes);

	strbuf_addf(out, "%s -> %s (alias level %s): %zu kernel%s unchanged%s\n", old->file, new->file,
		    alias_level_name(new->alias), same, same == 1 ? "" : "s", changes.len ? "" : ", none changed");
	if (changes.len)
		strbuf_add(out, changes.data, changes.len);
	strbuf_release(&changes);
}

/* --- JSON --- */

static json_t *json_side(const struct side *side)
{
	const struct structure *s = side->s;
	const char *guard;
	json_t *object, *guards;
	uint32_t at = 0;

	if (!s)
		return json_null();
	object = json_object();
	json_object_set_new(object, "verdict", json_string(verdict_name(s->verdict)));
	json_object_set_new(object, "sharing", json_string(sharing_name(s->sharing)));
	json_object_set_new(object, "loads", json_integer(s->loads));
	json_object_set_new(object, "loads_marked", json_integer(s->loads_marked));
	if (s->rests_on)
		json_object_set_new(object, "rests_on", json_string(s->rests_on));
	guards = json_array();
	while ((guard = next_guard(side, &at)))
		json_array_append_new(guards, report_string(guard));
	json_object_set_new(object, "guards", guards);
	return object;
}

static json_t *both(uint32_t old, uint32_t new)
{
	json_t *pair = json_array();

	json_array_append_new(pair, json_integer(old));
	json_array_append_new(pair, json_integer(new));
	return pair;
}

static void json_kernel(const struct kernel_facts *old, const struct kernel_facts *new, void *context)
{
	json_t *kernel = json_object(), *structures = json_array();
	struct pair p;
	uint32_t at = 0;

	json_object_set_new(kernel, "name", report_string(old ? old->name : new->name));
	report_add_demangled(kernel, old ? old->name : new->name);
	json_object_set_new(kernel, "change", json_string(!old ? "added" : !new ? "removed" : "changed"));
	json_object_set_new(kernel, "loads", both(old ? old->loads : 0, new ? new->loads : 0));
	json_object_set_new(kernel, "loads_marked", both(old ? old->loads_marked : 0, new ? new->loads_marked : 0));
	while (structure_pair(old, new, &at, &p)) {
		json_t *s;

		if (same_structure(&p))
			continue;
		s = json_object();
		json_object_set_new(s, "id", report_string(p.old.s ? p.old.s->id : p.new.s->id));
		json_object_set_new(s, "old", json_side(&p.old));
		json_object_set_new(s, "new", json_side(&p.new));
		json_array_append_new(structures, s);
	}
	json_object_set_new(kernel, "structures", structures);
	json_array_append_new(context, kernel);
}

void diff_json(const struct report *old, const struct report *new, struct strbuf *out)
{
	json_t *root = json_object(), *kernels = json_array();
	size_t same = compare(old, new, json_kernel, kernels);

	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "old", report_string(old->file));
	json_object_set_new(root, "new", report_string(new->file));
	json_object_set_new(root, "alias", json_string(alias_level_name(new->alias)));
	json_object_set_new(root, "unchanged", json_integer((json_int_t)same));
	json_object_set_new(root, "kernels", kernels);
	report_dump(root, new->form->indent, out);
}
