/* Loading: parse, analyse, mark, place variables and fill them, addresses of other variables and functions included. */
#include "runtime/cpu/observe/observe.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "common/demangle.h"
#include "common/file.h"
#include "common/integer.h"
#include "runtime/cpu/decode/program.h"
#include "runtime/cpu/decode/program_dump.h"
#include "runtime/cpu/run/load_module.h"
#include "ptx-analyzer/language/text/lines_name.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

/* Variables of device memory; others are placed per kernel or per call. */
static bool has_address(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYMBOL_VARIABLE && (s->space == PTX_SPACE_GLOBAL || s->space == PTX_SPACE_CONST) &&
	       !(s->linkage == PTX_LINK_EXTERN && !s->init && s->size == 0);
}

static uint64_t reloc_value(const struct device_module *m, const struct ptx_reloc *r)
{
	const struct ptx_symbol *s = &m->ptx->symbols[r->symbol];
	uint64_t address;

	if (s->kind == PTX_SYMBOL_FUNCTION)
		return function_address(s->callee);
	address = m->address[r->symbol] + (uint64_t)r->addend;
	if (!r->mask)
		return address;
	return (address & r->mask) >> __builtin_ctzll(r->mask);
}

static void fill_variable(const struct device_module *m, uint32_t symbol)
{
	const struct ptx_symbol *s = &m->ptx->symbols[symbol];
	uint8_t *at = memory_host(m->address[symbol]);

	if (s->init)
		memcpy(at, s->init, s->size);
	else
		memset(at, 0, s->size);
	for (size_t i = 0; i < s->nrelocs; i++) {
		uint64_t value = reloc_value(m, &s->relocs[i]);
		uint64_t room = s->relocs[i].offset < s->size ? s->size - s->relocs[i].offset : 0;
		size_t bytes = s->relocs[i].size ? s->relocs[i].size : sizeof value;

		memcpy(at + s->relocs[i].offset, &value, bytes < room ? bytes : room);
	}
}

/* Nothing else lies in the pages of a variable that is aligned to pages: it can be shared with the host. */
static bool has_own_pages(const struct ptx_symbol *s)
{
	return s->align >= MEMORY_PAGE;
}

/*
 * On hardware a module's variables are not in the memory that programs allocate. Programs that write a little beyond
 * the end of their buffers go unnoticed there, so they must not meet the tables of the math library here.
 */
static bool place_variable(struct device_module *m, const struct ptx_symbol *s, uint64_t from, uint64_t *address)
{
	struct memory *memory = &m->device->memory;
	uint64_t align = s->align > MEMORY_ALIGN ? s->align : MEMORY_ALIGN;
	uint64_t size = has_own_pages(s) ? round_up(s->size, MEMORY_PAGE) : s->size;

	char *name = demangle(s->name); /* messages and traces show it */
	bool placed = memory_alloc_above(memory, from, size, align, name, address) ||
		      memory_alloc_above(memory, MEMORY_BASE, size, align, name, address);

	xfree(name);
	return placed;
}

/* Bytes that hold all variables of the module, however they are aligned; more than any device has if that is many. */
static uint64_t bytes_of_variables(const struct ptx_module *m)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < m->nsymbols; i++) {
		const struct ptx_symbol *s = &m->symbols[i];

		if (has_address(s) && (s->size > MEMORY_BYTES ||
				       __builtin_add_overflow(bytes, s->size + s->align + MEMORY_ALIGN, &bytes)))
			return UINT64_MAX;
	}
	return bytes;
}

static int place_variables(struct device_module *m, struct diag *d)
{
	const uint64_t from = memory_apart(&m->device->memory, bytes_of_variables(m->ptx));

	m->address = xcalloc(m->ptx->nsymbols + 1, sizeof *m->address);
	m->shared = xcalloc(m->ptx->nsymbols + 1, sizeof *m->shared);
	for (uint32_t i = 0; i < m->ptx->nsymbols; i++) {
		const struct ptx_symbol *s = &m->ptx->symbols[i];

		if (!has_address(s))
			continue;
		if (!place_variable(m, s, from, &m->address[i]))
			return diag_set(d, m->ptx->file, s->line, 0, "no device memory for variable '%s' of %llu bytes",
					s->name, (unsigned long long)s->size);
		if (s->space == PTX_SPACE_CONST && (m->const_base == 0 || m->address[i] < m->const_base))
			m->const_base = m->address[i];
		m->const_bytes += s->space == PTX_SPACE_CONST ? s->size : 0;
	}
	for (uint32_t i = 0; i < m->ptx->nsymbols; i++)
		if (m->address[i])
			fill_variable(m, i);
	return 0;
}

static void add_kernels(struct device_module *m)
{
	for (uint32_t i = m->ptx->nfunctions; i-- > 0;) {
		const struct ptx_function *f = &m->ptx->functions[i];
		struct device_kernel *k;

		if (!f->is_kernel || f->is_declaration)
			continue;
		k = xcalloc(1, sizeof *k);
		k->module = m;
		k->function = f;
		k->param_sizes = xcalloc(f->nparams + 1, sizeof *k->param_sizes);
		k->param_offsets = xcalloc(f->nparams + 1, sizeof *k->param_offsets);
		for (uint32_t p = 0; p < f->nparams; p++) {
			k->param_sizes[p] = (uint32_t)m->ptx->symbols[f->params[p]].size;
			k->param_offsets[p] = (uint32_t)m->ptx->symbols[f->params[p]].param_offset;
		}
		k->next = m->kernels;
		m->kernels = k;
	}
}

