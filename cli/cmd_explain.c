/* `romark explain`: what bounds each kernel of a result, and what moved from one result to another. */
#include "cli/command.h"
#include "cli/explain_bound.h"
#include "cli/explain_json.h"
#include "cli/explain_moved.h"

#include "common/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIFFERENCES = 10 };

/* --- For people --- */

static void print_uses(const struct kernel_bound *b)
{
	printf("  how full      ");
	for (unsigned i = 0; i < PART_COUNT; i++)
		printf("%s%s %.0f %%", i ? (i == 4 ? ",\n                " : ", ") : "", part_words[i],
		       100 * b->use[i]);
	putchar('\n');
}

static void print_stages(const struct kernel_bound *b)
{
	if (b->round_trip <= 0)
		return;
	printf("  a request     %.0f cycles: ", b->round_trip);
	for (unsigned i = 0; i < STAGE_COUNT; i++)
		printf("%s%s %.0f", i ? (i == 3 ? ",\n                " : ", ") : "", stage_words[i], b->stage[i]);
	putchar('\n');
}

/* At blanks, with the text's own indentation. */
static void print_wrapped(const char *label, const char *text)
{
	size_t column = 0;

	printf("  %-14s", label);
	while (*text) {
		size_t length = 0;

		while (text[length] && text[length] != ' ')
			length++;
		if (column && column + 1 + length > 64) {
			printf("\n%*s", 16, "");
			column = 0;
		}
		printf("%s%.*s", column ? " " : "", (int)length, text);
		column += length + (column > 0);
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}

static void print_kernel(const struct explained *e, const struct kernel_numbers *n)
{
	struct kernel_bound b;

	bound_of(&b, &e->machine, n);
	printf("%s: %.0f cycles in %zu launch%s, %.1f %% of all\n", n->title, n->at[N_CYCLES], n->launches,
	       n->launches == 1 ? "" : "es", 100 * share_of(n->at[N_CYCLES], e->run.at[N_CYCLES]));
	print_wrapped("bound by", b.word);
	print_wrapped("because", b.because.data);
	print_uses(&b);
	print_stages(&b);
	bound_release(&b);
}

static void print_head(const struct explained *e)
{
	json_t *root = e->result->root;

	printf("%s: %s, LLC %s, L1 %s: %.0f cycles%s\n", e->result->path,
	       json_string_value(json_object_get(root, "gpu")), json_string_value(json_object_get(root, "llc_policy")),
	       json_string_value(json_object_get(root, "l1_policy")), e->run.at[N_CYCLES],
	       result_is_cut(e->result) ? ", not to the end" : "");
	if (e->result->sampled)
		printf("  estimated from a sample (%s); kernels below are those that were simulated\n",
		       e->result->sampled);
}

static void print_result(const struct explained *e)
{
	print_head(e);
	for (size_t i = 0; i < e->kernels.len; i++) {
		putchar('\n');
		print_kernel(e, &e->kernels.data[i]);
	}
}

static void print_difference(size_t number, const struct difference *row)
{
	printf("%3zu. ", number);
	if (row->subject)
		printf("%s: ", row->subject);
	printf("%s %.*f -> %.*f", row->what, row->a < 100 ? 1 : 0, row->a, row->b < 100 ? 1 : 0, row->b);
	printf(" (%+.0f %% of the whole)\n", 100 * row->share);
}

static void print_moved(const struct explained *a, const struct explained *b, const struct moved *m)
{
	double clocks = share_of(b->machine.clock_mhz, a->machine.clock_mhz);

	print_head(a);
	print_head(b);
	printf("\nspeedup in time %.3f", share_of(a->run.at[N_CYCLES] * clocks, b->run.at[N_CYCLES]));
	puts(
	    "\nlargest differences, by their share of all cycles, of a request's time, or of all traffic of the kind;\n"
	    "traffic counts for less where the part that carries it is less full");
	for (size_t i = 0; i < m->rows.len && i < DIFFERENCES; i++)
		print_difference(i + 1, &m->rows.data[i]);
	if (!m->rows.len)
		puts("  none of half a percent or more");
	for (size_t i = 0; i < a->kernels.len; i++) {
		struct kernel_bound before, after;
		const struct kernel_numbers *x = &a->kernels.data[i], *y = explained_kernel(b, x->kernel);

		if (!y)
			continue;
		bound_of(&before, &a->machine, x);
		bound_of(&after, &b->machine, y);
		printf("\n%s: bound by %s, then by %s\n", x->title, before.word, after.word);
		print_wrapped("before", before.because.data);
		print_wrapped("after", after.because.data);
		bound_release(&before);
		bound_release(&after);
	}
}

/* --- For programs --- */

static json_t *json_of_moved(const struct moved *m)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < m->rows.len; i++) {
		const struct difference *row = &m->rows.data[i];

		json_array_append_new(rows, json_pack("{s:s?, s:s, s:s, s:f, s:f, s:f, s:f}", "subject", row->subject,
						      "what", row->what, "unit", row->unit, "before", row->a, "after",
						      row->b, "share", row->share, "weight", row->weight));
	}
	return rows;
}

static void print_json(const struct explained *list, size_t count, const struct moved *m)
{
	json_t *results = json_array(), *root;

	for (size_t i = 0; i < count; i++)
		json_array_append_new(results, explain_json(&list[i]));
	root = json_pack("{s:i, s:o}", "schema", 1, "results", results);
	if (m)
		json_object_set_new(root, "moved", json_of_moved(m));
	json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(root);
}

/* --- The command --- */

static void print(const struct explained *list, size_t count, bool json)
{
	struct moved m = {.rows = VEC_INIT};

	if (count == 2)
		moved_between(&m, &list[0], &list[1]);
	if (json)
		print_json(list, count, count == 2 ? &m : NULL);
	else if (count == 2)
		print_moved(&list[0], &list[1], &m);
	else
		print_result(&list[0]);
	moved_release(&m);
}

static int run(char **paths, size_t count, bool json)
{
	struct explained list[2] = {0};
	struct results results = RESULTS_INIT;
	struct diag d = DIAG_INIT;
	int status = results_read(&results, paths, count, true, &d);

	for (size_t i = 0; status == 0 && i < count; i++)
		status = explained_read(&list[i], &results.list.data[i], &d);
	if (status == 0 && count == 2 && results.list.data[1].base != 0)
		status = diag_file(&d, paths[1], "it is of another program or size than %s", paths[0]);
	if (status == 0)
		print(list, count, json);
	for (size_t i = 0; i < count; i++)
		explained_release(&list[i]);
	results_release(&results);
	return status < 0 ? error_exit(&d) : EXIT_OK;
}

int cmd_explain(int argc, char **argv)
{
	bool json = false;
	const struct option_row rows[] = {
	    {0, "json", OPT_FLAG, &json, NULL, "JSON instead of text, with all differences"}, {0}};
	const struct usage usage = {
	    "explain", "RESULT.json [OTHER.json]",
	    "Says what bounds each kernel of a result of 'romark sim --json', and the numbers that this follows from.\n"
	    "With two results of one program: the ten largest differences, and how the bounds moved.",
	    rows, "Example: romark explain shared.json selrep.json"};
	int operands = options_parse(&usage, argc, argv);

	if (operands < 0)
		return usage_exit(operands);
	if (operands < 1 || operands > 2) {
		fprintf(stderr, "romark: explain: one or two results wanted; see 'romark explain --help'\n");
		return EXIT_WRONG_USAGE;
	}
	return run(argv, (size_t)operands, json);
}
