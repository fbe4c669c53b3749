/* Of a result only what the page shows is kept: launches by the thousand would make it long. */
#include "cli/report_facts.h"

#include "cli/compare_load.h"
#include "common/file.h"

static json_t *facts_of(json_t *root)
{
	static const char *const kept[] = {"gpu", "llc_policy", "l1_policy", "cycles", "structures", "lines"};
	json_t *facts = json_object();

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		json_t *value = json_object_get(root, kept[i]);

		/* `romark info` has a number of lines by this name. */
		if (value && (i < 4 || json_is_array(value)))
			json_object_set(facts, kept[i], value);
	}
	return facts;
}

static int read_one(const char *path, json_t *list, struct diag *d)
{
	struct file_data text;
	json_error_t error;
	json_t *root;
	int status = 0;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	root = result_load(text.data, text.size, false, &error);
	file_data_release(&text);
	if (!root)
		return diag_set(d, path, (unsigned)error.line, (unsigned)error.column, "no JSON: %s", error.text);
	if (json_is_array(json_object_get(root, "structures")))
		json_array_append_new(list, facts_of(root));
	else
		status =
		    diag_file(d, path,
			      "it has no list 'structures'; --facts takes what 'romark sim --lines --json=FILE' or "
			      "'romark info --json' writes");
	json_decref(root);
	return status;
}

int report_facts_read(const char *const *paths, size_t count, json_t **facts, struct diag *d)
{
	int status = 0;

	*facts = count ? json_array() : NULL;
	for (size_t i = 0; i < count && status == 0; i++)
		status = read_one(paths[i], *facts, d);
	return status;
}
