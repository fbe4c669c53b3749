/* A configuration of GPGPU-Sim as a GPU file: what becomes which key, what is left, and hostile text. */
#include "sim-backend/config/config.h"
#include "sim-backend/config/gpgpusim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char small[] = "# a GPU of 8 SMs\n"
			    "-gpgpu_n_clusters 4\n"
			    "-gpgpu_n_cores_per_cluster 2 # each\n"
			    "-gpgpu_clock_domains 1000.0:1000.0:900.0:850.0\n"
			    "-gpgpu_kernel_launch_latency 5000\n"
			    "-gpgpu_shader_core_pipeline 1024:32\n"
			    "-gpgpu_scheduler lrr\n"
			    "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"
			    "-gpgpu_adaptive_cache_config 1\n"
			    "-gpgpu_unified_l1d_size 128\n"
			    "-gpgpu_n_mem 4\n"
			    "-gpgpu_n_sub_partition_per_mchannel 2\n"
			    "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32\n"
			    "-ptx_opcode_latency_int 4,13,4,5,145,21\n"
			    "-gpgpu_dram_buswidth 16\n"
			    "-gpgpu_dram_burst_length 2\n"
			    "-gpgpu_dram_scheduler 1\n"
			    "-gpgpu_dram_timing_opt \"nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:\n"
			    "                        CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3\"\n"
			    "-gpgpu_num_reg_banks 16\n"
			    "-gpgpu_n_clusters 5\n";

static struct sim_config *convert(const char *text, const char *more, struct strbuf *yaml)
{
	struct gpgpusim *g = gpgpusim_create();
	struct sim_config *config = sim_config_create();
	struct diag d = DIAG_INIT;

	assert_int_equal(gpgpusim_read(g, text, strlen(text), "small.config", &d), 0);
	assert_int_equal(gpgpusim_read(g, more, strlen(more), "trace.config", &d), 0);
	gpgpusim_write(g, "small", yaml);
	if (sim_config_parse(config, yaml->data, yaml->len, "small.yaml", &d) < 0)
		fail_msg("%s\n%s", d.message, yaml->data);
	gpgpusim_free(g);
	return config;
}

static void test_options_become_keys(void **state)
{
	struct strbuf yaml = STRBUF_INIT;
	struct sim_config *c = convert(small, "", &yaml);
	struct diag d = DIAG_INIT;

	(void)state;
	if (sim_config_check(c, &d) < 0)
		fail_msg("%s", d.message);
	assert_string_equal(c->name, "small");
	assert_int_equal(c->gpu.sms, 10); /* the later of the two counts */
	assert_int_equal(c->gpu.launch_cycles, 5000);
	assert_int_equal(c->sm.warps, 32);
	assert_int_equal(c->l1.size_bytes, 128 << 10);
	assert_int_equal(c->l1.ways, 256);
	assert_true(c->l1.sectored);
	assert_int_equal(c->memory.llc.kilobytes, 32 * 128 * 24 * 8 / 1024);
	assert_int_equal(c->memory.llc.clock_mhz, 900);
	assert_int_equal(c->memory.dram.burst_bytes, 32);
	assert_int_equal(c->memory.dram.tCCDl, 2);
	assert_int_equal(c->memory.dram.tRC, 40);
	assert_non_null(strstr(yaml.data, "int_latency: 4 # ptx_opcode_latency_int"));
	sim_config_free(c);
	strbuf_release(&yaml);
}

static void test_what_does_not_fit_is_told(void **state)
{
	struct strbuf yaml = STRBUF_INIT;
	struct sim_config *c = convert(small, "", &yaml);

	(void)state;
	assert_non_null(strstr(yaml.data, "# -gpgpu_num_reg_banks 16"));
	assert_non_null(strstr(yaml.data, "mshrs: 256 # gpgpu_cache:dl1; there 512"));
	assert_non_null(strstr(yaml.data, "tCL: 12 # gpgpu_dram_timing_opt CL"));
	sim_config_free(c);
	strbuf_release(&yaml);
}

/* Latencies of machine code go before those of PTX. */
static void test_a_second_file_adds_latencies(void **state)
{
	struct strbuf yaml = STRBUF_INIT;
	struct sim_config *c = convert(small, "-trace_opcode_latency_initiation_int 6,3\n", &yaml);

	(void)state;
	assert_non_null(strstr(yaml.data, "int_latency: 6 # trace_opcode"));
	assert_non_null(strstr(yaml.data, "int_interval: 3 # trace_opcode"));
	sim_config_free(c);
	strbuf_release(&yaml);
}

static void test_wrong_text_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
	    {"-a 1\nb 2\n", 2, "neither an option"}, {"# c\n\n-t \"open\n", 3, "not closed"},
	    {"-a 1\n-b \001\n", 2, "no value"},      {"\0", 1, NULL},
	    {"- 3", 1, "neither an option"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gpgpusim *g = gpgpusim_create();
		struct diag d = DIAG_INIT;
		int status = gpgpusim_read(g, cases[i].text, strlen(cases[i].text), "wrong.config", &d);

		assert_int_equal(status, cases[i].says ? DIAG_ERROR : 0);
		if (cases[i].says) {
			assert_int_equal(d.line, cases[i].line);
			assert_non_null(strstr(d.message, cases[i].says));
		}
		gpgpusim_free(g);
	}
}

/* Numbers of all sizes, fields that are not there, every prefix: always YAML that can be read. */
static void test_strange_values_give_readable_files(void **state)
{
	static const char strange[] =
	    "-gpgpu_cache:dl1 S\n-gpgpu_cache:dl2 x:0:0:0\n-gpgpu_clock_domains nan:inf:-1:1e300\n"
	    "-gpgpu_n_mem 99999999999999999999\n-gpgpu_shader_core_pipeline 1:0\n"
	    "-gpgpu_n_clusters 0\n-gpgpu_dram_timing_opt \"CL=:RC=x:RP\"\n-icnt_flit_size\n";

	(void)state;
	for (size_t len = 0; len < sizeof strange; len++) {
		struct strbuf yaml = STRBUF_INIT;
		char text[sizeof strange];

		memcpy(text, strange, len);
		text[len] = '\0';
		if (strchr(text, '"') && strchr(text, '"') == strrchr(text, '"'))
			continue;
		if (len && text[len - 1] == '-')
			continue;
		sim_config_free(convert(text, "", &yaml));
		strbuf_release(&yaml);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_options_become_keys),
	    cmocka_unit_test(test_what_does_not_fit_is_told),
	    cmocka_unit_test(test_a_second_file_adds_latencies),
	    cmocka_unit_test(test_wrong_text_is_refused_with_its_line),
	    cmocka_unit_test(test_strange_values_give_readable_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
