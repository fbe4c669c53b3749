/* A hash table of texts, which it copies. */
#include "cli/first_of.h"

#include <string.h>
#include <uthash.h>

struct first_entry {
	const char *text;
	size_t number;
	UT_hash_handle hh;
};

size_t first_of(struct first_of *f, const char *text, size_t number)
{
	struct first_entry *entry;

	HASH_FIND_STR(f->entries, text, entry);
	if (entry)
		return entry->number;
	entry = arena_new(&f->arena, struct first_entry);
	entry->text = arena_strdup(&f->arena, text);
	entry->number = number;
	HASH_ADD_KEYPTR(hh, f->entries, entry->text, strlen(entry->text), entry);
	return number;
}

void first_of_release(struct first_of *f)
{
	HASH_CLEAR(hh, f->entries);
	arena_release(&f->arena);
}
