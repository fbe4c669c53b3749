/* Guards at a launch: structures that several pointers lead to, looked up in memory and in the parameters. */
#include "ptx-analyzer/language/text/ptx_text.h"
#include "ptx-analyzer/readonly/analysis.h"
#include "verdict/guards.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Four allocations of 64 bytes, some of which hold pointers, and a variable that is aligned to less. */
enum { A = 0x10000, B = 0x20000, C = 0x30000, D = 0x40000, E = 0x50024, BEFORE_E = 0x50000, SIZE = 64 };

static uint64_t table[SIZE / 8], table_b[SIZE / 8], table_d[SIZE / 8];

static bool find(void *device, uint64_t address, uint64_t *base, size_t *size)
{
	(void)device;
	if (address - BEFORE_E < E + SIZE - BEFORE_E) {
		*base = address < E ? BEFORE_E : E;
		*size = address < E ? E - BEFORE_E : SIZE;
		return true;
	}
	if ((address & 0xffff) >= SIZE || address < A || address >= D + SIZE)
		return false;
	*base = address & ~(uint64_t)0xffff;
	*size = SIZE;
	return true;
}

/* The first variable of a module is at `variable_at`, if that is not 0. */
static uint64_t variable_at;

static bool variable(void *device, uint32_t symbol, uint64_t *address, size_t *size)
{
	(void)device;
	*address = variable_at;
	*size = SIZE;
	return variable_at && symbol == 0;
}

static const void *view(void *device, uint64_t address, size_t size)
{
	(void)device;
	assert_int_equal(size, SIZE);
	return address == A || address == E ? table : address == B ? table_b : address == D ? table_d : NULL;
}

static int check(const char *ptx, const char *kernel, const uint64_t *params, size_t bytes, bool can_view)
{
	const struct guard_context context = {NULL, find, variable, can_view ? view : NULL, NULL};
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test", ptx, strlen(ptx), &d);
	struct ptx_analysis *a = m ? ptx_analyze(m, ALIAS_GUARDED) : NULL;
	const struct kernel_facts *f = a ? ptx_kernel_facts(a, kernel) : NULL;
	struct guard_target targets[8];
	int failed;

	assert_non_null(f);
	assert_true(f->nguards > 0 && f->nstructures <= 8);
	guard_resolve(f, &context, params, bytes, targets);
	failed = guard_check(f, targets, NULL, NULL);
	ptx_analysis_free(a);
	ptx_module_free(m);
	return failed;
}

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"

/* %rd3 leads to the word of this thread. */
#define TO_ANY_WORD " mov.u32 %r1, %tid.x; mul.wide.u32 %rd8, %r1, 8; add.s64 %rd3, %rd3, %rd8;\n"

static const char pointee[] = HEADER
    ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"
    "cvta.to.global.u64 %rd4, %rd2;" TO_ANY_WORD
    "ld.global.u64 %rd5, [%rd3]; ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd4], %f1; ret;\n}\n";

static void test_pointee(void **state)
{
	const uint64_t params[] = {A, C};

	(void)state;
	memset(table, 0, sizeof table);
	table[3] = B + 8;
	assert_int_equal(check(pointee, "k", params, sizeof params, true), -1);
	assert_true(check(pointee, "k", params, sizeof params, false) >= 0);
	table[5] = C + 60;
	assert_true(check(pointee, "k", params, sizeof params, true) >= 0);
	/* No kernel can load a pointer from there. */
	table[5] = 0;
	memcpy((char *)table + 41, &(uint64_t){C}, 8);
	assert_int_equal(check(pointee, "k", params, sizeof params, true), -1);
}

/* The words of a variable that does not begin at a word. */
static void test_pointee_in_a_variable(void **state)
{
	const uint64_t params[] = {E, C};

	(void)state;
	memset(table, 0, sizeof table);
	memcpy((char *)table + 4, &(uint64_t){B + 8}, 8);
	assert_int_equal(check(pointee, "k", params, sizeof params, true), -1);
	memcpy((char *)table + 52, &(uint64_t){C + 8}, 8);
	assert_true(check(pointee, "k", params, sizeof params, true) >= 0);
}

