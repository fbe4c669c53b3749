/*
 * Writes JSON as its values become known, so that a document of any length takes no memory.
 *
 *   struct json_out o = json_out_begin(stream);
 *   out_open(&o, NULL, '{');
 *   out_count(&o, "schema", 1);
 *   out_open(&o, "kernels", '[');       // one element to a line
 *   out_close(&o, ']');
 *   out_close(&o, '}');
 *
 * Keys are NULL in lists and for the document.
 */
#ifndef ROMARK_SIM_JSON_OUT_H
#define ROMARK_SIM_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
	FILE *stream;
	unsigned depth;
	unsigned flat; /* from this depth on everything is on the same line */
	bool filled;   /* the innermost list or object has something in it */
};

static inline struct json_out json_out_begin(FILE *stream)
{
	return (struct json_out){.stream = stream, .flat = UINT32_MAX};
}

/* `bracket`: '{' or '['. */
void out_open(struct json_out *o, const char *key, char bracket);
/* The same, on a single line. */
void out_open_flat(struct json_out *o, const char *key, char bracket);
void out_close(struct json_out *o, char bracket);
void out_count(struct json_out *o, const char *key, uint64_t value);
/* Nine digits: enough to compare, few enough to read. A value that is no number is written as 0. */
void out_real(struct json_out *o, const char *key, double value);
void out_bool(struct json_out *o, const char *key, bool value);
void out_text(struct json_out *o, const char *key, const char *text);

#endif
