/* Checks each option's value; the message for a wrong value says which values the option takes. */
#include "cc/option_values.h"

#include <stdio.h>
#include <string.h>

/* The GPU that the CPU device presents. */
enum { CPU_DEVICE_ARCH = 80 };

/* Compute capabilities that nvcc 12.0 and romark both have. */
static const unsigned arches[] = {75, 80, 86, 87, 89, 90};

int cc_usage(const char *what)
{
	fprintf(stderr, "romark: cc: %s; see 'romark cc --help'\n", what);
	return CC_OPTIONS_WRONG;
}

int cc_wrong(const char *what, const char *word)
{
	fprintf(stderr, "romark: cc: %s '%s'; see 'romark cc --help'\n", what, word);
	return CC_OPTIONS_WRONG;
}

/* "sm_75", "compute_80", "arch=compute_75,code=sm_75", "75", "all", "native": the highest value counts. */
int cc_take_arch(struct cc_options *options, const char *value)
{
	const char *digit = strpbrk(value, "0123456789");
	unsigned arch = digit ? (unsigned)strtoul(digit, NULL, 10) : CPU_DEVICE_ARCH;

	if (!digit && strncmp(value, "all", 3) != 0 && strcmp(value, "native") != 0)
		return cc_wrong("not a GPU architecture:", value);
	if (arch > options->arch_asked)
		options->arch_asked = arch;
	if (arch < CC_LOWEST_ARCH)
		arch = CC_LOWEST_ARCH;
	if (arch > CC_HIGHEST_ARCH)
		arch = CC_HIGHEST_ARCH;
	if (arch >= options->arch) {
		options->arch = arch;
		options->arch_features = digit && strncmp(digit, "90a", 3) == 0;
	}
	return 0;
}

int cc_take_choice(const char *option, const char *value, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], value) == 0)
			return i;
	fprintf(stderr, "romark: cc: %s takes", option);
	for (int i = 0; names[i]; i++)
		fprintf(stderr, "%s%s", i ? ", " : " ", names[i]);
	fprintf(stderr, "; not '%s'\n", value);
	return CC_OPTIONS_WRONG;
}

int cc_take_load(struct cc_options *options, const char *value)
{
	int choice = cc_take_choice("--load", value, load_mark_names);

	if (choice < 0)
		return choice;
	options->load = (enum load_mark)choice;
	options->load_asked = true;
	return 0;
}

int cc_take_alias(struct cc_options *options, const char *value)
{
	int choice = cc_take_choice("--alias", value, alias_level_names);

	if (choice < 0)
		return choice;
	options->alias = (enum alias_level)choice;
	return 0;
}

int cc_take_runtime(struct cc_options *options, const char *value)
{
	static const char *const names[] = {"none", "shared", "static", NULL};
	int choice = cc_take_choice("-cudart", value, names);

	if (choice < 0)
		return choice;
	options->without_runtime = choice == 0;
	return 0;
}

int cc_take_flag(const char *option, const char *value, bool *flag)
{
	static const char *const names[] = {"false", "true", NULL};
	int choice = value ? cc_take_choice(option, value, names) : true;

	if (choice < 0)
		return choice;
	*flag = choice;
	return 0;
}

int cc_take_stream(struct cc_options *options, struct arena *arena, const char *value)
{
	static const char *const names[] = {"legacy", "null", "per-thread", NULL};
	int choice = cc_take_choice("--default-stream", value, names);

	if (choice == 2)
		vec_push(&options->both, arena_strdup(arena, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"));
	return choice < 0 ? choice : 0;
}

void cc_print_arches(const char *kind)
{
	for (size_t i = 0; i < sizeof arches / sizeof *arches; i++)
		printf("%s_%u\n", kind, arches[i]);
}
