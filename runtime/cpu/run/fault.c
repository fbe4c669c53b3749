/* Faults: what went wrong, at which instruction, in which thread, near which allocation. */
#include "runtime/cpu/engine/module.h"

#include <inttypes.h>
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
		vsnprintf(f->what, sizeof f->what, format, args);
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
		vsnprintf(f->what, sizeof f->what, format, args);
		va_end(args);
	}
	return STOP_FAULT;
}

/* "0x2000000012a0, 32 bytes behind the end of cudaMalloc#2 (4096 bytes at 0x200000000000)" */
static void describe_address(const struct launch *launch, uint64_t address, struct strbuf *out)
{
	static const struct {
		uint64_t window;
		const char *name;
	} windows[] = {{SHARED_WINDOW, "shared"}, {LOCAL_WINDOW, "local"}, {PARAM_WINDOW, "parameter"}};
	const struct allocation *a = memory_below(launch->memory, address);

	strbuf_addf(out, " 0x%" PRIx64, address);
	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
		if (address - windows[i].window < WINDOW_BYTES) {
			strbuf_addf(out, " (offset %" PRIu64 " of %s memory)", address - windows[i].window,
				    windows[i].name);
			return;
		}
	if (address < MEMORY_BASE)
		return;
	if (!a)
		return;
	if (address - a->address < a->size)
		strbuf_addf(out, ", %" PRIu64 " bytes into %s", address - a->address, a->name);
	else
		strbuf_addf(out, ", %" PRIu64 " bytes behind the end of %s", address - a->address - a->size, a->name);
	strbuf_addf(out, " (%" PRIu64 " bytes at 0x%" PRIx64 ")", a->size, a->address);
}

/* "(file.cu:9)", where the module has that. */
static void describe_source(const struct ptx_module *m, const struct ptx_inst *inst, struct strbuf *out)
{
	if (inst->loc == PTX_NONE || inst->loc >= m->nlocs)
		return;
	const struct ptx_loc *loc = &m->locs[inst->loc];
	const char *file = loc->file < m->nfiles && m->files[loc->file] ? m->files[loc->file] : "?";

	strbuf_addf(out, " (%s:%u)", file, loc->line);
}

/* "'st.global.u32 [%rd1], %r2' in 'f' (file.cu:9)"; the function only where it is not `kernel` itself. */
static void describe_place(struct fault_place place, const struct ptx_function *kernel, struct strbuf *out)
{
	const struct ptx_function *f = place.code->function;

	strbuf_addc(out, '\'');
	ptx_print_inst(f, place.inst->ptx, out);
	strbuf_addc(out, '\'');
	if (f != kernel)
		strbuf_addf(out, " in '%s'", f->name);
	describe_source(f->module, place.inst->ptx, out);
}

/* Of a kernel that the one which failed launched, or was launched by, the name is said. */
static void describe_other(const struct launch *launch, struct fault_place other, struct strbuf *out)
{
	const struct ptx_function *kernel = other.code->program->kernel;

	strbuf_adds(out, "; the other one is ");
	describe_place(other, kernel, out);
	strbuf_addf(out, ", line %u", other.inst->ptx->line);
	if (kernel != launch->program->kernel)
		strbuf_addf(out, " of kernel '%s'", kernel->name);
}

void fault_describe(const struct launch *launch, struct diag *d)
{
	const struct fault *f = &launch->fault;
	const struct ptx_inst *inst = f->inst ? f->inst->ptx : NULL;
	const uint32_t *block = launch->shape->block;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "kernel '%s': %s", launch->program->kernel->name, f->what);
	if (f->has_address)
		describe_address(launch, f->address, &text);
	if (f->code && inst) {
		strbuf_adds(&text, " at ");
		describe_place((struct fault_place){f->inst, f->code}, launch->program->kernel, &text);
	}
	strbuf_addf(&text, ", CTA (%u,%u,%u), thread (%u,%u,%u)", f->cta[0], f->cta[1], f->cta[2], f->thread % block[0],
		    f->thread / block[0] % block[1], f->thread / block[0] / block[1]);
	if (f->other.inst)
		describe_other(launch, f->other, &text);
	diag_set(d, launch->program->module->name, inst ? inst->line : 0, 0, "%s", text.data);
	strbuf_release(&text);
}