/* A struct of pointers in constant memory: the word at 8 is read, that at 16 written. */
static const char fields[] = HEADER ".const .align 8 .b8 params[64];\n"
				    ".visible .entry k()\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
				    "ld.const.u64 %rd1, [params+8]; ld.const.u64 %rd2, [params+16];\n"
				    "ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;\n}\n";

static void test_words_of_a_constant(void **state)
{
	(void)state;
	variable_at = A;
	memset(table, 0, sizeof table);
	table[0] = table[3] = C + 8;
	table[1] = B + 8;
	table[2] = C + 8;
	assert_int_equal(check(fields, "k", NULL, 0, true), -1);
	table[1] = C + 60;
	assert_true(check(fields, "k", NULL, 0, true) >= 0);
	table[1] = B + 8;
	table[2] = B;
	assert_true(check(fields, "k", NULL, 0, true) >= 0);
	table[2] = C;
	assert_true(check(fields, "k", NULL, 0, false) >= 0);
	variable_at = 0;
	assert_true(check(fields, "k", NULL, 0, true) >= 0);
}

/* Three parameters of 64 bits, as unoptimised code adds them: a[o + i] is read, b[o + i] written. */
static const char sums[] =
    HEADER ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 o)\n{\n.reg .b64 %rd<9>; .reg .b32 %r<3>;\n"
	   "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [o];\n"
	   "mov.u32 %r1, %tid.x; cvt.u64.u32 %rd4, %r1; add.s64 %rd5, %rd3, %rd4;\n"
	   "add.s64 %rd6, %rd1, %rd5; ld.u8 %r2, [%rd6]; add.s64 %rd7, %rd2, %rd5; st.u8 [%rd7], %r2; ret;\n}\n";

/* The analysis takes a and b for the pointers. A launch at which they are none runs without marks. */
static void test_assumed_pointers(void **state)
{
	static const uint64_t far = UINT64_C(1) << 40;
	const uint64_t others[][3] = {{A, A, 8},   {8, B, A},   {A, 8, B},   {8, 16, A},
				      {0, B, far}, {A, 0, far}, {0, 0, far}, {A + SIZE + 8, B, 0}};
	const uint64_t params[] = {A, B + 8, 8};

	(void)state;
	assert_int_equal(check(sums, "k", params, sizeof params, true), -1);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_true(check(sums, "k", others[i], sizeof others[i], true) >= 0);
}

/* What tags may add to a pointer, and what they may not. */
static void test_tagged_words(void **state)
{
	const uint64_t params[] = {A, C}, tag = UINT64_C(0xabcd) << 48;

	(void)state;
	memset(table, 0, sizeof table);
	table[0] = (B + 8) | tag;
	table[1] = (C - 20) | tag;
	table[2] = (C + 256) | tag;
	assert_int_equal(check(pointee, "k", params, sizeof params, true), -1);
	table[2] = (C + 60) | tag;
	assert_true(check(pointee, "k", params, sizeof params, true) >= 0);
	/* With the lowest bits set it leads behind the allocation's end. */
	table[2] = C | 255;
	assert_true(check(pointee, "k", params, sizeof params, true) >= 0);
}

/* Follows a list from the word at `pp`, and writes `out`. */
static void test_list(void **state)
{
	static const char text[] = HEADER
	    ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .pred %p<2>;\n"
	    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"
	    "cvta.to.global.u64 %rd4, %rd2; ld.global.u64 %rd5, [%rd3];\n"
	    "again: ld.global.f32 %f1, [%rd5+8]; st.global.f32 [%rd4], %f1; ld.global.u64 %rd5, [%rd5];\n"
	    "setp.ne.u64 %p1, %rd5, 0; @%p1 bra again; ret;\n}\n";
	const uint64_t params[] = {A, C};

	(void)state;
	memset(table, 0, sizeof table);
	memset(table_b, 0, sizeof table_b);
	memset(table_d, 0, sizeof table_d);
	table[0] = B;
	table_b[0] = B + 16;
	table_b[2] = D + 32 + 1;
	table_d[4] = B;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	/* The third allocation on the way leads to what is written. */
	table_d[6] = C + 8;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	/* So does one that cannot be seen. */
	table_d[6] = 0;
	table_b[5] = C + 8;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
}

/* Reads through one table and writes through another. */
static void test_two_tables(void **state)
{
	static const char text[] = HEADER
	    ".visible .entry k(.param .u64 pp, .param .u64 qq)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"
	    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [qq]; cvta.to.global.u64 %rd3, %rd1;\n"
	    "cvta.to.global.u64 %rd4, %rd2;" TO_ANY_WORD "add.s64 %rd4, %rd4, %rd8;\n"
	    "ld.global.u64 %rd5, [%rd3]; ld.global.u64 %rd6, [%rd4];\n"
	    "ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd6], %f1; ret;\n}\n";
	const uint64_t params[] = {A, D};

	(void)state;
	memset(table, 0, sizeof table);
	memset(table_d, 0, sizeof table_d);
	table[1] = B;
	table_d[1] = C;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	table_d[7] = B + 60;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	table_d[7] = A;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	table_d[7] = E + 8;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	table[4] = E + 16 + 1;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	/* With the lowest bits set it leads behind the allocation's end. */
	table[4] = C | 255;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
}

/* Reads the word at `a` + displacement, and writes `out`. */
#define AT(displacement)                                                                                               \
	HEADER                                                                                                         \
	".visible .entry k(.param .u64 a, .param .u64 out, .param .u64 n)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>;\n"    \
	"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"                           \
	"cvta.to.global.u64 %rd4, %rd2; ld.param.u64 %rd5, [n]; add.s64 %rd6, %rd3, %rd5;\n"                           \
	"ld.global.f32 %f1, [%rd6+" displacement "]; st.global.f32 [%rd4], %f1; ret;\n}\n"

static const char direct[] = AT("0");

/* A null base is no memory, but with an address for an offset it is any. */
static void test_null(void **state)
{
	uint64_t params[] = {0, C, 64};

	(void)state;
	assert_int_equal(check(direct, "k", params, sizeof params, true), -1);
	params[2] = C + 8;
	assert_true(check(direct, "k", params, sizeof params, true) >= 0);
	params[2] = C + SIZE;
	assert_true(check(direct, "k", params, sizeof params, true) >= 0);
	params[2] = (uint64_t)-64;
	assert_int_equal(check(direct, "k", params, sizeof params, true), -1);
	params[0] = 1;
	params[2] = 64;
	assert_true(check(direct, "k", params, sizeof params, true) >= 0);
	params[0] = A;
	params[2] = C;
	assert_int_equal(check(direct, "k", params, sizeof params, true), -1);
}

#define WORD_AT(word)                                                                                                  \
	HEADER                                                                                                         \
	".visible .entry k(.param .u64 a, .param .u64 out, .param .u64 words)\n{\n"                                    \
	".reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"                                                        \
	"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"                           \
	"cvta.to.global.u64 %rd4, %rd2; ld.param.u64 %rd5, [words]; cvta.to.global.u64 %rd5, %rd5;\n" word             \
	" add.s64 %rd6, %rd3, %rd7;\nld.global.f32 %f1, [%rd6]; st.global.f32 [%rd4], %f1; ret;\n}\n"

/* The same with a number from memory, of which a launch knows nothing. Multiplied it may be an address, too. */
static void test_null_and_a_word(void **state)
{
	static const char *const words[] = {
	    WORD_AT("ld.global.u64 %rd7, [%rd5];"),
	    WORD_AT("ld.global.u64 %rd8, [%rd5]; shl.b64 %rd7, %rd8, 2;"),
	    WORD_AT("ld.global.u32 %r1, [%rd5]; mul.wide.u32 %rd7, %r1, 65536;"),
	};
	uint64_t params[] = {B, C, A};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		params[0] = B;
		assert_int_equal(check(words[i], "k", params, sizeof params, true), -1);
		params[0] = 0;
		assert_true(check(words[i], "k", params, sizeof params, true) >= 0);
	}
}

