/*
 * Functions that the device provides to kernels: vprintf, malloc, free, __assertfail. The tables of nested.c and
 * device_runtime.c add theirs.
 */
#include "runtime/cpu/decode/intrinsics.h"

#include "common/c_locale.h"
#include "common/integer.h"
#include "runtime/cpu/engine/cpu_device.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A character of device memory; 0 if nothing is at the address. */
static char char_at(const struct warp *w, unsigned lane, uint64_t address)
{
	const uint8_t *p = lane_pointer(w, PTX_SPACE_GENERIC, lane, address, 1);

	return p ? (char)*p : '\0';
}

/* At most `most` characters of a string of the device. */
static void read_string(struct strbuf *out, const struct warp *w, unsigned lane, uint64_t address, size_t most)
{
	char c;

	while (out->len < most && (c = char_at(w, lane, address++)))
		strbuf_addc(out, c);
}

/* The variable arguments: each follows the previous one, aligned to its own size. */
struct varargs {
	const struct warp *w;
	unsigned lane;
	uint64_t at;
	int taken; /* how many */
};

static uint64_t next_argument(struct varargs *v, size_t bytes)
{
	const uint8_t *p;
	uint64_t value = 0;

	v->at = round_up(v->at, bytes);
	p = lane_pointer(v->w, PTX_SPACE_GENERIC, v->lane, v->at, bytes);
	if (p)
		memcpy(&value, p, bytes);
	v->at += bytes;
	v->taken++;
	return value;
}

/* The parts of "%-08.3hd": flags, width, precision (negative if absent), bytes of the argument, and the letter d. */
struct conversion {
	char flags[sizeof "-+ #0"];
	int width, precision;
	unsigned bytes;
	char letter;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Defines a function that formats a value of `type` with the host's printf; `length` is the type's length modifier. */
#define PRINTER(name, type, length)                                                                                    \
	static int name(const struct conversion *c, type value)                                                        \
	{                                                                                                              \
		char format[24];                                                                                       \
                                                                                                                       \
		snprintf(format, sizeof format, "%%%s*.*" length "%c", c->flags, c->letter);                           \
		return c_fprintf(stdout, format, c->width, c->precision, value);                                       \
	}
PRINTER(print_signed, long long, "ll")
PRINTER(print_unsigned, unsigned long long, "ll")
PRINTER(print_real, double, "")
PRINTER(print_character, int, "")
PRINTER(print_pointer, const void *, "")
PRINTER(print_text, const char *, "")
#undef PRINTER
#pragma GCC diagnostic pop

static int print_string(const struct conversion *c, struct varargs *v)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t address = next_argument(v, 8);
	int result;

	if (!address)
		return print_text(c, NULL);
	read_string(&text, v->w, v->lane, address, c->precision < 0 ? SIZE_MAX : (size_t)c->precision);
	result = print_text(c, text.data ? text.data : "");
	strbuf_release(&text);
	return result;
}

/* The next argument, whose upper bits are cut. */
static uint64_t next_integer(struct varargs *v, unsigned bytes, bool is_signed)
{
	unsigned cut = 64 - 8 * bytes;
	uint64_t value = next_argument(v, bytes == 8 ? 8 : 4) << cut;

	return is_signed ? (uint64_t)((int64_t)value >> cut) : value >> cut;
}

static int print_conversion(const struct conversion *c, struct varargs *v)
{
	uint64_t bits;
	double real;

	if (strchr("di", c->letter))
		return print_signed(c, (long long)next_integer(v, c->bytes, true));
	if (strchr("uoxX", c->letter))
		return print_unsigned(c, next_integer(v, c->bytes, false));
	if (strchr("fFeEgGaA", c->letter)) {
		bits = next_argument(v, 8);
		memcpy(&real, &bits, sizeof real);
		return print_real(c, real);
	}
	if (c->letter == 'c')
		return print_character(c, (int)next_argument(v, 4));
	if (c->letter == 'p')
		return print_pointer(c, memory_host(next_argument(v, 8)));
	return print_string(c, v);
}

