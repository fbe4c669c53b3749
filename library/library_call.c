/* Errors of the library, and the way back from where romark would end the process. */
#include "library/library_call.h"

#include "common/c_locale.h"
#include "common/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

/* The innermost call of this thread. */
struct way_back {
	jmp_buf place;
	char message[512];
};

static _Thread_local struct way_back *way_back;

static void go_back(const char *message)
{
	c_snprintf(way_back->message, sizeof way_back->message, "%s", message);
	longjmp(way_back->place, 1);
}

bool library_call(void (*function)(void *arg), void *arg, struct romark_error *error)
{
	struct way_back here, *outer = way_back;
	volatile bool ended = false;

	way_back = &here;
	fatal_hook = go_back;
	if (setjmp(here.place) == 0)
		function(arg);
	else
		ended = true;
	way_back = outer;
	fatal_hook = outer ? go_back : NULL;
	if (ended)
		library_wrong(error, "%s", here.message);
	return !ended;
}

void library_error(const struct diag *d, struct romark_error *error)
{
	if (!error)
		return;
	memset(error, 0, sizeof *error);
	memcpy(error->file, d->file, sizeof error->file);
	memcpy(error->message, d->message, sizeof error->message);
	error->line = d->line;
	error->column = d->column;
}

int library_wrong(struct romark_error *error, const char *format, ...)
{
	va_list args;

	if (!error)
		return -1;
	memset(error, 0, sizeof *error);
	va_start(args, format);
	c_vsnprintf(error->message, sizeof error->message, format, args);
	va_end(args);
	return -1;
}

void library_take(void *to, size_t size, const void *options)
{
	size_t given = options ? *(const size_t *)options : 0;

	memset(to, 0, size);
	if (options)
		memcpy(to, options, given < size ? given : size);
}

int romark_interface(void)
{
	return ROMARK_INTERFACE;
}

const char *romark_version(void)
{
	return ROMARK_VERSION;
}
