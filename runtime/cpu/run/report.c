/* Reports of the checks, in blocks of lines that begin with nine equals signs. */
#include "runtime/cpu/engine/checks.h"

#include "common/c_locale.h"
#include "common/kernel_names.h"
#include "runtime/cpu/run/fault_words.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#define LINE_START "========= "
#define INDENT LINE_START "    "

/* --- Counting --- */

void checks_open(struct cpu_device *dev)
{
	const char *count = dev->settings.check_count;

	dev->checks = (struct checks){.on = setting_words(SETTING_ID_check, dev->settings.check), .count = -1};
	if (dev->checks.on && count)
		dev->checks.count = open(count, O_WRONLY | O_APPEND | O_CLOEXEC);
	dev->memory.keeps_freed = check_is_on(dev, CHECK_MEMORY);
	dev->memory.undefined = check_is_on(dev, CHECK_INIT) ? undefined_new() : NULL;
}

/* A report in one piece, so that no other process writes in between. */
static void print(struct cpu_device *dev, struct strbuf *text, uint64_t errors)
{
	fflush(stdout);
	fwrite(text->data, 1, text->len, stderr);
	fflush(stderr);
	strbuf_release(text);
	dev->checks.errors += errors;
	for (; errors && dev->checks.count >= 0; errors--)
		if (write(dev->checks.count, ".", 1) < 0)
			break;
}

/* --- A report of a kernel --- */

/* "fill: 'st.global.u32 [%rd4], %r2;' (memory.cu:7), line 31 of the PTX" */
static void add_place(const struct launch *l, struct fault_place place, struct strbuf *out)
{
	strbuf_addf(out, "%s", short_title(l->program->kernel->name).text);
	if (!place.inst || !place.inst->ptx || !place.code)
		return;
	strbuf_adds(out, ": ");
	describe_place(place, l->program->kernel, out);
	strbuf_addf(out, ", line %u of the PTX", place.inst->ptx->line);
}

static void add_thread(const struct launch *l, const struct fault *f, struct strbuf *out)
{
	const uint32_t *block = l->shape->block;

	strbuf_addf(out, INDENT "by thread (%u,%u,%u) in block (%u,%u,%u)", f->thread % block[0],
		    f->thread / block[0] % block[1], f->thread / block[0] / block[1], f->cta[0], f->cta[1], f->cta[2]);
	if (f->others)
		strbuf_addf(out, ", and %u more of its warp", f->others);
	strbuf_addc(out, '\n');
}

static void add_freed(const struct allocation *a, uint64_t address, struct strbuf *out)
{
	strbuf_addf(out,
		    " 0x%" PRIx64 " is freed memory, %" PRIu64 " bytes into %s (%" PRIu64 " bytes at 0x%" PRIx64 ")",
		    address, address - a->address, a->name, a->size, a->address);
	if (a->made)
		strbuf_addf(out, "\n" INDENT "allocated at %s", a->made);
	if (a->gone)
		strbuf_addf(out, "\n" INDENT "freed at %s", a->gone);
}

static void add_address(const struct launch *l, const struct fault *f, struct strbuf *out)
{
	const struct allocation *freed = memory_freed(l->memory, f->address);

	strbuf_adds(out, INDENT "Address");
	if (freed)
		add_freed(freed, f->address, out);
	else
		describe_address(l, f, out);
	while (out->data[out->len - 1] == ',')
		out->len--;
	strbuf_addc(out, '\n');
}

void report(const struct launch *l, const struct fault *f, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	strbuf_addf(&text, LINE_START "%s\n" INDENT "at ", f->what);
	add_place(l, (struct fault_place){f->inst, f->code}, &text);
	strbuf_addc(&text, '\n');
	add_thread(l, f, &text);
	if (f->has_address)
		add_address(l, f, &text);
	if (f->other.inst) {
		strbuf_adds(&text, INDENT "and at ");
		add_place(l, f->other, &text);
		strbuf_addc(&text, '\n');
	}
	if (format) {
		strbuf_adds(&text, INDENT);
		va_start(args, format);
		strbuf_vaddf(&text, format, args);
		va_end(args);
		strbuf_addc(&text, '\n');
	}
	strbuf_adds(&text, "=========\n");
	print(l->device, &text, 1);
}

/* --- Faults that end a launch --- */

