/*
 * Page view rank: pages in falling order of their number of views, with the shape of Mars' PageViewRank. A task makes
 * its output in shared memory, and copies it byte by byte. Nearly all the time goes into sorting, where neighbouring
 * lanes read counts that lie anywhere.
 *
 *   viewrank [small|study|PAGES]
 *
 * `study` has 32,768 pages (Mars a million).
 */
#include "../common/mapreduce.h"

/* The key is a count, and the value the place of a page's name in the log; both are numbers. */
struct ranking {
	static __device__ void count(char *, char *, counter &out)
	{
		out.emit(sizeof(int), sizeof(int));
	}
	static __device__ void map(char *key, char *value, emitter &out)
	{
		int *seen = (int *)task_buffer(), *place = seen + 1;

		*seen = *(int *)key;
		*place = *(int *)value;
		out.emit(seen, place, sizeof(int), sizeof(int));
	}
	static __device__ int compare(const char *key, const char *other)
	{
		int a = *(const int *)key, b = *(const int *)other;

		return (a < b) - (a > b);
	}
};

int main(int argc, char **argv)
{
	static const char usage[] = "viewrank [small|study|PAGES]";
	int pages = chosen_number(argc, argv, 4096, 32768, usage), wrong = 0;
	std::vector<int> seen(pages), place(pages), expected;
	unsigned state = 31;

	for (int i = 0; i < pages; i++) {
		seen[i] = (int)(next_random(&state) * (float)(4 * pages));
		place[i] = i * 32; /* the names are left out */
	}
	std::unique_ptr<pairs> given = make_pairs(seen, place), mapped = map_pairs<ranking>(*given);
	grouped ranked = group_pairs<ranking>(*mapped);

	ranked.sorted->download();
	expected = seen;
	std::sort(expected.begin(), expected.end(), [](int a, int b) { return a > b; });
	std::vector<bool> met(pages);
	for (int i = 0; i < pages; i++) {
		int page = ranked.sorted->value<int>(i) / 32, count = ranked.sorted->key<int>(i);

		wrong += count != expected[i] || seen[page] != count || met[page];
		met[page] = true;
	}
	expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
	wrong += (size_t)ranked.count() != expected.size();
	printf("viewrank: %d pages, %d different counts, %d wrong\n", pages, ranked.count(), wrong);
	return wrong != 0;
}
