/* The object's source that ends the device link: it embeds the joined module and registers it with the runtime. */
#include "cc/device_link.h"

/* A path in an assembler's string in a C string. */
static void add_path(struct strbuf *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			strbuf_adds(out, "\\\\\\");
		strbuf_addc(out, *path);
	}
}

void cc_link_source(const struct cc_link *link, const char *fatbin, struct strbuf *out)
{
	if (!link->parts.len) {
		strbuf_adds(out, "typedef int nothing_to_register;\n");
		return;
	}
	strbuf_adds(out, "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.balign 8\\nromark_image:\\n.incbin \\\"");
	add_path(out, fatbin);
	strbuf_adds(out, "\\\"\\n.previous\\n\");\n"
			 "extern const char romark_image[] __attribute__((visibility(\"hidden\")));\n"
			 "static const struct { int magic, version; const void *data; void *unused; } wrapper\n"
			 "\t__attribute__((section(\".nvFatBinSegment\"), used)) = {0x466243b1, 1, romark_image, 0};\n"
			 "void **__cudaRegisterFatBinary(const void *wrapper);\n"
			 "static void **handle;\n"
			 "static void add(void (*globals)(void **))\n"
			 "{\n\tif (!handle)\n\t\thandle = __cudaRegisterFatBinary(&wrapper);\n\tglobals(handle);\n}\n");
	for (size_t i = 0; i < link->ids.len; i++)
		strbuf_addf(
		    out,
		    "__attribute__((weak, visibility(\"hidden\"))) void %s%s(void (*globals)(void **), void *w,\n"
		    "\tvoid *name, void *finish)\n{\n\t(void)w, (void)name, (void)finish;\n\tadd(globals);\n}\n",
		    CC_LINK_REGISTRATION, link->ids.data[i]);
}
