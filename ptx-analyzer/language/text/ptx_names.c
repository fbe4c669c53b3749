/*
 * Identifiers, each stored once, with its meaning in the current scope. Opening a scope costs nothing; closing it
 * undoes the bindings made since.
 */
#include "ptx-analyzer/language/text/parser.h"

enum { FIRST_SIZE = 256 };

static void grow(struct names *n)
{
	uint32_t size = n->size ? n->size * 2 : FIRST_SIZE;

	free(n->slots);
	n->slots = xcalloc(size, sizeof(*n->slots));
	n->size = size;
	for (uint32_t i = 0; i < n->all.len; i++) {
		uint32_t slot = n->all.data[i].hash & (size - 1);

		while (n->slots[slot])
			slot = (slot + 1) & (size - 1);
		n->slots[slot] = i + 1;
	}
}

/* The slot of the name, or the free slot for it. */
static uint32_t *slot_of(const struct names *n, uint32_t hash, const char *text, uint32_t len)
{
	uint32_t slot = hash & (n->size - 1);

	while (n->slots[slot]) {
		const struct name *name = &n->all.data[n->slots[slot] - 1];

		if (name->hash == hash && name->len == len && !memcmp(name->text, text, len))
			break;
		slot = (slot + 1) & (n->size - 1);
	}
	return &n->slots[slot];
}

uint32_t names_find(const struct names *n, const char *text, uint32_t len)
{
	return n->size ? *slot_of(n, hash_text(text, len), text, len) - 1 : PTX_NONE;
}

uint32_t names_intern(struct names *n, struct arena *arena, const char *text, uint32_t len)
{
	uint32_t hash = hash_text(text, len), *slot;

	if (n->all.len * 2 >= n->size)
		grow(n);
	slot = slot_of(n, hash, text, len);
	if (!*slot) {
		vec_push(&n->all, (struct name){.text = arena_strndup(arena, text, len),
						.len = len,
						.hash = hash,
						.range = PTX_NONE,
						.pending = PTX_NONE});
		*slot = (uint32_t)n->all.len;
	}
	return *slot - 1;
}

bool names_bind(struct names *n, uint32_t index, enum binding kind, uint32_t id)
{
	struct name *name = &n->all.data[index];

	if (name->kind != BIND_NONE && name->depth == n->depth)
		return false;
	vec_push(&n->undo, (struct undo){index, name->id, name->depth, name->kind, false});
	name->kind = kind;
	name->id = id;
	name->depth = n->depth;
	return true;
}

bool names_bind_range(struct names *n, uint32_t index, uint32_t reg_decl)
{
	struct name *name = &n->all.data[index];

	if (name->range != PTX_NONE && name->range_depth == n->depth)
		return false;
	vec_push(&n->undo, (struct undo){index, name->range, name->range_depth, 0, true});
	name->range = reg_decl;
	name->range_depth = n->depth;
	return true;
}

void names_open(struct names *n)
{
	n->depth++;
}

void names_close(struct names *n, size_t mark)
{
	n->depth--;
	while (n->undo.len > mark) {
		struct undo u = vec_pop(&n->undo);
		struct name *name = &n->all.data[u.name];

		if (u.is_range) {
			name->range = u.id;
			name->range_depth = u.depth;
		} else {
			name->kind = u.kind;
			name->id = u.id;
			name->depth = u.depth;
		}
	}
}

void names_release(struct names *n)
{
	vec_release(&n->all);
	vec_release(&n->undo);
	free(n->slots);
	n->slots = NULL;
	n->size = 0;
}