enum device_status module_load(struct cpu_device *device, const char *image, size_t size, const char *name,
			       struct device_module **module, struct diag *d)
{
	struct device_module *m = xcalloc(1, sizeof *m);
	char lines[PTX_LINES_NAME_SIZE];

	m->device = device;
	m->name = xstrdup(name);
	m->next = device->modules;
	device->modules = m;
	m->ptx = ptx_parse(ptx_lines_name(name, lines), image, size, d);
	if (!m->ptx) {
		module_unload(m);
		return DEVICE_BAD_PTX;
	}
	m->analysis = ptx_analyze_to_mark(m->ptx, device->alias, false, device->mark);
	ptx_mark_loads(m->analysis, device->mark);
	if (place_variables(m, d) < 0) {
		module_unload(m);
		return DEVICE_OUT_OF_MEMORY;
	}
	add_kernels(m);
	*module = m;
	return DEVICE_OK;
}

static void free_kernels(struct device_module *m)
{
	while (m->kernels) {
		struct device_kernel *k = m->kernels;

		m->kernels = k->next;
		if (k->program)
			program_free(k->program);
		guard_memo_release(&k->guards);
		guard_memo_release(&k->copy_guards);
		free(k->param_sizes);
		free(k->param_offsets);
		free(k);
	}
}

void module_unload(struct device_module *m)
{
	struct device_module **link = &m->device->modules;

	while (*link != m)
		link = &(*link)->next;
	*link = m->next;
	free_kernels(m);
	for (uint32_t i = 0; m->address && i < m->ptx->nsymbols; i++) {
		if (m->shared[i])
			memory_unshare(m->address[i], m->ptx->symbols[i].size);
		if (m->address[i])
			memory_release(&m->device->memory, m->address[i]);
	}
	free(m->address);
	free(m->shared);
	ptx_analysis_free(m->analysis);
	ptx_module_free(m->ptx);
	free(m->name);
	free(m);
}

enum device_status module_share(struct device_module *m, const char *name, void *host)
{
	const struct ptx_symbol *s = ptx_find_symbol(m->ptx, name);
	size_t i = s ? (size_t)(s - m->ptx->symbols) : 0;

	if (!s || !m->address[i] || !has_own_pages(s) || (uintptr_t)host % MEMORY_PAGE)
		return DEVICE_NOT_FOUND;
	if (!memory_share(m->address[i], s->size, host))
		return DEVICE_OUT_OF_MEMORY;
	m->shared[i] = true;
	return DEVICE_OK;
}

struct device_kernel *module_kernel(struct device_module *m, const char *name)
{
	struct device_kernel *k = m->kernels;

	while (k && strcmp(k->function->name, name) != 0)
		k = k->next;
	return k;
}

/*
 * Adds a program to the text of those decoded so far. The file is written anew each time, so that it is complete
 * whenever the program ends.
 */
static void show_decoded(struct cpu_device *dev, const struct program *p)
{
	const char *path = dev->settings.decoded;
	bool is_stream = strcmp(path, "1") == 0 || strcmp(path, "-") == 0;
	struct diag d = DIAG_INIT;

	if (is_stream)
		dev->decoded.len = 0;
	program_dump(p, dev->set, &dev->decoded);
	fflush(stdout);
	if (file_write(is_stream ? "-" : path, dev->decoded.data, dev->decoded.len, &d) < 0)
		diag_print(&d, stderr);
}

struct program *kernel_program(struct device_kernel *k, struct diag *d)
{
	struct cpu_device *dev = k->module->device;

	if (!k->program && !k->bad) {
		k->program = program_build(k->module, k->function, dev->set, &k->why);
		k->bad = !k->program;
		if (k->program && (kernel_is_traced(dev, k->function->name) || dev->marks || dev->checks.on))
			program_observe(k->program, dev);
		if (k->program && dev->settings.decoded)
			show_decoded(dev, k->program);
	}
	if (k->bad && d)
		*d = k->why;
	return k->program;
}

/* 80 = sm_80: libraries choose by it among the variants of a kernel, as the compiler did by __CUDA_ARCH__. */
static uint32_t target_number(const struct ptx_module *m)
{
	return strncmp(m->target, "sm_", 3) == 0 ? (uint32_t)strtoul(m->target + 3, NULL, 10) : 0;
}

void module_attributes(struct device_kernel *k, struct kernel_attributes *out)
{
	const struct ptx_function *f = k->function;
	const struct program *p = kernel_program(k, NULL);
	uint32_t threads =
	    f->reqntid[0]   ? f->reqntid[0] * (f->reqntid[1] ? f->reqntid[1] : 1) * (f->reqntid[2] ? f->reqntid[2] : 1)
	    : f->maxntid[0] ? f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) * (f->maxntid[2] ? f->maxntid[2] : 1)
			    : MAX_CTA_THREADS;

	*out = (struct kernel_attributes){.const_bytes = (uint32_t)k->module->const_bytes,
					  .max_threads = threads < MAX_CTA_THREADS ? threads : MAX_CTA_THREADS,
					  .ptx_version = target_number(k->module->ptx),
					  .nparams = f->nparams,
					  .param_sizes = k->param_sizes,
					  .param_offsets = k->param_offsets,
					  .param_bytes = f->param_bytes};
	if (p) {
		out->registers = p->registers;
		out->static_shared = p->static_shared;
		out->local_bytes = p->local_bytes;
	}
}