/* A null pointer in a table is no memory, but with a word from memory for an index it may be any. */
static void test_null_in_a_table(void **state)
{
	static const char direct_index[] = HEADER
	    ".visible .entry k(.param .u64 pp, .param .u64 out, .param .u64 index)\n{\n.reg .b64 %rd<10>;\n"
	    ".reg .f32 %f<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out];\n"
	    "ld.param.u64 %rd6, [index]; cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;" TO_ANY_WORD
	    "cvta.to.global.u64 %rd6, %rd6; ld.global.u64 %rd5, [%rd3]; ld.global.u64 %rd7, [%rd6];\n"
	    "shl.b64 %rd9, %rd7, 2; add.s64 %rd8, %rd5, %rd9; ld.global.f32 %f1, [%rd8];\n"
	    "st.global.f32 [%rd4], %f1; ret;\n}\n";
	const uint64_t params[] = {A, C, D};

	(void)state;
	for (size_t i = 0; i < SIZE / 8; i++)
		table[i] = B;
	assert_int_equal(check(direct_index, "k", params, sizeof params, true), -1);
	table[3] = 0;
	assert_true(check(direct_index, "k", params, sizeof params, true) >= 0);
	assert_int_equal(check(pointee, "k", params, 16, true), -1);
}

/* A parameter may be an address divided by the size of an element. */
static void test_null_and_a_scaled_number(void **state)
{
	static const char text[] =
	    HEADER ".visible .entry k(.param .u64 a, .param .u64 out, .param .u64 n)\n{\n.reg .b64 %rd<9>;\n"
		   ".reg .f32 %f<3>; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd5, [n];\n"
		   "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2; shl.b64 %rd7, %rd5, 2;\n"
		   "add.s64 %rd6, %rd3, %rd7; ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd4], %f1; ret;\n}\n";
	uint64_t params[] = {0, C, 64};

	(void)state;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	params[2] = C / 4;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	params[2] = UINT64_C(1) << 43;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
}

