/*
 * Functions that the device provides to kernels: vprintf, malloc, free, __assertfail, and by their names those of
 * nested.c and device_runtime.c.
 */
#include "runtime/cpu/decode/intrinsics.h"

#include "runtime/cpu/engine/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A character of device memory, 0 where there is none. */
static char char_at(const struct warp *w, unsigned lane, uint64_t address)
{
	const uint8_t *p = lane_pointer(w, PTX_SPACE_GENERIC, lane, address, 1);

	return p ? (char)*p : '\0';
}

static void add_string(struct strbuf *out, const char *flags, const struct warp *w, unsigned lane, uint64_t address)
{
	struct strbuf text = STRBUF_INIT;
	char c;

	while ((c = char_at(w, lane, address++)))
		strbuf_addc(&text, c);
	if (strcmp(flags, "%") == 0) {
		strbuf_adds(out, text.data ? text.data : "");
	} else {
		char format[80];

		snprintf(format, sizeof format, "%ss", flags);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		strbuf_addf(out, format, text.data ? text.data : "");
#pragma GCC diagnostic pop
	}
	strbuf_release(&text);
}

/* The variable arguments: each aligned to its size behind the one before. */
struct varargs {
	const struct warp *w;
	unsigned lane;
	uint64_t at;
};

static uint64_t next_argument(struct varargs *v, size_t bytes)
{
	const uint8_t *p;
	uint64_t value = 0;

	v->at = (v->at + bytes - 1) & ~(uint64_t)(bytes - 1);
	p = lane_pointer(v->w, PTX_SPACE_GENERIC, v->lane, v->at, bytes);
	if (p)
		memcpy(&value, p, bytes);
	v->at += bytes;
	return value;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* One conversion: `flags` is "%-08.3", `longs` the number of l (or 2 for j, z, t). */
static void add_conversion(struct strbuf *out, const char *flags, unsigned longs, char c, struct varargs *v)
{
	size_t bytes = longs ? 8 : 4;
	char format[80];
	uint64_t value;
	double real;

	switch (c) {
	case 'd':
	case 'i':
		value = next_argument(v, bytes);
		snprintf(format, sizeof format, "%slld", flags);
		strbuf_addf(out, format, bytes == 8 ? (long long)value : (long long)(int32_t)value);
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		snprintf(format, sizeof format, "%sll%c", flags, c);
		strbuf_addf(out, format, (unsigned long long)next_argument(v, bytes));
		break;
	case 'f':
	case 'F':
	case 'e':
	case 'E':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		value = next_argument(v, 8);
		memcpy(&real, &value, sizeof real);
		snprintf(format, sizeof format, "%s%c", flags, c);
		strbuf_addf(out, format, real);
		break;
	case 'c':
		snprintf(format, sizeof format, "%sc", flags);
		strbuf_addf(out, format, (int)next_argument(v, 4));
		break;
	case 'p':
		snprintf(format, sizeof format, "%sp", flags);
		strbuf_addf(out, format, memory_host(next_argument(v, 8)));
		break;
	case 's': add_string(out, flags, v->w, v->lane, next_argument(v, 8)); break;
	default: strbuf_addf(out, "%s%c", flags, c); break;
	}
}
#pragma GCC diagnostic pop

/* Reads a conversion behind its %: returns the address behind it. */
static uint64_t format_conversion(struct strbuf *out, uint64_t at, struct varargs *v)
{
	char flags[64] = "%", c;
	size_t n = 1;
	unsigned longs = 0;

	for (;; at++) {
		c = char_at(v->w, v->lane, at);
		if (c == '*')
			n += (size_t)snprintf(flags + n, sizeof flags - n, "%d", (int)next_argument(v, 4));
		else if (c && strchr("-+ #0123456789.", c))
			flags[n++] = c;
		else
			break;
		if (n > sizeof flags - 16)
			break;
		flags[n] = '\0';
	}
	for (; c && strchr("hlLjzt", c); c = char_at(v->w, v->lane, ++at))
		longs += c == 'l' ? 1 : c == 'h' || c == 'L' ? 0 : 2;
	if (!c)
		return at;
	if (c == '%')
		strbuf_addc(out, '%');
	else
		add_conversion(out, flags, longs, c, v);
	return at + 1;
}

/* vprintf(format, arguments): the lanes print in order. */
static int exec_vprintf(struct warp *w, const struct inst *in, uint32_t mask)
{
	struct strbuf out = STRBUF_INIT;

	for (unsigned lane = 0; lane < LANES; lane++) {
		struct varargs v = {w, lane, 0};
		uint64_t at;
		char c;

		if (!(mask >> lane & 1))
			continue;
		at = argument(w, in, lane, 0, 8);
		v.at = argument(w, in, lane, 1, 8);
		while ((c = char_at(w, lane, at)))
			if (c == '%')
				at = format_conversion(&out, at + 1, &v);
			else {
				strbuf_addc(&out, c);
				at++;
			}
		set_result(w, in, lane, 1, 4);
	}
	fwrite(out.data ? out.data : "", 1, out.len, stdout);
	strbuf_release(&out);
	return STOP_NOT;
}

static int exec_malloc(struct warp *w, const struct inst *in, uint32_t mask)
{
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t address = 0;
		char name[32];

		if (!(mask >> lane & 1))
			continue;
		snprintf(name, sizeof name, "malloc#%llu", (unsigned long long)++w->launch->device->heap_blocks);
		if (!memory_alloc_heap(&w->launch->device->memory, argument(w, in, lane, 0, 8), name, &address))
			address = 0;
		set_result(w, in, lane, address, 8);
	}
	return STOP_NOT;
}

