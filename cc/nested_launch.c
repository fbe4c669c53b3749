/* Reads a source once: finds the braces that are bodies of device functions, and the launches in them. */
#include "cc/nested_launch.h"

#include "cc/source_text.h"
#include "common/ascii.h"
#include "common/vec.h"

#include <string.h>

/* Replaces [at, at + length) of `text` by `with`. */
struct edit {
	size_t at, length;
	const char *with;
	const char *callee; /* in `with`'s place: the callee's launcher, for its name of `length` characters */
};

struct reading {
	const char *text;
	VEC(bool) device;            /* per open brace: inside of a device function */
	bool head_device, head_host; /* words since the last end of a declaration */
	VEC(struct edit) edits;
};

/* --- Launches --- */

static size_t back_over_space(const char *t, size_t i)
{
	while (i && ascii_is_space(t[i - 1]))
		i--;
	return i;
}

/* Start of the template arguments that end before `i`, or `i`. */
static size_t back_over_arguments(const char *t, size_t i)
{
	unsigned angles = 0, parentheses = 0;

	for (size_t k = i; k--;) {
		parentheses += t[k] == ')';
		if (t[k] == '(' && parentheses-- == 0)
			return i;
		if (parentheses)
			continue;
		angles += t[k] == '>';
		if (t[k] == '<' && --angles == 0)
			return k;
		if (!angles || t[k] == ';' || t[k] == '{')
			return i;
	}
	return i;
}

/* Start of a name like ns<4>::kernel<8> that ends before `end`; `end` if no name ends there. */
static size_t callee_start(const char *t, size_t end)
{
	size_t i = back_over_space(t, back_over_arguments(t, end)), start = end;

	while (i && cc_is_word(t[i - 1])) {
		while (i && cc_is_word(t[i - 1]))
			i--;
		start = i;
		if (i < 2 || t[i - 1] != ':' || t[i - 2] != ':')
			break;
		start = i - 2;
		i = back_over_arguments(t, start);
	}
	return start;
}

/* Notes the changes for the <<< at `i`; returns where reading goes on. */
static size_t rewrite_launch(struct reading *r, size_t i)
{
	size_t name_end = back_over_space(r->text, i), name = callee_start(r->text, name_end);
	size_t end = cc_launch_end(r->text, i + 3);

	if (name == name_end || !end)
		return i + 3;
	vec_push(&r->edits, (struct edit){name, name_end - name, NULL, r->text + name});
	vec_push(&r->edits, (struct edit){i, 3, "(", NULL});
	vec_push(&r->edits, (struct edit){end, 3, ")", NULL});
	return end + 3;
}

/* --- The reading --- */

/* __host__ __device__ functions stay unchanged: their launches are for the host. */
static void note_word(struct reading *r, size_t i, size_t length)
{
	const char *at = r->text + i;

	r->head_host |= length == 8 && memcmp(at, "__host__", 8) == 0;
	r->head_device |= length == 10 && (memcmp(at, "__device__", 10) == 0 || memcmp(at, "__global__", 10) == 0);
}

static void note_punctuation(struct reading *r, char c)
{
	bool inside = r->device.len && vec_last(&r->device);

	if (c == '{')
		vec_push(&r->device, inside || (r->head_device && !r->head_host));
	else if (c == '}' && r->device.len)
		(void)vec_pop(&r->device);
	if (c == '{' || c == '}' || c == ';')
		r->head_device = r->head_host = false;
}

static void read_all(struct reading *r)
{
	const char *t = r->text;

	for (size_t i = 0; t[i];) {
		size_t next = cc_skip_non_code(t, i);

		if (next == i && cc_is_word(t[i])) {
			while (cc_is_word(t[next]))
				next++;
			note_word(r, i, next - i);
		} else if (next == i && strncmp(t + i, "<<<", 3) == 0 && r->device.len && vec_last(&r->device)) {
			next = rewrite_launch(r, i);
		} else if (next == i) {
			note_punctuation(r, t[i]);
			next++;
		}
		i = next;
	}
}

static void apply_edits(const struct reading *r, struct strbuf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < r->edits.len; i++) {
		const struct edit *e = &r->edits.data[i];

		strbuf_add(out, r->text + at, e->at - at);
		if (e->callee)
			strbuf_addf(out, "::romark_launch<decltype(&%.*s), &%.*s>", (int)e->length, e->callee,
				    (int)e->length, e->callee);
		else
			strbuf_adds(out, e->with);
		at = e->at + e->length;
	}
	strbuf_adds(out, r->text + at);
}

bool cc_nested_rewrite(const char *text, struct strbuf *out)
{
	struct reading r = {.text = text};
	bool any;

	if (strstr(text, "<<<"))
		read_all(&r);
	any = r.edits.len;
	if (any)
		apply_edits(&r, out);
	vec_release(&r.device);
	vec_release(&r.edits);
	return any;
}
