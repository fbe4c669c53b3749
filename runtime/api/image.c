/* Tells PTX text from a fat binary. */
#include "runtime/api/image.h"

#include "common/xalloc.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

enum { FATBIN_MAGIC = 0xBA55ED50, FATBIN_HEADER = 16 };

const char *image_name(void)
{
	return program_invocation_short_name;
}

/* PTX begins, after white space and comments, with a directive. */
static int looks_like_ptx(const char *text)
{
	text += strspn(text, " \t\r\n");
	return text[0] == '.' || (text[0] == '/' && (text[1] == '/' || text[1] == '*'));
}

int image_ptx(const void *image, char **ptx, size_t *size, struct diag *d)
{
	uint32_t magic;

	memcpy(&magic, image, sizeof magic);
	if (magic != FATBIN_MAGIC && looks_like_ptx(image)) {
		*size = strlen(image);
		*ptx = xstrndup(image, *size);
		return 0;
	}
	if (magic == FATBIN_MAGIC) {
		const unsigned char *at = (const unsigned char *)image + FATBIN_HEADER;
		uint32_t header;

		memcpy(&header, at + 4, sizeof header);
		*ptx = xstrdup((const char *)at + header);
		*size = strlen(*ptx);
		return 0;
	}
	return diag_file(d, image_name(), "device code is neither PTX nor a fat binary with PTX");
}
