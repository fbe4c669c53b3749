/* One word after the other; a response file's come from splitting its text. */
#include "cc/words.h"

#include "common/ascii.h"
#include "common/file.h"
#include "common/strbuf.h"

#include <string.h>
#include <unistd.h>

enum { DEEPEST = 16 }; /* response files inside each other */

struct expansion {
	struct arena *arena;
	cc_words *out;
	struct diag *d;
	unsigned depth;
	bool files_follow; /* the word before was --options-file */
};

static int take_word(struct expansion *e, const char *word);

/* Appends the next word of `text` to `word`. Returns the word's end, or NULL without a word. */
static const char *next_word(const char *text, struct strbuf *word)
{
	char quote = 0;

	while (ascii_is_space(*text))
		text++;
	if (!*text)
		return NULL;
	for (; *text && (quote || !ascii_is_space(*text)); text++) {
		if (*text == '\\' && quote != '\'' && text[1])
			strbuf_addc(word, *++text);
		else if (quote ? *text == quote : *text == '"' || *text == '\'')
			quote = quote ? 0 : *text;
		else
			strbuf_addc(word, *text);
	}
	return text;
}

static int take_text(struct expansion *e, const char *text)
{
	struct strbuf word = STRBUF_INIT;
	int result = 0;

	for (const char *at = text; result == 0 && (at = next_word(at, &word)); word.len = 0) {
		strbuf_addc(&word, '\0');
		result = take_word(e, word.data);
	}
	strbuf_release(&word);
	return result;
}

static int take_file(struct expansion *e, const char *path)
{
	struct file_data file;
	int result;

	if (e->depth == DEEPEST)
		return diag_file(e->d, path, "response files include each other");
	if (file_read(path, &file, e->d) < 0)
		return DIAG_ERROR;
	e->depth++;
	result = take_text(e, file.data);
	e->depth--;
	file_data_release(&file);
	return result;
}

/* "a.rsp,b.rsp" */
static int take_files(struct expansion *e, const char *list)
{
	for (;;) {
		size_t len = strcspn(list, ",");

		if (len && take_file(e, arena_strndup(e->arena, list, len)) < 0)
			return DIAG_ERROR;
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

static int take_word(struct expansion *e, const char *word)
{
	static const char *const names[] = {"--options-file", "-options-file", "-optf"};

	if (e->files_follow) {
		e->files_follow = false;
		return take_files(e, word);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i]);

		if (strcmp(word, names[i]) == 0) {
			e->files_follow = true;
			return 0;
		}
		if (strncmp(word, names[i], len) == 0 && word[len] == '=')
			return take_files(e, word + len + 1);
	}
	if (*word == '@' && access(word + 1, R_OK) == 0)
		return take_file(e, word + 1);
	vec_push(e->out, arena_strdup(e->arena, word));
	return 0;
}

static int take_variable(struct expansion *e, const char *name)
{
	const char *value = getenv(name);

	return value ? take_text(e, value) : 0;
}

int cc_words_expand(int argc, char **argv, struct arena *arena, cc_words *words, struct diag *d)
{
	struct expansion e = {.arena = arena, .out = words, .d = d};

	if (take_variable(&e, "NVCC_PREPEND_FLAGS") < 0)
		return DIAG_ERROR;
	for (int i = 1; i < argc; i++)
		if (take_word(&e, argv[i]) < 0)
			return DIAG_ERROR;
	if (e.files_follow)
		return diag_file(d, NULL, "cc: file missing after --options-file");
	return take_variable(&e, "NVCC_APPEND_FLAGS");
}