static int exec_free(struct warp *w, const struct inst *in, uint32_t mask)
{
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t address;

		if (!(mask >> lane & 1))
			continue;
		address = argument(w, in, lane, 0, 8);
		if (address && !memory_release_heap(&w->launch->device->memory, address))
			return fault_at(w, in, 1u << lane, DEVICE_ILLEGAL_ADDRESS,
					"free of 0x%" PRIx64 ", where no block of a kernel's malloc begins", address);
	}
	return STOP_NOT;
}

/* __assertfail(message, file, line, function, character size) */
static int exec_assertfail(struct warp *w, const struct inst *in, uint32_t mask)
{
	unsigned lane = (unsigned)__builtin_ctz(mask);
	struct strbuf message = STRBUF_INIT, file = STRBUF_INIT;

	add_string(&message, "%", w, lane, argument(w, in, lane, 0, 8));
	add_string(&file, "%", w, lane, argument(w, in, lane, 1, 8));
	fault_at(w, in, mask, DEVICE_ASSERT, "assertion '%.100s' failed at %.100s:%u", message.data ? message.data : "",
		 file.data ? file.data : "", (unsigned)argument(w, in, lane, 2, 4));
	strbuf_release(&message);
	strbuf_release(&file);
	return STOP_FAULT;
}

static const struct intrinsic own_intrinsics[] = {
    {"vprintf", exec_vprintf}, {"malloc", exec_malloc}, {"free", exec_free}, {"__assertfail", exec_assertfail}, {0}};

static exec_fn find_in(const struct intrinsic *table, const char *name)
{
	for (; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table->exec;
	return NULL;
}

/*
 * CUDA 12 calls the functions of its device runtime __cudaCDP2Name instead of cudaName, and adds _ptsz where each
 * thread has a default stream of its own.
 */
exec_fn intrinsic_find(const char *name)
{
	static const char renamed[] = "__cudaCDP2";
	char old[96], plain[96];
	const char *suffix;
	exec_fn exec;

	if (strncmp(name, renamed, sizeof renamed - 1) == 0) {
		snprintf(old, sizeof old, "cuda%s", name + sizeof renamed - 1);
		name = old;
	}
	suffix = strstr(name, "_ptsz");
	if (suffix && strncmp(name, "cuda", 4) == 0) {
		snprintf(plain, sizeof plain, "%.*s", (int)(suffix - name), name);
		name = plain;
	}
	exec = find_in(own_intrinsics, name);
	if (!exec)
		exec = find_in(nested_intrinsics, name);
	return exec ? exec : find_in(device_runtime_intrinsics, name);
}
