/* "</script>" inside a string would end the data, so no '<' stays in it. */
#include "verdict/report/data_page.h"

#include <string.h>

static int append_escaped(const char *buffer, size_t size, void *data)
{
	struct strbuf *out = data;

	for (size_t i = 0; i < size; i++) {
		if (buffer[i] == '<')
			strbuf_adds(out, "\\u003c");
		else
			strbuf_addc(out, buffer[i]);
	}
	return 0;
}

void data_page_fill(const char *page, const json_t *root, size_t flags, struct strbuf *out)
{
	const char *mark = strstr(page, DATA_MARK);

	strbuf_add(out, page, (size_t)(mark - page));
	json_dump_callback(root, append_escaped, out, flags);
	strbuf_adds(out, mark + strlen(DATA_MARK));
}
