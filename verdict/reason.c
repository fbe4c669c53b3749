/* A sentence of up to three parts: what the code shows, what a launch checks, and what is not checked. */
#include "verdict/reason.h"

#include "common/kernel_names.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <stddef.h>
#include <string.h>

const char reason_of_listening[] = "the kernel may be told while it runs that others have written this";

/* clang-format off */
static const struct {
	const char *rests_on, *text;
} grounds[] = {
	{"constant", "constant memory, which no kernel writes"},
	{"noalias", "no store, atomic or unknown code reaches it, as __restrict__ (noalias) says"},
	{"promise", "every load of it is the program's own read-only load (ld.global.nc), which promises that nothing writes it"},
};
/* clang-format on */

static const char *ground_of(const char *rests_on)
{
	for (size_t i = 0; rests_on && i < sizeof grounds / sizeof *grounds; i++)
		if (strcmp(grounds[i].rests_on, rests_on) == 0)
			return grounds[i].text;
	return "no store, atomic or unknown code reaches it";
}

/* A structure behind pointers in memory may depend on facts about the memory that holds them. */
static void add_ground(const struct kernel_facts *facts, const struct structure *s, struct strbuf *out)
{
	if (s->kind != STRUCTURE_POINTEE || (s->rests_on && strcmp(s->rests_on, "promise") == 0)) {
		strbuf_adds(out, ground_of(s->rests_on));
		return;
	}
	strbuf_adds(out, "no store, atomic or unknown code reaches it, nor ");
	structure_show(out, facts->structures[s->holder].id);
	strbuf_adds(out, ", which holds the pointers");
	if (s->rests_on)
		strbuf_addf(out, " (%s)", s->rests_on);
}

/* A sentence names no more of them. */
enum { MANY_GUARDS = 8 };

/* Guards ascend by what they read. */
static uint32_t first_guard(const struct kernel_facts *facts, uint32_t structure)
{
	uint32_t low = 0, high = facts->nguards;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (facts->guards[middle].reads < structure)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_guards(const struct kernel_facts *facts, uint32_t structure, struct strbuf *out)
{
	uint32_t first = first_guard(facts, structure), count = first_guard(facts, structure + 1) - first;

	if (!count)
		return;
	strbuf_addf(out, "; %u guard%s", count, count == 1 ? "" : "s");
	for (uint32_t i = 0; i < count && i < MANY_GUARDS; i++) {
		strbuf_adds(out, i ? ", " : ": ");
		structure_show(out, facts->structures[facts->guards[first + i].writes].id);
	}
	if (count > MANY_GUARDS)
		strbuf_addf(out, " and %u more", count - MANY_GUARDS);
	strbuf_adds(out, " must be other memory at the launch");
}

const char *reason_of_read_only(struct arena *arena, const struct kernel_facts *facts, uint32_t structure)
{
	const struct structure *s = &facts->structures[structure];
	struct strbuf text = STRBUF_INIT;
	const char *kept;

	add_ground(facts, s, &text);
	add_guards(facts, structure, &text);
	if (s->assumed)
		strbuf_adds(&text, "; other names are taken as other memory, unchecked");
	kept = arena_strndup(arena, text.data, text.len);
	strbuf_release(&text);
	return kept;
}

const char *reason_of_denial(struct arena *arena, const struct denial *by, bool window)
{
	char *title = kernel_title(by->function ? by->function : by->kernel);
	const char *text;

	if (by->function)
		text = arena_printf(arena, "code that is not in this module may come to it through %s", title);
	else
		text = arena_printf(arena, "kernel %s comes to it, too, and %s", title,
				    window ? "lets it load local, shared or constant memory"
					   : "writes what it loads, or may");
	xfree(title);
	return text;
}