/* "Invalid __global__ write of size 4 bytes" */
static void name_access(struct fault *f)
{
	static const char *const spaces[PTX_SPACE_COUNT] = {[PTX_SPACE_GLOBAL] = "__global__ ",
							    [PTX_SPACE_SHARED] = "__shared__ ",
							    [PTX_SPACE_LOCAL] = "__local__ ",
							    [PTX_SPACE_CONST] = "__constant__ "};
	const struct inst *in = f->inst;
	uint8_t cls = (uint8_t)in->ptx->opcode->cls;
	const char *kind = cls == PTX_CLASS_LOAD || cls == PTX_CLASS_TEXTURE ? "read"
			   : cls == PTX_CLASS_STORE                          ? "write"
			   : cls == PTX_CLASS_ATOMIC                         ? "atomic access"
									     : "access";
	const char *space = spaces[resolve_space((enum ptx_space)in->space, f->address, NULL)];

	snprintf(f->what, sizeof f->what, "Invalid %s%s of size %u bytes", space ? space : "", kind,
		 (unsigned)in->bytes * (in->vec ? in->vec : 1));
}

static bool report_access(const struct launch *l)
{
	struct fault f = l->fault;

	if (f.has_address)
		name_access(&f);
	if (f.status == DEVICE_MISALIGNED)
		report(l, &f, "and is misaligned: an access of %u bytes needs a multiple of that",
		       (unsigned)f.inst->bytes * (f.inst->vec ? f.inst->vec : 1));
	else
		report(l, &f, NULL);
	return true;
}

/* Warps that wait at barriers, or for lanes of their own, and that nobody lets go. */
static bool report_hang(const struct launch *l)
{
	struct fault f = l->fault;

	snprintf(f.what, sizeof f.what, "Barrier error detected. Divergent thread(s) in block.");
	report(l, &f, "%s", l->fault.what);
	return true;
}

static bool waits_at_barrier(const struct inst *in)
{
	return in->ptx->opcode->cls == PTX_CLASS_BARRIER || in->ptx->opcode->op == PTX_OP_bar_warp_sync;
}

bool report_fault(const struct launch *l)
{
	const struct fault *f = &l->fault;
	bool is_access = f->status == DEVICE_ILLEGAL_ADDRESS || f->status == DEVICE_MISALIGNED;

	if (!f->inst || !f->inst->ptx)
		return false;
	if (is_access && check_is_on(l->device, CHECK_MEMORY))
		return report_access(l);
	return f->status == DEVICE_HANG && check_is_on(l->device, CHECK_SYNC) && waits_at_barrier(f->inst) &&
	       report_hang(l);
}

/* --- At the end --- */

static bool is_leak(const struct allocation *a)
{
	return a->owner != MEMORY_VARIABLE && a->made;
}

static uint64_t report_leaks(struct cpu_device *dev, struct strbuf *out)
{
	uint64_t bytes = 0, count = 0;

	for (const struct allocation *a = memory_above(&dev->memory, 0); a;
	     a = memory_above(&dev->memory, a->address)) {
		if (!is_leak(a))
			continue;
		strbuf_addf(out,
			    LINE_START "Leaked %" PRIu64 " bytes at 0x%" PRIx64 ": %s\n" INDENT "allocated at %s\n",
			    a->size, a->address, a->name, a->made);
		strbuf_adds(out, "=========\n");
		bytes += a->size;
		count++;
	}
	strbuf_addf(out, LINE_START "LEAK SUMMARY: %" PRIu64 " bytes leaked in %" PRIu64 " allocation%s\n", bytes,
		    count, count == 1 ? "" : "s");
	return count;
}

/* After a kernel's failure no call can free memory. */
static uint64_t look_for_leaks(struct cpu_device *dev, struct strbuf *out)
{
	if (!dev->checks.kernel_failed)
		return report_leaks(dev, out);
	strbuf_adds(out, LINE_START "LEAK SUMMARY: not looked for, since a kernel failed\n");
	return 0;
}

void checks_finish(struct cpu_device *dev)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t leaks;

	if (!dev->checks.on || dev->checks.finished || dev->process != getpid())
		return;
	dev->checks.finished = true;
	leaks = check_is_on(dev, CHECK_LEAK) ? look_for_leaks(dev, &text) : 0;
	strbuf_addf(&text, LINE_START "ERROR SUMMARY: %" PRIu64 " error%s\n", dev->checks.errors + leaks,
		    dev->checks.errors + leaks == 1 ? "" : "s");
	print(dev, &text, leaks);
	if (dev->checks.count >= 0)
		close(dev->checks.count);
	dev->checks.count = -1;
}
