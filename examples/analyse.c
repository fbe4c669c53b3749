/*
 * Which data do the kernels of a PTX file, or of a program with PTX in it, only read?
 *
 *   cc analyse.c $(pkg-config --cflags --libs romark) -o analyse
 *   ./analyse k.ptx [MARKED.ptx]
 */
#include <romark/romark.h>
#include <stdio.h>

static void show_structure(const struct romark_structure_verdict *s)
{
	printf("  %-8s %-10s %u of %u loads are marked", s->id, s->verdict, s->loads_marked, s->loads);
	if (s->why)
		printf("; line %u: %s", s->why_line, s->why);
	putchar('\n');
}

static void show_kernels(const struct romark_analysis *a)
{
	const struct romark_kernel_verdict *kernel;
	const struct romark_structure_verdict *structure;
	const struct romark_guard *guard;

	for (size_t k = 0; (kernel = romark_analysis_kernel(a, k)); k++) {
		printf("%s: %u of %u loads are marked\n", kernel->name, kernel->loads_marked, kernel->loads);
		for (size_t s = 0; (structure = romark_analysis_structure(a, k, s)); s++)
			show_structure(structure);
		for (size_t g = 0; (guard = romark_analysis_guard(a, k, g)); g++)
			printf("  only where %s is other memory than %s\n",
			       romark_analysis_structure(a, k, guard->reads)->id,
			       romark_analysis_structure(a, k, guard->writes)->id);
	}
}

static int write_marked(struct romark_analysis *a, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out || fputs(romark_analysis_ptx(a), out) == EOF || fclose(out) == EOF) {
		perror(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct romark_analyse_options options = ROMARK_INIT(struct romark_analyse_options);
	struct romark_error error;
	struct romark_analysis *a;
	int code = 0;

	if (argc < 2)
		return fprintf(stderr, "usage: %s FILE [MARKED.ptx]\n", argv[0]), 2;
	options.load = ROMARK_LOAD_NC;
	a = romark_analyse(argv[1], &options, &error);
	if (!a)
		return fprintf(stderr, "%s:%u: %s\n", error.file, error.line, error.message), 1;
	show_kernels(a);
	if (argc > 2)
		code = write_marked(a, argv[2]);
	romark_analysis_free(a);
	return code;
}
