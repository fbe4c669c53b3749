/* PTX out of text files, fat binaries and ELF files, whole and damaged. */
#include "ptx-analyzer/containers/input.h"

#include "ptx-analyzer/containers/archive.h"
#include "tests/ptx-analyzer/language/ptxtest.h"

#include <elf.h>
#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

static const char text[] =
    HEAD ".visible .entry kernel_in_a_container(.param .u64 a)\n{\n\tret;\n}\n"
	 "// enough text that it is worth compressing: ret; ret; ret; ret; ret; ret; ret; ret;\n";

struct bytes {
	uint8_t data[8192];
	size_t size;
};

static void put(struct bytes *b, const void *data, size_t size)
{
	assert_true(b->size + size <= sizeof(b->data));
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_number(struct bytes *b, uint64_t value, unsigned bytes)
{
	put(b, &value, bytes);
}

static void pad(struct bytes *b, size_t alignment)
{
	while (b->size % alignment)
		put_number(b, 0, 1);
}

/* One entry as nvcc writes it; flags 0x2000 = LZ4, 0x8000 = zstd. */
static void put_entry(struct bytes *b, unsigned kind, unsigned sm, uint64_t flags, const void *stored, size_t size,
		      size_t unpacked)
{
	size_t padded = (size + 7) / 8 * 8;

	put_number(b, kind, 2);
	put_number(b, 0x101, 2);
	put_number(b, 0x40, 4);
	put_number(b, padded, 8);
	put_number(b, flags ? size : 0, 4);
	put_number(b, 0, 8);
	put_number(b, sm, 4);
	put_number(b, 0, 8);
	put_number(b, flags, 8);
	put_number(b, 0, 8);
	put_number(b, flags ? unpacked : 0, 8);
	put(b, stored, size);
	pad(b, 8);
}

static struct bytes fat_binary(void)
{
	struct bytes b = {.size = 0}, body = {.size = 0};
	uint8_t packed[2048];
	int lz4 = LZ4_compress_default(text, (char *)packed, (int)strlen(text), sizeof(packed));
	size_t zstd;

	put_entry(&body, 1, 75, 0, text, strlen(text), strlen(text));
	put_entry(&body, 1, 80, 0x2000, packed, (size_t)lz4, strlen(text));
	zstd = ZSTD_compress(packed, sizeof(packed), text, strlen(text), 3);
	put_entry(&body, 1, 90, 0x8000, packed, zstd, strlen(text));
	put_entry(&body, 2, 90, 0, "\177ELFmachine", 12, 12);
	put_number(&b, 0xBA55ED50, 4);
	put_number(&b, 1, 2);
	put_number(&b, 16, 2);
	put_number(&b, body.size, 8);
	put(&b, body.data, body.size);
	return b;
}

/* An ELF file with `content` as its section `name`. */
static struct bytes elf_file(const char *name, const struct bytes *content)
{
	struct bytes b = {.size = 0};
	Elf64_Ehdr header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			     .e_type = ET_EXEC,
			     .e_machine = EM_X86_64,
			     .e_shentsize = sizeof(Elf64_Shdr),
			     .e_shnum = 3,
			     .e_shstrndx = 2};
	Elf64_Shdr sections[3] = {{.sh_type = SHT_NULL}};
	char names[64] = "";

	strcpy(names + 1, name);
	header.e_shoff = sizeof(header);
	sections[1] = (Elf64_Shdr){.sh_name = 1,
				   .sh_type = SHT_PROGBITS,
				   .sh_size = content->size,
				   .sh_offset = sizeof(header) + sizeof(sections) + sizeof(names)};
	sections[2] = (Elf64_Shdr){.sh_name = 0,
				   .sh_type = SHT_STRTAB,
				   .sh_size = sizeof(names),
				   .sh_offset = sizeof(header) + sizeof(sections)};
	put(&b, &header, sizeof(header));
	put(&b, sections, sizeof(sections));
	put(&b, names, sizeof(names));
	put(&b, content->data, content->size);
	return b;
}

static void assert_text(const struct ptx_input *in, size_t index, const char *expected)
{
	struct file_data out;
	struct diag d = DIAG_INIT;

	if (ptx_input_text(in, index, &out, &d) < 0)
		fail_msg("%s", d.message);
	assert_string_equal(out.data, expected);
	assert_int_equal(out.size, strlen(expected));
	file_data_release(&out);
}

