/* PTX out of a program whose device code spans several files: their modules, joined by the device link. */
#include "runtime/api/cudart/registered_image.h"

#include "common/vec.h"
#include "ptx-analyzer/containers/input.h"
#include "ptx-analyzer/language/text/ptx_link.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>

struct modules {
	VEC(struct ptx_module *) list;
};

/*
 * Appends the module of one file, unless it has none for `sm`: CUDA's own library of device functions is linked to
 * every such program, and brings PTX for the newest GPUs alone.
 */
static int add_part(const void *part, unsigned sm, struct modules *modules, struct diag *d)
{
	struct file_data text = {NULL, 0};
	struct ptx_module *m = NULL;
	struct ptx_input in;
	int best, result = 0;

	if (ptx_input_image(image_name(), part, &in, d) < 0)
		return DIAG_ERROR;
	best = ptx_input_best(&in, sm);
	if (best >= 0)
		result = ptx_input_text(&in, (size_t)best, &text, d);
	if (best >= 0 && result == 0) {
		m = ptx_parse(in.entries[best].name, text.data, text.size, d);
		file_data_release(&text);
		if (m)
			vec_push(&modules->list, m);
		else
			result = DIAG_ERROR;
	}
	ptx_input_release(&in);
	return result;
}

static int add_parts(const void *const *parts, unsigned sm, struct modules *modules, struct diag *d)
{
	int result = 0;

	for (; *parts && result == 0; parts++)
		result = add_part(*parts, sm, modules, d);
	return result;
}

int image_parts_ptx(const void *const *parts, unsigned sm, struct file_data *ptx, struct diag *d)
{
	struct modules modules = {VEC_INIT};
	struct strbuf text = STRBUF_INIT;
	int result = add_parts(parts, sm, &modules, d);

	if (result == 0 && !modules.list.len)
		result = add_parts(parts, 0, &modules, d);
	if (result == 0 && modules.list.len)
		result = ptx_link(modules.list.data, modules.list.len, &text, d);
	if (result == 0)
		*ptx = (struct file_data){text.data, text.len};
	else
		strbuf_release(&text);
	for (size_t i = 0; i < modules.list.len; i++)
		ptx_module_free(modules.list.data[i]);
	vec_release(&modules.list);
	return result;
}
