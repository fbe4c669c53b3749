/* romark compare: results of `romark sim --json` side by side, one row a file, relative to the first. */
#include "cli/command.h"
#include "common/file.h"
#include "common/options.h"
#include "common/xalloc.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	json_t *root; /* owner of the strings */
	const char *gpu, *llc_policy, *l1_policy;
	double cycles, miss_rate, replies_per_cycle, ipc;
	const char *sampled;          /* how, NULL: everything was simulated */
	double low, high, confidence; /* of `cycles` if sampled; high 0: not known */
	const char *path;
};

/* One value of the results: the object that holds it (NULL = the root), its key, and where it goes. */
struct wanted_number {
	const char *object, *key;
	double *value;
};

static int read_numbers(const char *path, struct row *row, struct diag *d)
{
	const struct wanted_number wanted[] = {
	    {NULL, "cycles", &row->cycles},
	    {NULL, "ipc", &row->ipc},
	    {"llc", "miss_rate", &row->miss_rate},
	    {"llc", "replies_per_cycle", &row->replies_per_cycle},
	};

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		const struct wanted_number *w = &wanted[i];
		const json_t *object = w->object ? json_object_get(row->root, w->object) : row->root;
		const json_t *value = json_object_get(object, w->key);

		if (!json_is_number(value))
			return diag_file(d, path, "no number '%s%s%s' in it; it has to come from 'romark sim --json'",
					 w->object ? w->object : "", w->object ? "." : "", w->key);
		*w->value = json_number_value(value);
	}
	return 0;
}

static int read_row(const char *path, struct row *row, struct diag *d)
{
	struct file_data text;
	json_error_t error;
	const json_t *sampling;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	row->root = json_loadb(text.data, text.size, 0, &error);
	file_data_release(&text);
	if (!row->root)
		return diag_set(d, path, (unsigned)error.line, (unsigned)error.column,
				"no JSON, so not from 'romark sim --json': %s", error.text);
	if (json_unpack(row->root, "{s:s,s:s,s:s}", "gpu", &row->gpu, "llc_policy", &row->llc_policy, "l1_policy",
			&row->l1_policy) < 0)
		return diag_file(d, path,
				 "no 'gpu', 'llc_policy' or 'l1_policy' in it; it has to come from "
				 "'romark sim --json'");
	sampling = json_object_get(row->root, "sampling");
	row->path = path;
	row->sampled = json_string_value(json_object_get(row->root, "sampled"));
	row->low = json_number_value(json_object_get(sampling, "cycles_low"));
	row->high = json_number_value(json_object_get(sampling, "cycles_high"));
	row->confidence = json_number_value(json_object_get(sampling, "confidence"));
	return read_numbers(path, row, d);
}

/* Estimates are not to be taken for what was simulated. */
static void print_sampled(const struct row *rows, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!rows[i].sampled)
			continue;
		printf("~ %s is an estimate (%s)", rows[i].path, rows[i].sampled);
		if (rows[i].high > 0)
			printf(": by its spread %.0f to %.0f cycles, with %.0f %% confidence\n", rows[i].low,
			       rows[i].high, 100 * rows[i].confidence);
		else
			printf("; how far off it may be is not known\n");
	}
}

static void print_table(const struct row *rows, size_t len)
{
	printf("%-12s %-12s %-10s %12s %9s %13s %14s %8s\n", "GPU", "LLC", "L1", "cycles", "speedup", "LLC miss rate",
	       "replies/cycle", "IPC");
	for (size_t i = 0; i < len; i++)
		printf("%-12s %-12s %-10s %c%11.0f %9.3f %11.2f %% %14.3f %8.2f\n", rows[i].gpu, rows[i].llc_policy,
		       rows[i].l1_policy, rows[i].sampled ? '~' : ' ', rows[i].cycles,
		       rows[i].cycles > 0 ? rows[0].cycles / rows[i].cycles : 0.0, 100.0 * rows[i].miss_rate,
		       rows[i].replies_per_cycle, rows[i].ipc);
	print_sampled(rows, len);
}

static int compare(char **paths, size_t len)
{
	struct row *rows = xcalloc(len, sizeof *rows);
	struct diag d = DIAG_INIT;
	int status = 0;

	for (size_t i = 0; i < len && status == 0; i++)
		status = read_row(paths[i], &rows[i], &d);
	if (status == 0)
		print_table(rows, len);
	else
		diag_print(&d, stderr);
	for (size_t i = 0; i < len; i++)
		json_decref(rows[i].root);
	free(rows);
	return status == 0 ? EXIT_OK : EXIT_BAD_INPUT;
}

int cmd_compare(int argc, char **argv)
{
	const struct option_row rows[] = {{0}};
	const struct usage usage = {"compare", "RESULT.json...",
				    "Prints results of 'romark sim --json' as one table; speedups are over the first.",
				    rows, NULL};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands == 0) {
		fprintf(stderr, "romark: compare: no results given; see 'romark compare --help'\n");
		return EXIT_WRONG_USAGE;
	}
	return compare(argv, (size_t)operands);
}