static void check_entries(const struct ptx_input *in)
{
	struct file_data out;
	struct diag d = DIAG_INIT;

	assert_int_equal(in->count, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(in->entries[i].kind, PTX_ENTRY_PTX);
		assert_int_equal(in->entries[i].packing, i);
		assert_text(in, i, text);
	}
	assert_int_equal(in->entries[0].sm, 75);
	assert_int_equal(in->entries[3].kind, PTX_ENTRY_CUBIN);
	assert_int_equal(ptx_input_text(in, 3, &out, &d), DIAG_ERROR);
	assert_int_equal(ptx_input_best(in, 0), 2);
	assert_int_equal(ptx_input_best(in, 86), 1);
	assert_int_equal(ptx_input_best(in, 80), 1);
	assert_int_equal(ptx_input_best(in, 75), 0);
	assert_int_equal(ptx_input_best(in, 70), -1);
}

static void test_fat_binary(void **state)
{
	struct bytes b = fat_binary();
	struct ptx_input in;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(ptx_input_memory("x.fatbin", b.data, b.size, &in, &d), 0);
	check_entries(&in);
	assert_string_equal(in.entries[1].name, "x.fatbin#2");
	ptx_input_release(&in);
}

static void test_elf(void **state)
{
	static const char *const sections[] = {".nv_fatbin", "__nv_relfatbin"};
	struct bytes b = fat_binary(), elf;
	struct ptx_input in;
	struct diag d = DIAG_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		elf = elf_file(sections[i], &b);
		assert_int_equal(ptx_input_memory("a.out", elf.data, elf.size, &in, &d), 0);
		check_entries(&in);
		ptx_input_release(&in);
	}
	elf = elf_file(".text", &b);
	assert_int_equal(ptx_input_memory("a.out", elf.data, elf.size, &in, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "no device code"));
}

