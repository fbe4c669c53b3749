/* Names of structures, and their order in reports. */
#include "verdict/structure.h"

#include "common/demangle.h"

#include <stdlib.h>
#include <string.h>

const char *structure_id_of_param(struct arena *arena, unsigned param)
{
	return arena_printf(arena, "p%u", param);
}

const char *structure_id_of_field(struct arena *arena, unsigned param, int64_t offset)
{
	return arena_printf(arena, "p%u+%lld", param, (long long)offset);
}

const char *structure_id_of_any_field(struct arena *arena, unsigned param)
{
	return arena_printf(arena, "p%u+*", param);
}

const char *structure_id_of_pointee(struct arena *arena, const char *holder)
{
	return arena_printf(arena, "*%s", holder);
}

const char *structure_id_of_word(struct arena *arena, const char *holder, uint64_t word)
{
	return arena_printf(arena, "*(%s+%llu)", holder, (unsigned long long)word);
}

const char *structure_name(struct arena *arena, const char *text)
{
	char *copy = text && *text ? arena_strdup(arena, text) : NULL;

	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return copy;
}

void structure_show(struct strbuf *out, const char *id)
{
	char *plain = demangle(id);

	strbuf_adds(out, plain);
	free(plain);
}

const char *structure_shown(struct arena *arena, const char *id)
{
	struct strbuf text = STRBUF_INIT;
	const char *shown;

	if (!strstr(id, "_Z"))
		return id;
	structure_show(&text, id);
	shown = arena_strdup(arena, text.data);
	strbuf_release(&text);
	return shown;
}

const char *structure_name_of_variable(struct arena *arena, const char *symbol)
{
	char *plain = demangle(symbol);
	const char *name = strcmp(plain, symbol) != 0 ? structure_name(arena, plain) : NULL;

	free(plain);
	return name;
}

void structure_name_pointees(struct arena *arena, struct structure *all, uint32_t count)
{
	/* A holder may be a pointee, which an earlier round has named. */
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < count; i++) {
			const struct structure *holder = all[i].kind == STRUCTURE_POINTEE ? &all[all[i].holder] : NULL;

			if (!holder || all[i].name || !holder->name)
				continue;
			all[i].name = all[i].at_word ? structure_id_of_word(arena, holder->name, all[i].word)
						     : structure_id_of_pointee(arena, holder->name);
			again = true;
		}
	}
}

static bool is_param(const struct structure *s)
{
	return s->kind == STRUCTURE_PARAM || s->kind == STRUCTURE_FIELD;
}

int structure_compare(const struct structure *a, const struct structure *b)
{
	if (is_param(a) && is_param(b)) {
		if (a->param != b->param)
			return a->param < b->param ? -1 : 1;
	} else if (a->kind != b->kind) {
		return a->kind < b->kind ? -1 : 1;
	}
	return strverscmp(a->id, b->id);
}