/* A pointer that stands in one allocation and is used with a distance into another belongs to both. */
static void test_biased_pointer(void **state)
{
	static const char back[] = AT("-65536"), forth[] = AT("65536");
	uint64_t params[] = {B, A, 0};

	(void)state;
	assert_true(check(back, "k", params, sizeof params, true) >= 0);
	assert_int_equal(check(forth, "k", params, sizeof params, true), -1);
	params[1] = C;
	assert_int_equal(check(back, "k", params, sizeof params, true), -1);
	assert_true(check(forth, "k", params, sizeof params, true) >= 0);
	/* What lies between is reached too; where nothing lies there is nothing to guard. */
	params[0] = A;
	params[1] = B;
	assert_true(check(AT("131072"), "k", params, sizeof params, true) >= 0);
	assert_int_equal(check(back, "k", params, sizeof params, true), -1);
}

/* A pointer one element before an array, whose elements count from 1, is used for the array. */
static void test_one_based(void **state)
{
	const uint64_t elements[] = {4, 8, 16};
	uint64_t params[] = {B, E, 0};

	(void)state;
	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
		params[0] = E - elements[i];
		assert_true(check(direct, "k", params, sizeof params, true) >= 0);
	}
	params[0] = E - 20;
	assert_int_equal(check(direct, "k", params, sizeof params, true), -1);
	params[0] = BEFORE_E;
	assert_int_equal(check(direct, "k", params, sizeof params, true), -1);
	memset(table, 0, sizeof table);
	params[0] = A;
	table[3] = E - 8;
	assert_true(check(pointee, "k", params, 16, true) >= 0);
	table[3] = E - 20;
	assert_int_equal(check(pointee, "k", params, 16, true), -1);
}