/* A static library: a symbol table, an object with device code, one without, and the padding between them. */
static void test_archive(void **state)
{
	struct bytes fat = fat_binary(), with = elf_file("__nv_relfatbin", &fat), without = elf_file(".text", &fat);
	struct bytes b = {.size = 0};
	struct ptx_input in;
	struct diag d = DIAG_INIT;
	char header[64];

	(void)state;
	put(&b, "!<arch>\n", 8);
	snprintf(header, sizeof(header), "%-16s%-32s%-10u`\n", "/", "", 3);
	put(&b, header, 60);
	put(&b, "abc\n", 4);
	snprintf(header, sizeof(header), "%-16s%-32s%-10zu`\n", "with.o/", "", with.size);
	put(&b, header, 60);
	put(&b, with.data, with.size);
	pad(&b, 2);
	assert_int_equal(ptx_input_memory("libx.a", b.data, b.size, &in, &d), 0);
	check_entries(&in);
	assert_string_equal(in.entries[1].name, "libx.a(with.o)#2");
	ptx_input_release(&in);
	assert_int_equal(ptx_input_memory("libx.a", b.data, b.size - 100, &in, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cut off"));
	b.size = 72;
	snprintf(header, sizeof(header), "%-16s%-32s%-10zu`\n", "without.o/", "", without.size);
	put(&b, header, 60);
	put(&b, without.data, without.size);
	assert_int_equal(ptx_input_memory("libx.a", b.data, b.size, &in, NULL), DIAG_ERROR);
}

static void put_member(struct bytes *b, const char *name, const char *content)
{
	char header[64];

	snprintf(header, sizeof(header), "%-16.16s%-32s%-10u`\n", name, "", (unsigned)strlen(content));
	put(b, header, 60);
	put(b, content, strlen(content));
	if (strlen(content) % 2)
		put(b, "\n", 1);
}

/* Short names end with a slash or blanks. Long names are in a table; a name that points outside of it is left out. */
static void test_archive_names(void **state)
{
	static const char *const names[] = {"l.a(one.o)", "l.a(a name.o)", "l.a(a_name_of_more_than_15.o)", "l.a(old)",
					    "l.a"};
	struct bytes b = {.size = 0};
	struct arena arena = ARENA_INIT;
	struct archive a = {.name = "l.a", .data = b.data};
	struct archive_member m;
	struct diag d = DIAG_INIT;

	(void)state;
	put(&b, "!<arch>\n", 8);
	put_member(&b, "/SYM64/", "symbols");
	put_member(&b, "//", "xyz.o/\na_name_of_more_than_15.o/\n");
	put_member(&b, "one.o/", "0");
	put_member(&b, "a name.o/", "11");
	put_member(&b, "/7", "222");
	put_member(&b, "old", "3333");
	put_member(&b, "/99", "44444");
	a.size = b.size;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(archive_next(&a, &arena, &m, &d), 1);
		assert_string_equal(m.name, names[i]);
		assert_int_equal(m.size, i + 1);
		assert_int_equal(m.data[0], '0' + i);
	}
	assert_int_equal(archive_next(&a, &arena, &m, &d), 0);
	arena_release(&arena);
}

/* Objects linked together: texts and fat binaries, with and without a NUL or padding between them. */
static void test_plain_text_in_elf(void **state)
{
	struct bytes b = {.size = 0}, fat = fat_binary(), elf;
	struct ptx_input in;
	struct diag d = DIAG_INIT;

	(void)state;
	put(&b, text, strlen(text));
	put(&b, text, strlen(text) + 1);
	pad(&b, 16);
	put(&b, fat.data, fat.size);
	put(&b, "// a comment first\n", 19);
	put(&b, text, strlen(text));
	elf = elf_file(".nv_fatbin", &b);
	assert_int_equal(ptx_input_memory("a.out", elf.data, elf.size, &in, &d), 0);
	assert_int_equal(in.count, 7);
	assert_text(&in, 0, text);
	assert_text(&in, 1, text);
	assert_text(&in, 2, text);
	assert_int_equal(in.entries[6].size, strlen(text) + 19);
	ptx_input_release(&in);
}

static void test_registered_images(void **state)
{
	struct bytes b = fat_binary();
	struct ptx_input in;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(ptx_input_image("program", b.data, &in, &d), 0);
	check_entries(&in);
	ptx_input_release(&in);
	assert_int_equal(ptx_input_image("program", text, &in, &d), 0);
	assert_text(&in, 0, text);
	ptx_input_release(&in);
}

static void test_what_is_not_ptx(void **state)
{
	static const char binary[] = "MZ\0\0\0\0";
	struct ptx_input in;
	struct diag d = DIAG_INIT;

	(void)state;
	assert_int_equal(ptx_input_memory("x.exe", binary, sizeof(binary), &in, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "neither PTX text"));
	assert_int_equal(ptx_input_memory("empty", "", 0, &in, NULL), DIAG_ERROR);
	assert_int_equal(ptx_input_open("/nonexistent/file", &in, NULL), DIAG_ERROR);
}

/* Reads every entry of what may be damaged. */
static void read_all(const uint8_t *data, size_t size)
{
	/* its own allocation, so that a sanitizer sees a byte too far */
	uint8_t *copy = malloc(size ? size : 1);
	struct ptx_input in;
	struct file_data out;
	struct diag d = DIAG_INIT;

	memcpy(copy, data, size);
	if (ptx_input_memory("damaged", copy, size, &in, &d) == 0) {
		for (size_t i = 0; i < in.count; i++)
			if (ptx_input_text(&in, i, &out, NULL) == 0)
				file_data_release(&out);
		ptx_input_release(&in);
	} else {
		assert_true(d.message[0]);
	}
	free(copy);
}

static void test_damage(void **state)
{
	struct bytes b = fat_binary(), elf = elf_file(".nv_fatbin", &b);

	(void)state;
	for (size_t i = 0; i < elf.size; i++) {
		read_all(elf.data, i);
		read_all(b.data, i < b.size ? i : b.size);
	}
	for (size_t i = 0; i < elf.size; i++)
		for (unsigned flip = 1; flip < 256; flip <<= 1) {
			elf.data[i] ^= (uint8_t)flip;
			read_all(elf.data, elf.size);
			elf.data[i] ^= (uint8_t)flip;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fat_binary),        cmocka_unit_test(test_elf),
	    cmocka_unit_test(test_archive),           cmocka_unit_test(test_archive_names),
	    cmocka_unit_test(test_plain_text_in_elf), cmocka_unit_test(test_registered_images),
	    cmocka_unit_test(test_what_is_not_ptx),   cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
