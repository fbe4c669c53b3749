/* Reads the compiler's list of variables in a frame. A list that does not fit the frame counts as none. */
#include "ptx-analyzer/flow/frame_objects.h"

#include "ptx-analyzer/flow/stack_frame.h"

#include <stdlib.h>
#include <string.h>

#define LIST_NAME "romark.frame"

/* The register of this name; PTX_NONE if there is none, or several in different scopes. */
static uint32_t find_register(const struct ptx_function *f, const char *name, size_t len)
{
	uint32_t found = PTX_NONE;

	for (uint32_t i = 0; i < f->nregs; i++) {
		const char *other = ptx_reg_name(f, i);

		if (strlen(other) != len || memcmp(other, name, len) != 0)
			continue;
		if (found != PTX_NONE)
			return PTX_NONE;
		found = i;
	}
	return found;
}

/* Reads "[%SP+16] 128"; returns what follows, or NULL. */
static const char *read_object(const struct stack_frame *frame, const char *text, struct frame_object *object)
{
	size_t len;
	struct frame_place place;
	uint32_t reg;
	char *end;
	long long offset = 0, bytes;

	if (*text++ != '[')
		return NULL;
	len = strcspn(text, "+]");
	reg = find_register(frame->f, text, len);
	text += len;
	if (*text == '+') {
		offset = strtoll(text + 1, &end, 10);
		text = end;
	}
	if (*text++ != ']' || *text++ != ' ' || reg == PTX_NONE)
		return NULL;
	bytes = strtoll(text, &end, 10);
	place = frame->places[reg];
	*object = (struct frame_object){place.symbol, place.offset + offset, place.offset + offset + bytes};
	if (end == text || place.kind != PLACE_EXACT || bytes <= 0 || bytes > INT32_MAX || offset < 0 ||
	    offset > INT32_MAX || object->begin < 0 ||
	    object->end > (int64_t)frame->f->module->symbols[place.symbol].size)
		return NULL;
	return *end == ' ' ? end + 1 : end;
}

static int compare_objects(const void *a, const void *b)
{
	const struct frame_object *x = a, *y = b;

	if (x->symbol != y->symbol)
		return x->symbol < y->symbol ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

static bool are_apart(const frame_object_list *objects)
{
	for (size_t i = 1; i < objects->len; i++)
		if (objects->data[i].symbol == objects->data[i - 1].symbol &&
		    objects->data[i].begin < objects->data[i - 1].end)
			return false;
	return true;
}

enum { MOST_OBJECTS = UINT8_MAX - 1 };

static bool read_objects(struct stack_frame *frame, const char *text)
{
	while (*text) {
		struct frame_object object;

		text = read_object(frame, text, &object);
		if (!text)
			return false;
		vec_push(&frame->objects, object);
	}
	if (frame->objects.len)
		qsort(frame->objects.data, frame->objects.len, sizeof *frame->objects.data, compare_objects);
	return are_apart(&frame->objects) && frame->objects.len <= MOST_OBJECTS;
}

bool frame_objects_are_told(const struct ptx_function *f)
{
	return ptx_find_pragma(f, LIST_NAME " ");
}

void frame_objects_find(struct stack_frame *frame)
{
	const char *list = ptx_find_pragma(frame->f, LIST_NAME " ");

	if (list && !read_objects(frame, list + sizeof LIST_NAME))
		frame->objects.len = 0;
}

bool frame_object_at(const frame_object_list *objects, uint32_t symbol, int64_t from, bool forward,
		     struct frame_object *found)
{
	for (size_t i = 0; i < objects->len; i++) {
		const struct frame_object *o = &objects->data[i];

		if (o->symbol != symbol || from < o->begin || from >= o->end)
			continue;
		*found = *o;
		if (!forward && i > 0 && o[-1].symbol == symbol && o[-1].end == from)
			found->begin = o[-1].begin;
		return true;
	}
	return false;
}
