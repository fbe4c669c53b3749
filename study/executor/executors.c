/* The table of executors. */
#include "study/executor.h"

#include <string.h>

static const struct executor_ops *const executors[] = {&executor_local, &executor_slurm};

const char executor_names[] = "local|slurm";

const struct executor_ops *executor_find(const char *name)
{
	for (size_t i = 0; i < sizeof executors / sizeof *executors; i++)
		if (strcmp(executors[i]->name, name) == 0)
			return executors[i];
	return NULL;
}