/* Of two distances both count. */
static void test_biased_both_ways(void **state)
{
	static const char back[] = AT("-65536]; ld.global.f32 %f1, [%rd6+-131072"),
			  forth[] = AT("65536]; ld.global.f32 %f1, [%rd6+131072");
	const uint64_t high[] = {C, A, 0}, low[] = {A, C, 0};

	(void)state;
	assert_true(check(back, "k", high, sizeof high, true) >= 0);
	assert_true(check(forth, "k", low, sizeof low, true) >= 0);
}

/* The same with pointers in memory. */
static void test_biased_word(void **state)
{
	static const char text[] = HEADER
	    ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"
	    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"
	    "cvta.to.global.u64 %rd4, %rd2;" TO_ANY_WORD
	    "ld.global.u64 %rd5, [%rd3]; ld.global.f32 %f1, [%rd5+-65536];\n"
	    "st.global.f32 [%rd4], %f1; ret;\n}\n";
	uint64_t params[] = {A, B};

	(void)state;
	memset(table, 0, sizeof table);
	table[1] = C + 8;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	table[1] = A + 8;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
}

static const char any_field[] =
    HEADER ".visible .entry k(.param .align 8 .b8 s[24], .param .u64 out)\n{\n"
	   ".reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"
	   "mov.b64 %rd1, s; mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd4, %rd2;\n"
	   "cvt.u64.u32 %rd6, %r1; shl.b64 %rd7, %rd6, 3; add.s64 %rd8, %rd1, %rd7; ld.param.u64 %rd5, [%rd8];\n"
	   "cvta.to.global.u64 %rd3, %rd5; ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd4], %f1; ret;\n}\n";

/* Handles of textures in memory and in a parameter at a place not known: nobody can say what they stand for. */
static const char handles[] = HEADER
    ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .b32 %r<9>;\n"
    "ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;\n"
    "ld.global.u64 %rd5, [%rd3]; tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd5, {%r5}];\n"
    "st.global.u32 [%rd4], %r1; ret;\n}\n"
    ".visible .entry fields(.param .align 8 .b8 s[16], .param .u64 out, .param .u32 n)\n"
    "{\n.reg .b64 %rd<9>; .reg .b32 %r<9>;\n"
    "ld.param.u32 %r5, [n]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd4, %rd2; mov.b64 %rd6, s;\n"
    "mul.wide.u32 %rd7, %r5, 8; add.s64 %rd8, %rd6, %rd7; ld.param.u64 %rd5, [%rd8];\n"
    "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd5, {%r5}]; st.global.u32 [%rd4], %r1; ret;\n}\n";

static void test_handles(void **state)
{
	const uint64_t params[] = {A, C}, fields[] = {B, B, C, 0};

	(void)state;
	memset(table, 0, sizeof table);
	table[0] = B;
	assert_int_not_equal(check(handles, "k", params, sizeof params, true), -1);
	assert_int_not_equal(check(handles, "fields", fields, sizeof fields, true), -1);
}

/* A reference may be bound to what a variable is, or a reference of the other kind. */
static void test_references_are_guarded(void **state)
{
	static const char text[] =
	    HEADER ".global .texref tex;\n.global .surfref surf;\n.global .align 4 .b8 variable[64];\n"
		   ".visible .entry k()\n{\n.reg .b32 %r<9>;\n"
		   "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [tex, {%r5}]; st.global.u32 [variable], %r1;\n"
		   "sust.b.1d.b32.trap [surf, {%r5}], {%r1}; ret;\n}\n";
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test", text, strlen(text), &d);
	struct ptx_analysis *a = m ? ptx_analyze(m, ALIAS_GUARDED) : NULL;

	(void)state;
	assert_non_null(a);
	assert_int_equal(ptx_kernel_facts(a, "k")->nguards, 2);
	ptx_analysis_free(a);
	a = ptx_analyze(m, ALIAS_STRICT);
	assert_int_equal(ptx_kernel_facts(a, "k")->loads_marked, 0);
	ptx_analysis_free(a);
	ptx_module_free(m);
}

