/*
 * Inverted index: which files link to an address, with the shape of Mars' InvertedIndex. A thread scans a block of text
 * of at least 1024 bytes, up to the end of a line, for links; byte by byte, in a machine of five states, and twice, to
 * count and to emit. Lanes are about a kilobyte apart: a load touches 32 lines, and a lane comes back to its own 127
 * times. Links are then sorted by their hash and text.
 *
 *   inverted [small|study|BLOCKS]
 *
 * The text is generated, with about two links in a block, as in what Mars comes with. `study` has about 4,100 blocks in
 * 4 files, 4.3 MB (Mars 28 MB in 3 files).
 */
#include "../common/mapreduce.h"

#include <map>
#include <string>

enum { FILES = 4, BLOCK = 1024 };

struct link_key {
	char *text; /* of the file */
	int at, hash;
};

struct block_value {
	int at, size, file;
};

__device__ int hash_of(const char *text, int size)
{
	int hash = size;

	for (int i = 0; i < size; i++)
		hash = hash * 31 ^ text[i];
	return hash;
}

/* The text that the scan has just passed: plain text, `<`, `<a`, `<a href`, `<a href="`. */
enum state { TEXT, TAG, ANCHOR, HREF, LINK };

__device__ bool is_href(const char *text)
{
	return text[0] == 'h' && text[1] == 'r' && text[2] == 'e' && text[3] == 'f';
}

/* Calls `found` with a link's start and with the quote that ends it. */
template <typename F>
__device__ void scan_links(char *text, int size, F found)
{
	state now = TEXT;

	for (int i = 0; i < size; i++)
		switch (now) {
		case TEXT:
			if (text[i] == '<')
				now = TAG;
			break;
		case TAG:
			if (text[i] != ' ')
				now = text[i] == 'a' ? ANCHOR : TEXT;
			break;
		case ANCHOR:
			if (text[i] == 'h') {
				now = is_href(text + i) ? HREF : TEXT;
				i += now == HREF ? 3 : 0;
			} else if (text[i] != ' ') {
				now = TEXT;
			}
			break;
		case HREF:
			if (text[i] != ' ' && text[i] != '=')
				now = text[i] == '"' ? LINK : TEXT;
			break;
		case LINK: {
			char *end = text + i;

			while (*end != '"')
				end++;
			found(text + i, end);
			i = (int)(end - text);
			now = TEXT;
		}
		}
}

struct indexing {
	static __device__ void count(char *key, char *value, counter &out)
	{
		block_value *block = (block_value *)value;

		scan_links(((link_key *)key)->text + block->at, block->size,
			   [&](char *, char *) { out.emit(sizeof(link_key), sizeof(int)); });
	}
	static __device__ void map(char *key, char *value, emitter &out)
	{
		link_key *link = (link_key *)key;
		block_value *block = (block_value *)value;

		scan_links(link->text + block->at, block->size, [&](char *start, char *end) {
			*end = 0;
			link->at = (int)(start - link->text);
			link->hash = hash_of(start, (int)(end - start));
			out.emit(link, &block->file, sizeof(link_key), sizeof(int));
		});
	}
	static __device__ int compare(const char *key, const char *other)
	{
		const link_key *a = (const link_key *)key, *b = (const link_key *)other;

		if (a->hash != b->hash)
			return a->hash > b->hash ? 1 : -1;
		const char *x = a->text + a->at, *y = b->text + b->at;

		for (; *x == *y && *x; x++)
			y++;
		return (*x > *y) - (*x < *y);
	}
};

typedef std::map<std::string, std::vector<int>> index_of_links;

/* Makes lines of words and tags. About one line in 16 has a link, which goes into the expected index, too. */
static std::string make_file(int file, int bytes, index_of_links &expected)
{
	static const char *const pieces[] = {"<li class=\"item\">", "<p>",  "search ", "directories ", "<b>",
					     "of the university ",  "</b>", "maps ",   "</p>",         "&amp; "};
	unsigned state = 41 + file;
	std::string text;

	while ((int)text.size() < bytes) {
		int target = (int)(next_random(&state) * 4096);

		for (int i = 0; i < 4; i++)
			text += pieces[(int)(next_random(&state) * 10)];
		if (target % 16 == 0) {
			std::string link = "http://www.abcdefg.edu/home/" + std::to_string(target) + ".html";

			text += "<a href=\"" + link + "\">";
			expected[link].push_back(file);
		}
		text += '\n';
	}
	return text;
}

/* Cuts a file into blocks, each to the end of a line, which becomes a zero. */
static void cut(array<char> &text, int file, std::vector<link_key> &keys, std::vector<block_value> &blocks)
{
	int size = (int)text.host.size();

	for (int at = 0, end; at < size; at = end) {
		end = std::min(at + BLOCK, size - 1);
		while (text.host[end] != '\n' && end < size - 1)
			end++;
		text.host[end++] = 0;
		keys.push_back({text.device, 0, 0});
		blocks.push_back({at, end - at, file});
	}
	text.upload();
}

/* The number of links in the index that are not in the text. */
static int compare_index(const grouped &found, const std::vector<std::unique_ptr<array<char>>> &texts,
			 index_of_links expected)
{
	std::vector<std::vector<char>> text;
	int wrong = 0;

	for (const std::unique_ptr<array<char>> &file : texts)
		text.push_back(file->download());
	for (int2 group : found.groups->host) {
		std::vector<int> files;
		int first = found.sorted->value<int>(group.x);
		auto link = expected.find(&text[first][found.sorted->key<link_key>(group.x).at]);

		for (int i = group.x; i < group.y; i++)
			files.push_back(found.sorted->value<int>(i));
		std::sort(files.begin(), files.end());
		if (link == expected.end() || link->second != files)
			wrong++;
		else
			expected.erase(link);
	}
	return wrong + (int)expected.size();
}

int main(int argc, char **argv)
{
	static const char usage[] = "inverted [small|study|BLOCKS]";
	int wanted = chosen_number(argc, argv, 256, 4096, usage), wrong;
	std::vector<std::unique_ptr<array<char>>> texts;
	std::vector<link_key> keys;
	std::vector<block_value> blocks;
	index_of_links expected;

	for (int file = 0; file < FILES; file++) {
		std::string text = make_file(file, (wanted + FILES - 1) / FILES * (BLOCK + 24), expected);

		texts.emplace_back(new array<char>(text.size()));
		texts.back()->host.assign(text.begin(), text.end());
		cut(*texts.back(), file, keys, blocks);
	}
	std::unique_ptr<pairs> given = make_pairs(keys, blocks), links = map_pairs<indexing>(*given);
	grouped index = group_pairs<indexing>(*links);

	index.sorted->download();
	wrong = compare_index(index, texts, expected);
	printf("inverted: %zu blocks, %d links to %d addresses, %d wrong\n", blocks.size(), index.sorted->count(),
	       index.count(), wrong);
	return wrong != 0;
}
