/* A fixed page (sim_page.html) with the numbers as JSON inside it. */
#include "cli/sim_page.h"

#include "cli/explain_json.h"
#include "common/file.h"
#include "common/strbuf.h"
#include "verdict/report/data_page.h"

/* sim_page.html, NUL-terminated; SIM_PAGE is its path. */
extern const char sim_page[];
__asm__(".pushsection .rodata\n"
	".globl sim_page\n"
	"sim_page:\n"
	".incbin \"" SIM_PAGE "\"\n"
	".byte 0\n"
	".popsection\n");

int sim_page_begin(struct sim_page *page, struct diag *d)
{
	*page = (struct sim_page){tmpfile(), tmpfile()};
	if (page->json && page->series)
		return 0;
	sim_page_release(page);
	return diag_file(d, NULL, "no temporary file can be made for the page");
}

void sim_page_release(struct sim_page *page)
{
	if (page->json)
		fclose(page->json);
	if (page->series)
		fclose(page->series);
	*page = (struct sim_page){NULL, NULL};
}

static int read_back(FILE *from, struct strbuf *text, struct diag *d)
{
	char part[1 << 16];
	size_t n;

	if (fflush(from) != 0 || fseek(from, 0, SEEK_SET) != 0)
		return diag_file(d, NULL, "the page's temporary file cannot be written; is its disk full?");
	while ((n = fread(part, 1, sizeof part, from)) > 0)
		strbuf_add(text, part, n);
	return ferror(from) ? diag_file(d, NULL, "the page's temporary file cannot be read") : 0;
}

/* The document without its launches, of which there may be many: the explanation sums them up by kernel. */
static json_t *page_data(json_t *root, const char *series, struct diag *d)
{
	struct result result = {.root = root, .path = (char *)"the result"};
	struct explained e;
	json_t *data = json_object();

	if (explained_read(&e, &result, d) == 0) {
		json_object_set_new(data, "explained", explain_json(&e));
		json_object_set_new(data, "slots_per_cycle", json_real(numbers_slots(&e.run) / e.run.at[N_CYCLES]));
	}
	explained_release(&e);
	json_object_del(root, "kernels");
	json_object_set(data, "result", root);
	json_object_set_new(data, "series", json_string(series));
	return data;
}

static int write_page(const char *path, json_t *data, struct diag *d)
{
	struct strbuf out = STRBUF_INIT;
	int status;

	data_page_fill(sim_page, data, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9), &out);
	status = file_write(path, out.data, out.len, d);
	strbuf_release(&out);
	return status;
}

int sim_page_end(struct sim_page *page, const char *path, FILE *json, FILE *series, struct diag *d)
{
	struct strbuf document = STRBUF_INIT, rows = STRBUF_INIT;
	json_error_t error;
	json_t *root = NULL, *data = NULL;
	int status = read_back(page->json, &document, d);

	if (status == 0)
		status = read_back(page->series, &rows, d);
	if (status == 0 && json)
		fwrite(document.data, 1, document.len, json);
	if (status == 0 && series)
		fwrite(rows.data, 1, rows.len, series);
	if (status == 0 && !(root = json_loadb(document.data, document.len, 0, &error)))
		status = diag_file(d, NULL, "the result is no JSON: %s", error.text);
	if (status == 0)
		data = page_data(root, rows.data ? rows.data : "", d);
	if (status == 0)
		status = diag_is_set(d) ? DIAG_ERROR : write_page(path, data, d);
	json_decref(data);
	json_decref(root);
	strbuf_release(&document);
	strbuf_release(&rows);
	return status;
}