/* An element of 16 bytes, of which the first 8 are a pointer: {const float *data; int width, height}. */
#define TO_ELEMENT                                                                                                     \
	"ld.param.u64 %rd1, [pp]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1;\n"                          \
	"cvta.to.global.u64 %rd4, %rd2; mov.u32 %r1, %tid.x; mul.wide.u32 %rd8, %r1, 16;\n"                            \
	"add.s64 %rd5, %rd3, %rd8; ld.global.u64 %rd6, [%rd5]; ld.global.v2.u32 {%r1, %r2}, [%rd5+8];\n"

static void test_numbers_beside_pointers(void **state)
{
	static const char text[] =
	    HEADER ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
		   ".reg .b32 %r<3>;\n" TO_ELEMENT "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd4], %f1; ret;\n}\n";
	uint64_t params[] = {A, C};

	(void)state;
	memset(table, 0, sizeof table);
	table[0] = table[6] = B;
	table[1] = table[3] = table[7] = C + 8;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	table[4] = C;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	/* The numbers before the pointer to the middle of an array of these. */
	table[4] = 0;
	params[0] = A + 32;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	table[2] = C;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	/* What lies between these is not what it is behind a pointer that is 8 bytes farther. */
	table[2] = 0;
	params[0] = A + 8;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
}

static void test_numbers_beside_pointers_of_both(void **state)
{
	static const char text[] =
	    HEADER ".visible .entry k(.param .u64 pp, .param .u64 out)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
		   ".reg .b32 %r<3>;\n" TO_ELEMENT "ld.global.u64 %rd7, [%rd4+16];\n"
		   "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1; ret;\n}\n";
	const uint64_t params[] = {A, D};

	(void)state;
	memset(table, 0, sizeof table);
	memset(table_d, 0, sizeof table_d);
	table[0] = table[2] = B;
	table[1] = table[3] = C;
	table_d[2] = C + 8;
	table_d[0] = table_d[3] = B;
	assert_int_equal(check(text, "k", params, sizeof params, true), -1);
	table[6] = C + 60;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
	table[6] = 0;
	table_d[2] = B;
	assert_true(check(text, "k", params, sizeof params, true) >= 0);
}

static void test_any_field(void **state)
{
	uint64_t params[] = {A, B, 7, C};

	(void)state;
	assert_int_equal(check(any_field, "k", params, sizeof params, true), -1);
	params[2] = C + 4;
	assert_true(check(any_field, "k", params, sizeof params, true) >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pointee),
	    cmocka_unit_test(test_pointee_in_a_variable),
	    cmocka_unit_test(test_words_of_a_constant),
	    cmocka_unit_test(test_assumed_pointers),
	    cmocka_unit_test(test_tagged_words),
	    cmocka_unit_test(test_list),
	    cmocka_unit_test(test_two_tables),
	    cmocka_unit_test(test_null),
	    cmocka_unit_test(test_null_and_a_word),
	    cmocka_unit_test(test_null_and_a_scaled_number),
	    cmocka_unit_test(test_null_in_a_table),
	    cmocka_unit_test(test_biased_pointer),
	    cmocka_unit_test(test_one_based),
	    cmocka_unit_test(test_biased_both_ways),
	    cmocka_unit_test(test_biased_word),
	    cmocka_unit_test(test_numbers_beside_pointers),
	    cmocka_unit_test(test_numbers_beside_pointers_of_both),
	    cmocka_unit_test(test_any_field),
	    cmocka_unit_test(test_handles),
	    cmocka_unit_test(test_references_are_guarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
