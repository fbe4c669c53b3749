/* Faults: what went wrong, at which instruction, in which thread, near which allocation. */
#include "runtime/cpu/engine/cpu_device.h"

#include "common/c_locale.h"
#include "common/kernel_names.h"
#include "runtime/cpu/run/fault_words.h"

#include <stdarg.h>

static struct fault *first_fault(struct warp *w, const struct inst *in, uint32_t lane, enum device_status status)
{
	struct fault *f = &w->launch->fault;

	if (f->status != DEVICE_OK)
		return NULL;
	f->status = status;
	f->inst = in;
	f->code = w->frame ? w->frame->code : NULL;
	for (int i = 0; i < 3; i++)
		f->cta[i] = w->cta->id[i];
	f->thread = w->index * LANES + lane;
	return f;
}

int fault_at(struct warp *w, const struct inst *in, uint32_t lanes, enum device_status status, const char *format, ...)
{
	struct fault *f = first_fault(w, in, lanes ? (uint32_t)__builtin_ctz(lanes) : 0, status);
	va_list args;

	if (f) {
		va_start(args, format);
		c_vsnprintf(f->what, sizeof f->what, format, args);
		va_end(args);
	}
	return STOP_FAULT;
}

int fault_address(struct warp *w, const struct inst *in, uint32_t lane, enum device_status status, uint64_t address)
{
	struct fault *f = first_fault(w, in, lane, status);

	if (f) {
		f->has_address = true;
		f->address = address;
		snprintf(f->what, sizeof f->what,
			 status == DEVICE_MISALIGNED ? "misaligned address" : "illegal address");
	}
	return STOP_FAULT;
}

int fault_contradiction(struct warp *w, const struct inst *in, uint32_t lane, uint64_t address,
			struct fault_place other, const char *format, ...)
{
	struct fault *f = first_fault(w, in, lane, DEVICE_TRAP);
	va_list args;

	if (f) {
		f->has_address = true;
		f->address = address;
		f->other = other;
		va_start(args, format);
		c_vsnprintf(f->what, sizeof f->what, format, args);
		va_end(args);
	}
	return STOP_FAULT;
}

void fault_note_place(struct warp *w, const struct inst *in, uint32_t lane)
{
	struct memory *m = &w->launch->device->memory;
	const uint32_t *block = w->launch->shape->block;
	uint32_t thread = w->index * LANES + lane;
	struct strbuf text = STRBUF_INIT;

	if (!w->launch->device->checks.on)
		return;
	strbuf_addf(&text, "%s: ", short_title(w->launch->program->kernel->name).text);
	describe_place((struct fault_place){in, w->frame->code}, w->launch->program->kernel, &text);
	strbuf_addf(&text, ", thread (%u,%u,%u) in block (%u,%u,%u)", thread % block[0], thread / block[0] % block[1],
		    thread / block[0] / block[1], w->cta->id[0], w->cta->id[1], w->cta->id[2]);
	memory_note_place(m, strbuf_detach(&text));
}

/* --- The sentence --- */

/* Names the kernels that the failed kernel launched, or that launched it. */
static void describe_other(const struct launch *launch, struct fault_place other, struct strbuf *out)
{
	const struct ptx_function *kernel = other.code->program->kernel;

	strbuf_adds(out, "; the other one is ");
	describe_place(other, kernel, out);
	strbuf_addf(out, ", line %u", other.inst->ptx->line);
	if (kernel != launch->program->kernel)
		strbuf_addf(out, " of kernel '%s'", short_title(kernel->name).text);
}

void fault_describe(const struct launch *launch, struct diag *d)
{
	const struct fault *f = &launch->fault;
	const struct ptx_inst *inst = f->inst ? f->inst->ptx : NULL;
	const uint32_t *block = launch->shape->block;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "kernel '%s': %s", short_title(launch->program->kernel->name).text, f->what);
	if (f->has_address)
		describe_address(launch, f, &text);
	if (f->code && inst) {
		strbuf_adds(&text, " at ");
		describe_place((struct fault_place){f->inst, f->code}, launch->program->kernel, &text);
	}
	strbuf_addf(&text, ", CTA (%u,%u,%u), thread (%u,%u,%u)", f->cta[0], f->cta[1], f->cta[2], f->thread % block[0],
		    f->thread / block[0] % block[1], f->thread / block[0] / block[1]);
	if (f->other.inst)
		describe_other(launch, f->other, &text);
	diag_set(d, launch->program->module->ptx->file, inst ? inst->line : 0, 0, "%s", text.data);
	strbuf_release(&text);
}