/* A format in device memory, and the place in it. */
struct format {
	const struct warp *w;
	unsigned lane;
	uint64_t at;
};

static char format_char(const struct format *f)
{
	return char_at(f->w, f->lane, f->at);
}

/* A width or precision: digits, or `*` for an argument. False where no int holds it. */
static bool read_number(struct format *f, struct varargs *v, int *number)
{
	int64_t digits = 0;

	if (format_char(f) == '*') {
		f->at++;
		*number = (int)(int32_t)next_argument(v, 4);
		return true;
	}
	for (char c; (c = format_char(f)) >= '0' && c <= '9'; f->at++)
		digits = digits > INT_MAX ? digits : digits * 10 + (c - '0');
	*number = (int)digits;
	return digits <= INT_MAX;
}

static void read_flags(struct format *f, struct conversion *conversion)
{
	size_t n = 0;

	for (char c; (c = format_char(f)) && strchr("-+ #0", c); f->at++)
		if (!memchr(conversion->flags, c, n))
			conversion->flags[n++] = c;
	conversion->flags[n] = '\0';
}

/* Returns the bytes that an integer of this length has. */
static unsigned read_length(struct format *f)
{
	unsigned bytes = 4;

	for (char c; (c = format_char(f)) && strchr("hlLjztq", c); f->at++)
		bytes = c == 'L' ? bytes : c == 'h' ? bytes / 2 : 8;
	return bytes ? bytes : 1;
}

/* Behind a %. Text that is not a conversion is printed unchanged. Negative where the host's printf fails. */
static int format_conversion(struct format *f, struct varargs *v)
{
	struct conversion c = {.precision = -1};
	uint64_t start = f->at;

	read_flags(f, &c);
	if (!read_number(f, v, &c.width))
		return -1;
	if (format_char(f) == '.') {
		f->at++;
		if (!read_number(f, v, &c.precision))
			return -1;
	}
	c.bytes = read_length(f);
	c.letter = format_char(f);
	if (!c.letter)
		return 0;
	f->at++;
	if (c.letter == '%')
		return putc('%', stdout);
	if (strchr("diuoxXfFeEgGaAcps", c.letter))
		return print_conversion(&c, v);
	putc('%', stdout);
	for (; start < f->at; start++)
		putc(char_at(f->w, f->lane, start), stdout);
	return 0;
}

/* Returns what CUDA's printf does: the number of arguments taken, -1 without a format. */
static int print_lane(struct warp *w, const struct inst *in, unsigned lane)
{
	struct format f = {w, lane, argument(w, in, lane, 0, 8)};
	struct varargs v = {w, lane, argument(w, in, lane, 1, 8), 0};
	int result = 0;

	if (!f.at)
		return -1;
	for (char c; result >= 0 && (c = format_char(&f));) {
		f.at++;
		result = c == '%' ? format_conversion(&f, &v) : putc(c, stdout);
	}
	return v.taken;
}

/* vprintf(format, arguments): the lanes print in order, and no other warp in between. */
static int exec_vprintf(struct warp *w, const struct inst *in, uint32_t mask)
{
	flockfile(stdout);
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1)
			set_result(w, in, lane, (uint32_t)print_lane(w, in, lane), 4);
	funlockfile(stdout);
	return STOP_NOT;
}

static int exec_malloc(struct warp *w, const struct inst *in, uint32_t mask)
{
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t address = 0;
		char name[32];

		if (!(mask >> lane & 1))
			continue;
		fault_note_place(w, in, lane);
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
		fault_note_place(w, in, lane);
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

	read_string(&message, w, lane, argument(w, in, lane, 0, 8), SIZE_MAX);
	read_string(&file, w, lane, argument(w, in, lane, 1, 8), SIZE_MAX);
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
