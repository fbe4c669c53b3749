/* Where the host's program calls romark: the first frames of the stack outside of this library. */
#include "runtime/cpu/engine/checks.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>

enum { FRAMES = 24, SHOWN = 3 };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What starts every program. */
static bool is_system(const char *name)
{
	return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "ld-", 3) == 0;
}

/*
 * "main+0x1f in prog", or "prog+0x11b4" where the program's own functions have no names. A frame is where the call
 * returns to; a byte before that is still in the call's line.
 */
static bool add_frame(struct strbuf *out, void *frame, const void *own)
{
	uint64_t at = (uint64_t)(uintptr_t)frame - 1;
	Dl_info info;

	if (!dladdr(frame, &info) || info.dli_fbase == own || !info.dli_fname || is_system(base_name(info.dli_fname)))
		return false;
	strbuf_adds(out, out->len ? ", called from " : "");
	if (info.dli_sname)
		strbuf_addf(out, "%s+0x%" PRIx64 " in %s", info.dli_sname, at - (uint64_t)(uintptr_t)info.dli_saddr,
			    base_name(info.dli_fname));
	else
		strbuf_addf(out, "%s+0x%" PRIx64, base_name(info.dli_fname), at - (uint64_t)(uintptr_t)info.dli_fbase);
	return true;
}

char *host_place(void)
{
	struct strbuf text = STRBUF_INIT;
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES), shown = 0;
	Dl_info own;

	if (!dladdr(frames[0], &own))
		return NULL;
	for (int i = 1; i < n && shown < SHOWN; i++)
		shown += add_frame(&text, frames[i], own.dli_fbase);
	if (!shown)
		strbuf_adds(&text, "the program");
	return strbuf_detach(&text);
}
