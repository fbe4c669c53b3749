/*
 * Decides by its path alone whether a place is the user's line: debug information does not mark the system's headers.
 */
#include "verdict/place.h"

#include <stddef.h>
#include <string.h>

/* The start of a path, and the parts that must follow, in this order. */
static const struct {
	const char *start, *parts[2];
} toolkit[] = {
    {"/usr/include/", {NULL}},
    {"/usr/lib", {"/include/", NULL}},
    {"/usr/local/include/", {NULL}},
    {"/usr/local/cuda", {"/include/", NULL}},
    {"/opt/cuda", {"/include/", NULL}},
    {"", {"/targets/x86_64-linux/include/", NULL}}, /* where nvcc looks, wherever it is installed */
    {"", {"/targets/sbsa-linux/include/", NULL}},
    {"", {"/targets/aarch64-linux/include/", NULL}},
    {"", {"-packages/nvidia/", "/include/"}}, /* the toolkit as Python packages */
    {"", {"/lib/clang/", "/include/"}},
    {"", {"/lib64/clang/", "/include/"}},
    {"", {"/include/c++/", NULL}},
    {"", {"/romark/include/", NULL}}, /* where romark is installed */
    {ROMARK_HEADERS, {NULL}},
};

enum { TOOLKITS = sizeof toolkit / sizeof *toolkit };

static bool is_under(const char *file, const char *start, const char *const *parts)
{
	size_t length = strlen(start);

	if (strncmp(file, start, length) != 0)
		return false;
	file += length;
	for (unsigned i = 0; i < 2 && parts[i]; i++) {
		file = strstr(file, parts[i]);
		if (!file)
			return false;
	}
	return true;
}

bool place_is_of_toolkit(const char *file)
{
	for (size_t i = 0; i < TOOLKITS; i++)
		if (is_under(file, toolkit[i].start, toolkit[i].parts))
			return true;
	return false;
}

struct place_chain place_chain_make(struct arena *arena, const struct source_place *places, uint32_t count)
{
	struct place_chain chain = {.count = count};

	if (count)
		chain.places = arena_memdup(arena, places, count * sizeof *places);
	while (chain.own < count && place_is_of_toolkit(places[chain.own].file))
		chain.own++;
	if (chain.own == count)
		chain.own = 0;
	return chain;
}

const struct source_place *place_shown(const struct place_chain *chain)
{
	return chain->count ? &chain->places[chain->own] : NULL;
}

const char *place_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
