/* Which kernels a report shows. */
#include "verdict/report/parts.h"

#include "common/demangle.h"

#include <stdlib.h>

bool report_wants(const struct report *r, const struct kernel_facts *facts)
{
	char *plain;
	bool wanted;

	if (!r->kernels || regexec(r->kernels, facts->name, 0, NULL, 0) == 0)
		return true;
	plain = demangle(facts->name);
	wanted = regexec(r->kernels, plain, 0, NULL, 0) == 0;
	free(plain);
	return wanted;
}

const struct report_kernel *report_next(const struct report *r, struct report_position *at,
					const struct report_module **module)
{
	for (; at->module < r->nmodules; at->module++, at->kernel = 0) {
		*module = &r->modules[at->module];
		while (at->kernel < (*module)->nkernels) {
			const struct report_kernel *k = &(*module)->kernels[at->kernel++];

			if (report_wants(r, k->facts))
				return k;
		}
	}
	return NULL;
}
