/*
 * Page view count: from how many addresses each page of a web log was seen, with the shape of Mars' PageViewCount. A
 * thread parses a line of the log, byte by byte, so lanes are a line of text apart. A first MapReduce removes repeated
 * lines: it hashes each line, sorts by hash and text, and keeps one line of each group. A second MapReduce cuts lines
 * at their tabs, and groups them by page.
 *
 *   pageviews [small|study|LINES]
 *
 * Lines follow Mars' generator, but one in 16 repeats an earlier line. `study` has 8,192 lines (Mars a million).
 */
#include "../common/mapreduce.h"

#include <map>
#include <string>

struct line_key {
	char *text; /* of the whole log */
	int at, hash;
};

struct line_value {
	int size; /* with the zero at its end */
	int is_whole;
};

__device__ int hash_of(const char *text, int size)
{
	int hash = size;

	for (int i = 0; i < size; i++)
		hash = hash * 31 ^ text[i];
	return hash;
}

/* The key is the whole line before lines are cut, and the page afterwards. */
struct views {
	static __device__ void count(char *, char *value, counter &out)
	{
		if (((line_value *)value)->is_whole)
			out.emit(sizeof(line_key), sizeof(line_value));
		else
			out.emit(sizeof(line_key), sizeof(int));
	}
	/* The address' offset is the value of a page. */
	static __device__ void map(char *key, char *value, emitter &out)
	{
		line_key *line = (line_key *)key;
		char *start = line->text + line->at, *end = start;

		if (((line_value *)value)->is_whole) {
			line->hash = hash_of(start, ((line_value *)value)->size);
			out.emit(key, value, sizeof(line_key), sizeof(line_value));
			return;
		}
		int *address = (int *)task_buffer(), size = 1;

		for (; *end != '\t'; end++)
			size++;
		*end++ = 0;
		*address = line->at + size;
		for (; *end != '\t'; end++)
			;
		*end = 0;
		line->hash = hash_of(start, size);
		out.emit(key, address, sizeof(line_key), sizeof(int));
	}
	static __device__ int compare(const char *key, const char *other)
	{
		const line_key *a = (const line_key *)key, *b = (const line_key *)other;

		if (a->hash != b->hash)
			return a->hash > b->hash ? 1 : -1;
		const char *x = a->text + a->at, *y = b->text + b->at;

		for (; *x == *y && *x; x++)
			y++;
		return (*x > *y) - (*x < *y);
	}
	static __device__ void reduce_count(char *, char *, int, counter &out)
	{
		out.emit(sizeof(line_key), sizeof(line_value));
	}
	/* The first of a group stays, to be cut. */
	static __device__ void reduce(char *key, char *values, int, emitter &out)
	{
		((line_value *)values)->is_whole = 0;
		out.emit(key, values, sizeof(line_key), sizeof(line_value));
	}
};

static std::vector<std::string> make_log(int lines)
{
	std::vector<std::string> log;
	unsigned state = 29;
	char line[64];

	for (int i = 0; i < lines; i++) {
		int numbers[6];

		for (int &number : numbers)
			number = (int)(next_random(&state) * (1 << 16));
		if (i > 0 && numbers[5] % 16 == 0) {
			log.push_back(log[numbers[0] % i]);
			continue;
		}
		snprintf(line, sizeof line, "http://www.abcdefg.com/%d.html\t%d.%d.%d.%d\t%d", numbers[0] % 1024,
			 numbers[1] % 256, numbers[2] % 256, numbers[3] % 256, numbers[4] % 256, numbers[5] % 1000);
		log.push_back(line);
	}
	return log;
}

/* Addresses of each page, with all lines that are different. */
static std::map<std::string, std::vector<std::string>> reference(std::vector<std::string> log)
{
	std::map<std::string, std::vector<std::string>> pages;

	std::sort(log.begin(), log.end());
	log.erase(std::unique(log.begin(), log.end()), log.end());
	for (const std::string &line : log) {
		size_t page = line.find('\t'), address = line.find('\t', page + 1);

		pages[line.substr(0, page)].push_back(line.substr(page + 1, address - page - 1));
	}
	for (auto &page : pages)
		std::sort(page.second.begin(), page.second.end());
	return pages;
}

/* The number of pages whose addresses are wrong. */
static int compare_pages(const grouped &found, const std::vector<char> &text,
			 std::map<std::string, std::vector<std::string>> expected)
{
	int wrong = 0;

	for (int2 group : found.groups->host) {
		std::vector<std::string> addresses;
		auto page = expected.find(&text[found.sorted->key<line_key>(group.x).at]);

		for (int i = group.x; i < group.y; i++)
			addresses.push_back(&text[found.sorted->value<int>(i)]);
		std::sort(addresses.begin(), addresses.end());
		if (page == expected.end() || page->second != addresses)
			wrong++;
		else
			expected.erase(page);
	}
	return wrong + (int)expected.size();
}

int main(int argc, char **argv)
{
	static const char usage[] = "pageviews [small|study|LINES]";
	int lines = chosen_number(argc, argv, 1024, 8192, usage), wrong;
	std::vector<std::string> log = make_log(lines);
	std::vector<line_key> keys;
	std::vector<line_value> values;
	std::string whole;

	for (const std::string &line : log) {
		keys.push_back({nullptr, (int)whole.size(), 0});
		values.push_back({(int)line.size() + 1, 1});
		whole.append(line.c_str(), line.size() + 1);
	}
	array<char> text(whole.size());
	text.host.assign(whole.begin(), whole.end());
	text.upload();
	for (line_key &key : keys)
		key.text = text.device;
	std::unique_ptr<pairs> given = make_pairs(keys, values), hashed = map_pairs<views>(*given);
	grouped same = group_pairs<views>(*hashed);
	std::unique_ptr<pairs> once = reduce_groups<views>(same), cut = map_pairs<views>(*once);
	grouped pages = group_pairs<views>(*cut);

	pages.sorted->download();
	wrong = compare_pages(pages, text.download(), reference(log));
	printf("pageviews: %d lines, %d of them different, %d pages, %d wrong\n", lines, once->count(), pages.count(),
	       wrong);
	return wrong != 0;
}
