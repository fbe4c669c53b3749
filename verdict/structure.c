/* How structures are called, and in which order they are listed. */
#include "verdict/structure.h"

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
