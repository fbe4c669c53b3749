/* How structures are called. */
#include "verdict/structure.h"

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
