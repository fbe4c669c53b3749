/* Places, chains of inlining and of calls as text, from their JSON. */
#include "verdict/report/report_writers.h"

#include "common/kernel_names.h"
#include "common/xalloc.h"

static void add_place(const json_t *place, struct strbuf *out)
{
	if (place)
		strbuf_addf(out, "%s:%lld", place_base_name(report_word(place, "file")), report_number(place, "line"));
}

void report_text_place(const json_t *object, struct strbuf *out)
{
	add_place(json_object_get(object, "place"), out);
}

static void add_inlining(const json_t *why, struct strbuf *out)
{
	const json_t *code = json_object_get(why, "code_of"), *sites = json_object_get(why, "inlined_at"), *site;
	size_t i;

	if (!code && !sites)
		return;
	strbuf_adds(out, "    inlined: ");
	add_place(code, out);
	strbuf_adds(out, code ? " into " : "");
	report_text_place(why, out);
	json_array_foreach(sites, i, site)
	{
		strbuf_adds(out, " into ");
		add_place(site, out);
	}
	strbuf_addc(out, '\n');
}

static void add_title(const char *symbol, struct strbuf *out)
{
	char *title = kernel_title(symbol);

	strbuf_adds(out, title);
	xfree(title);
}

/* "saxpy -> scale (saxpy.cu:12) -> put (line 31)" */
static void add_calls(const char *kernel, const json_t *calls, struct strbuf *out)
{
	const json_t *step;
	size_t i;

	if (!calls)
		return;
	strbuf_adds(out, "    calls: ");
	add_title(kernel, out);
	json_array_foreach(calls, i, step)
	{
		strbuf_adds(out, " -> ");
		add_title(report_word(step, "function"), out);
		if (json_object_get(step, "place")) {
			strbuf_adds(out, " (");
			report_text_place(step, out);
			strbuf_addc(out, ')');
		} else if (report_number(step, "line")) {
			strbuf_addf(out, " (line %lld)", report_number(step, "line"));
		}
	}
	strbuf_addc(out, '\n');
}

void report_text_ways(const char *kernel, const json_t *why, struct strbuf *out)
{
	add_inlining(why, out);
	add_calls(kernel, json_object_get(why, "calls"), out);
}
