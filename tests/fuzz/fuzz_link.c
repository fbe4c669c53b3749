/* The device link on any modules, which lines of dashes separate in the input: what is joined parses. */
#include "ptx-analyzer/language/text/ptx_link.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4 };

/* The modules of the text, up to MOST; fewer when one does not parse. */
static size_t parse_parts(const char *text, size_t size, struct ptx_module **parts)
{
	static const char separator[] = "\n----\n";
	size_t count = 0;

	while (count < MOST) {
		const char *end = memmem(text, size, separator, sizeof separator - 1);
		size_t len = end ? (size_t)(end - text) : size;

		parts[count] = ptx_parse("part", text, len, NULL);
		if (!parts[count])
			return count;
		count++;
		if (!end)
			return count;
		len += sizeof separator - 1;
		text += len;
		size -= len;
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptx_module *parts[MOST], *joined;
	struct strbuf text = STRBUF_INIT;
	struct diag d = DIAG_INIT;
	size_t count = parse_parts((const char *)data, size, parts);
	int result = count ? ptx_link(parts, count, &text, &d) : DIAG_ERROR;

	if (result == 0) {
		joined = ptx_parse("joined", text.data, text.len, &d);
		if (!joined)
			abort();
		ptx_module_free(joined);
	} else if (count && !d.message[0]) {
		abort();
	}
	for (size_t i = 0; i < count; i++)
		ptx_module_free(parts[i]);
	strbuf_release(&text);
	return 0;
}
