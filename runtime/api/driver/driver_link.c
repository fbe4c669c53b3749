/* Driver API: the linker. It joins the PTX of several inputs into one module, like the device link of programs. */
#include "runtime/api/driver/driver.h"

#include "ptx-analyzer/containers/input.h"
#include "ptx-analyzer/language/text/ptx_link.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
	VEC(struct ptx_module *) parts;
	struct strbuf image; /* of cuLinkComplete */
	char *log;           /* the caller's, for what goes wrong; NULL = none */
	size_t log_size;
};

/* Writes errors to the caller's log, or to stderr if there is no log. */
static CUresult failed(CUlinkState state, CUresult result, const struct diag *d)
{
	if (state->log && state->log_size)
		snprintf(state->log, state->log_size, "%s: %s", d->file, d->message);
	else
		runtime_notice(d);
	return result;
}

/* CUDA passes an option's value as a pointer; a number is cast to one. */
static void take_options(CUlinkState state, unsigned int count, const CUjit_option *options, void **values)
{
	for (unsigned i = 0; options && values && i < count; i++) {
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
			state->log = values[i];
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			state->log_size = (size_t)(uintptr_t)values[i];
	}
}

CUresult cuLinkCreate(unsigned int noptions, CUjit_option *options, void **values, CUlinkState *state)
{
	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	*state = handle_new(HANDLE_LINK, sizeof **state);
	take_options(*state, noptions, options, values);
	return CUDA_SUCCESS;
}

static int add_entry(CUlinkState state, const struct ptx_input *in, size_t entry, struct diag *d)
{
	struct file_data text;
	struct ptx_module *m;

	if (ptx_input_text(in, entry, &text, d) < 0)
		return DIAG_ERROR;
	m = ptx_parse(in->entries[entry].name, text.data, text.size, d);
	file_data_release(&text);
	if (!m)
		return DIAG_ERROR;
	vec_push(&state->parts, m);
	return 0;
}

/*
 * Adds all modules of an object or library. A fat binary holds one module for several GPUs: of these only the best is
 * added.
 */
static int add_entries(CUlinkState state, CUjitInputType type, const struct ptx_input *in, struct diag *d)
{
	bool all = type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY;
	int best = ptx_input_best(in, 0);

	if (best < 0)
		return diag_file(d, in->entries[0].name, "holds machine code only: compile it with PTX");
	for (size_t i = 0; i < in->count; i++) {
		bool wanted = all ? in->entries[i].kind == PTX_ENTRY_PTX : i == (size_t)best;

		if (wanted && add_entry(state, in, i, d) < 0)
			return DIAG_ERROR;
	}
	return 0;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
		       unsigned int noptions, CUjit_option *options, void **values)
{
	struct diag d = DIAG_INIT;
	struct ptx_input in;
	int result;

	if (!handle_is(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || state->image.data)
		return CUDA_ERROR_INVALID_VALUE;
	take_options(state, noptions, options, values);
	while (type == CU_JIT_INPUT_PTX && size && !((const char *)data)[size - 1])
		size--; /* the text's NUL counts */
	if (ptx_input_memory(name ? name : "cuLinkAddData", data, size, &in, &d) < 0)
		return failed(state, CUDA_ERROR_INVALID_PTX, &d);
	result = add_entries(state, type, &in, &d);
	ptx_input_release(&in);
	return result < 0 ? failed(state, CUDA_ERROR_INVALID_PTX, &d) : CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int noptions,
		       CUjit_option *options, void **values)
{
	struct file_data file;
	struct diag d = DIAG_INIT;
	CUresult result;

	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	if (file_read(path, &file, &d) < 0)
		return CUDA_ERROR_FILE_NOT_FOUND;
	result = cuLinkAddData(state, type, file.data, file.size, path, noptions, options, values);
	file_data_release(&file);
	return result;
}

/* The state owns the image, and repeated calls give the same image. After an error the state can only be destroyed. */
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
	struct diag d = DIAG_INIT;

	if (!handle_is(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!image || (!state->parts.len && !state->image.data))
		return CUDA_ERROR_INVALID_VALUE;
	if (!state->image.data && ptx_link(state->parts.data, state->parts.len, &state->image, &d) < 0)
		return failed(state, CUDA_ERROR_INVALID_IMAGE, &d);
	*image = state->image.data;
	if (size)
		*size = state->image.len + 1;
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
	if (!handle_is(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	for (size_t i = 0; i < state->parts.len; i++)
		ptx_module_free(state->parts.data[i]);
	vec_release(&state->parts);
	strbuf_release(&state->image);
	handle_free(state);
	return CUDA_SUCCESS;
}
