/*
 * Such a file has options ("-name value") and comments from '#' on; a value in quotation marks may go over lines.
 * A row of `rows` says how a key of ours comes from options; a row whose options are missing makes nothing.
 */
#include "sim-backend/config/gpgpusim.h"

#include "common/arena.h"
#include "common/c_locale.h"
#include "common/vec.h"
#include "sim-backend/config/config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUE = 4096 };

struct foreign_option {
	const char *name, *value;
	bool used;
};

struct gpgpusim {
	struct arena arena;
	VEC(struct foreign_option) options;
	struct sim_config *config; /* for the ranges of the knobs */
};

struct gpgpusim *gpgpusim_create(void)
{
	struct gpgpusim *g = xcalloc(1, sizeof *g);

	*g = (struct gpgpusim){.arena = ARENA_INIT, .config = sim_config_create()};
	return g;
}

void gpgpusim_free(struct gpgpusim *g)
{
	if (!g)
		return;
	vec_release(&g->options);
	arena_release(&g->arena);
	sim_config_free(g->config);
	xfree(g);
}

/* --- Reading --- */

static void add_option(struct gpgpusim *g, const char *name, const char *value)
{
	for (size_t i = 0; i < g->options.len; i++)
		if (strcmp(g->options.data[i].name, name) == 0) {
			g->options.data[i].value = value;
			return;
		}
	vec_push(&g->options, (struct foreign_option){name, value, false});
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct place {
	const char *at, *end, *file;
	unsigned line;
};

static void skip_line(struct place *p)
{
	while (p->at < p->end && *p->at != '\n')
		p->at++;
}

/* Characters from `from` to `to` without blanks; NULL where there are others than a value has. */
static const char *squeezed(struct gpgpusim *g, const char *from, const char *to)
{
	char *text = arena_alloc(&g->arena, (size_t)(to - from) + 1), *at = text;

	for (; from < to; from++) {
		if (is_space(*from))
			continue;
		if ((unsigned char)*from < ' ' || (unsigned char)*from > '~')
			return NULL;
		*at++ = *from;
	}
	*at = '\0';
	return text;
}

static int wrong(const struct place *p, const char *what, struct diag *d)
{
	return diag_set(d, p->file, p->line, 0, "%s", what);
}

/* A value: up to the closing mark, or to the line's end or comment. */
static int take_value(struct gpgpusim *g, struct place *p, const char **value, struct diag *d)
{
	unsigned line = p->line;
	const char *from;
	bool quoted;

	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
		p->at++;
	quoted = p->at < p->end && *p->at == '"';
	from = p->at += quoted;
	while (p->at < p->end && (quoted ? *p->at != '"' : *p->at != '\n' && *p->at != '#'))
		line += *p->at++ == '\n';
	if (quoted && p->at == p->end)
		return wrong(p, "a quotation mark that is not closed", d);
	*value = p->at - from <= MOST_VALUE ? squeezed(g, from, p->at) : NULL;
	if (!*value)
		return wrong(p, "no value of an option: longer than any, or with characters that none has", d);
	p->line = line;
	skip_line(p);
	return 0;
}

static int take_option(struct gpgpusim *g, struct place *p, struct diag *d)
{
	const char *from = p->at, *name, *value;

	while (p->at < p->end && !is_space(*p->at) && *p->at != '#' && *p->at != '"')
		p->at++;
	name = p->at - from <= MOST_VALUE ? squeezed(g, from, p->at) : NULL;
	if (!name || name[0] != '-' || !name[1])
		return wrong(p, "neither an option ('-name value') nor a comment; a gpgpusim.config is wanted", d);
	if (take_value(g, p, &value, d) < 0)
		return DIAG_ERROR;
	add_option(g, name + 1, value);
	return 0;
}

int gpgpusim_read(struct gpgpusim *g, const char *text, size_t size, const char *file, struct diag *d)
{
	struct place p = {text, text + size, file, 1};

	for (; p.at < p.end; p.at++) {
		p.line += *p.at == '\n';
		if (is_space(*p.at))
			continue;
		if (*p.at == '#')
			skip_line(&p);
		else if (take_option(g, &p, d) < 0)
			return DIAG_ERROR;
		if (p.at == p.end)
			break;
		p.line += *p.at == '\n';
	}
	return 0;
}

/* --- Values --- */

static struct foreign_option *find(const struct gpgpusim *g, const char *name)
{
	for (size_t i = 0; i < g->options.len; i++)
		if (strcmp(g->options.data[i].name, name) == 0)
			return &g->options.data[i];
	return NULL;
}

static const char *use(const struct gpgpusim *g, const char *name)
{
	struct foreign_option *o = find(g, name);

	if (!o)
		return NULL;
	o->used = true;
	return o->value;
}

/* The field with this number, counted from 0, between colons and commas. */
static const char *field(const char *value, unsigned number)
{
	for (; value && number > 0; number--) {
		value = strpbrk(value, ":,");
		value = value ? value + 1 : NULL;
	}
	return value;
}

/* A number of the option; NAN where it has none. */
static double number(const struct gpgpusim *g, const char *option, unsigned which)
{
	const char *text = field(use(g, option), which);
	char *end;
	double value = text ? c_strtod(text, &end) : NAN;

	return text && end != text && value >= 0 && value < 1e12 ? value : NAN;
}

static double number_or(const struct gpgpusim *g, const char *option, double missing)
{
	double value = number(g, option, 0);

	return isnan(value) ? missing : value;
}

/* "nbk=16:CCD=1": the number behind a name. */
static double timing(const struct gpgpusim *g, const char *name)
{
	const char *at = use(g, "gpgpu_dram_timing_opt");
	size_t len = strlen(name);

	for (; at; at = field(at, 1))
		if (strncmp(at, name, len) == 0 && at[len] == '=')
			return c_strtod(at + len + 1, NULL);
	return NAN;
}

static double sms(const struct gpgpusim *g)
{
	return number(g, "gpgpu_n_clusters", 0) * number_or(g, "gpgpu_n_cores_per_cluster", 1);
}

/* A cluster has the SM-router of its own there; here SMs share routers evenly where there are more than routers. */
static double sm_routers(const struct gpgpusim *g)
{
	const struct knob *knob = knob_find(sim_config_section(g->config, "noc")->knobs, "sm_routers");
	double all = sms(g);

	for (double routers = all < knob->max ? all : knob->max; routers > 1; routers--)
		if (fmod(all, routers) == 0)
			return routers;
	return all;
}

static double warps(const struct gpgpusim *g)
{
	double lanes = number(g, "gpgpu_shader_core_pipeline", 1);

	return lanes > 0 ? number(g, "gpgpu_shader_core_pipeline", 0) / lanes : NAN;
}

enum { SETS = 1, LINE = 2, WAYS = 3, ALLOC = 6, MSHRS = 10, MERGES = 11 };

/* Bytes of a cache: sets, bytes of a line, ways behind the letter of its kind. */
static double cache_bytes(const struct gpgpusim *g, const char *option)
{
	return number(g, option, SETS) * number(g, option, LINE) * number(g, option, WAYS);
}

static double l1_bytes(const struct gpgpusim *g)
{
	double unified = number_or(g, "gpgpu_unified_l1d_size", 0) * 1024;

	if (unified > 0 && number_or(g, "gpgpu_adaptive_cache_config", 0) > 0)
		return unified;
	return cache_bytes(g, "gpgpu_cache:dl1");
}

/* An L1 that grows gets ways, not sets. */
static double l1_ways(const struct gpgpusim *g)
{
	double set = number(g, "gpgpu_cache:dl1", SETS) * number(g, "gpgpu_cache:dl1", LINE);

	return l1_bytes(g) / set;
}

static double llc_kilobytes(const struct gpgpusim *g)
{
	return cache_bytes(g, "gpgpu_cache:dl2") * number(g, "gpgpu_n_mem", 0) *
	       number_or(g, "gpgpu_n_sub_partition_per_mchannel", 1) / 1024;
}

static double burst_bytes(const struct gpgpusim *g)
{
	return number(g, "gpgpu_dram_buswidth", 0) * number(g, "gpgpu_dram_burst_length", 0) *
	       number_or(g, "gpgpu_n_mem_per_ctrlr", 1);
}

static double burst_clocks(const struct gpgpusim *g)
{
	double clocks = number(g, "gpgpu_dram_burst_length", 0) / number_or(g, "dram_data_command_freq_ratio", 2);

	return clocks < 1 ? 1 : clocks;
}

/* --- Choices --- */

static char letter(const struct gpgpusim *g, const char *option, unsigned which)
{
	const char *text = field(use(g, option), which);

	return text ? *text : '\0';
}

static const char *scheduler(const struct gpgpusim *g)
{
	const char *name = use(g, "gpgpu_scheduler");

	if (!name)
		return NULL;
	return strncmp(name, "two_level", 9) == 0 ? "two_level" : strcmp(name, "lrr") == 0 ? "lrr" : "gto";
}

static const char *coalescing(const struct gpgpusim *g)
{
	double arch = number(g, "gpgpu_coalesce_arch", 0);

	return isnan(arch) ? NULL : arch >= 40 ? "sectors" : "segments";
}

static const char *l1_sectored(const struct gpgpusim *g)
{
	return use(g, "gpgpu_cache:dl1") ? letter(g, "gpgpu_cache:dl1", 0) == 'S' ? "true" : "false" : NULL;
}

static const char *llc_sectored(const struct gpgpusim *g)
{
	return use(g, "gpgpu_cache:dl2") ? letter(g, "gpgpu_cache:dl2", 0) == 'S' ? "true" : "false" : NULL;
}

static const char *l1_alloc(const struct gpgpusim *g)
{
	switch (letter(g, "gpgpu_cache:dl1", ALLOC)) {
	case 'm': return l1_sectored(g)[0] == 't' ? "stream" : "miss";
	case 'f': return "fill";
	case 's': return "stream";
	default: return NULL;
	}
}

/* Of the policies for writes only "T", write-through, keeps the line of a global store. */
static const char *l1_write_hit(const struct gpgpusim *g)
{
	char policy = letter(g, "gpgpu_cache:dl1", ALLOC - 1);

	return !policy ? NULL : policy == 'T' ? "update" : "invalidate";
}

static const char *l1_caches(const struct gpgpusim *g)
{
	double skips = number(g, "gpgpu_gmem_skip_L1D", 0);

	return isnan(skips) ? NULL : skips > 0 ? "none" : "all";
}

static const char *l1_index(const struct gpgpusim *g)
{
	switch (letter(g, "gpgpu_cache:dl1", ALLOC + 2)) {
	case 'H': return "fermi";
	case 'X':
	case 'P': return "xor";
	case 'L': return "linear";
	default: return NULL;
	}
}

static const char *map_scheme(const struct gpgpusim *g)
{
	double scheme = number(g, "gpgpu_memory_partition_indexing", 0);

	return isnan(scheme) ? NULL : scheme == 2 ? "ipoly" : scheme == 1 ? "permutation" : "linear";
}

static const char *dram_scheduler(const struct gpgpusim *g)
{
	double scheduler = number(g, "gpgpu_dram_scheduler", 0);

	return isnan(scheduler) ? NULL : scheduler > 0 ? "fr-fcfs" : "fcfs";
}

/* One crossbar, or the nearest to it where a router has too few ports for that. */
static const char *topology(const struct gpgpusim *g)
{
	enum { MOST_PORTS = 64 };
	double slices = number(g, "gpgpu_n_mem", 0) * number_or(g, "gpgpu_n_sub_partition_per_mchannel", 1);

	if (!use(g, "network_mode"))
		return NULL;
	return sms(g) > MOST_PORTS || slices > MOST_PORTS ? "concentrated" : "flat";
}

/* --- The table --- */

struct row {
	const char *section, *key;
	const char *options; /* for the comment; alone, the first is what is read */
	unsigned which;      /* field of the option */
	double (*value)(const struct gpgpusim *g);
	const char *(*choice)(const struct gpgpusim *g);
};

#define NUMBER(section, key, option, which) {section, key, option, which, NULL, NULL}
#define TIMING(key, name) {"dram", key, "gpgpu_dram_timing_opt " name, 0, NULL, NULL}
#define VALUE(section, key, options, value) {section, key, options, 0, value, NULL}
#define CHOICE(section, key, options, choice) {section, key, options, 0, NULL, choice}
/* A unit's latency, first from the file for machine code, then from that for PTX. */
#define UNIT(unit, traced, ptx)                                                                                        \
	NUMBER("exec", unit "_latency", "trace_opcode_latency_initiation_" traced, 0),                                 \
	    NUMBER("exec", unit "_interval", "trace_opcode_latency_initiation_" traced, 1),                            \
	    NUMBER("exec", unit "_latency", "ptx_opcode_latency_" ptx, 0),                                             \
	    NUMBER("exec", unit "_interval", "ptx_opcode_initiation_" ptx, 0)

static const struct row rows[] = {
    VALUE("gpu", "sms", "gpgpu_n_clusters, gpgpu_n_cores_per_cluster", sms),
    NUMBER("gpu", "clock_mhz", "gpgpu_clock_domains", 0),
    NUMBER("gpu", "launch_cycles", "gpgpu_kernel_launch_latency", 0),
    NUMBER("sm", "threads", "gpgpu_shader_core_pipeline", 0),
    VALUE("sm", "warps", "gpgpu_shader_core_pipeline", warps),
    NUMBER("sm", "ctas", "gpgpu_shader_cta", 0),
    NUMBER("sm", "registers", "gpgpu_shader_registers", 0),
    NUMBER("sm", "shared_bytes", "gpgpu_shmem_size", 0),
    NUMBER("sm", "schedulers", "gpgpu_num_sched_per_core", 0),
    CHOICE("sm", "scheduler", "gpgpu_scheduler", scheduler),
    CHOICE("sm", "coalescing", "gpgpu_coalesce_arch", coalescing),
    NUMBER("sm", "shared_banks", "gpgpu_shmem_num_banks", 0),
    NUMBER("sm", "shared_latency", "gpgpu_smem_latency", 0),
    UNIT("int", "int", "int"),
    UNIT("fp32", "sp", "fp"),
    UNIT("fp64", "dp", "dp"),
    UNIT("sfu", "sfu", "sfu"),
    UNIT("tensor", "tensor", "tesnor"), /* the option is spelt so there */
    VALUE("l1", "size_bytes", "gpgpu_cache:dl1, gpgpu_unified_l1d_size", l1_bytes),
    VALUE("l1", "ways", "gpgpu_cache:dl1", l1_ways),
    CHOICE("l1", "sectored", "gpgpu_cache:dl1", l1_sectored),
    CHOICE("l1", "alloc", "gpgpu_cache:dl1", l1_alloc),
    NUMBER("l1", "mshrs", "gpgpu_cache:dl1", MSHRS),
    NUMBER("l1", "merges", "gpgpu_cache:dl1", MERGES),
    NUMBER("l1", "hit_latency", "gpgpu_l1_latency", 0),
    CHOICE("l1", "caches", "gpgpu_gmem_skip_L1D", l1_caches),
    CHOICE("l1", "write_hit", "gpgpu_cache:dl1", l1_write_hit),
    CHOICE("l1", "index", "gpgpu_cache:dl1", l1_index),
    CHOICE("noc", "topology", "network_mode", topology),
    VALUE("noc", "sm_routers", "gpgpu_n_clusters", sm_routers),
    NUMBER("noc", "mc_routers", "gpgpu_n_mem", 0),
    NUMBER("noc", "channel_bytes", "icnt_flit_size", 0),
    NUMBER("noc", "clock_mhz", "gpgpu_clock_domains", 1),
    NUMBER("llc", "clock_mhz", "gpgpu_clock_domains", 2),
    NUMBER("llc", "slices_per_mc", "gpgpu_n_sub_partition_per_mchannel", 0),
    VALUE("llc", "kilobytes", "gpgpu_cache:dl2, gpgpu_n_mem", llc_kilobytes),
    NUMBER("llc", "ways", "gpgpu_cache:dl2", WAYS),
    NUMBER("llc", "line_bytes", "gpgpu_cache:dl2", LINE),
    CHOICE("llc", "sectored", "gpgpu_cache:dl2", llc_sectored),
    NUMBER("llc", "mshr_entries", "gpgpu_cache:dl2", MSHRS),
    NUMBER("llc", "mshr_merges", "gpgpu_cache:dl2", MERGES),
    NUMBER("llc", "latency", "gpgpu_l2_rop_latency", 0),
    NUMBER("dram", "channels_per_mc", "gpgpu_n_sub_partition_per_mchannel", 0),
    NUMBER("dram", "clock_mhz", "gpgpu_clock_domains", 3),
    VALUE("dram", "burst_bytes", "gpgpu_dram_buswidth, gpgpu_dram_burst_length, gpgpu_n_mem_per_ctrlr", burst_bytes),
    VALUE("dram", "burst_clocks", "gpgpu_dram_burst_length, dram_data_command_freq_ratio", burst_clocks),
    CHOICE("dram", "scheduler", "gpgpu_dram_scheduler", dram_scheduler),
    NUMBER("dram", "read_queue", "gpgpu_frfcfs_dram_sched_queue_size", 0),
    NUMBER("dram", "return_queue", "gpgpu_dram_return_queue_size", 0),
    NUMBER("dram", "latency", "dram_latency", 0),
    TIMING("banks", "nbk"),
    TIMING("bank_groups", "nbkgrp"),
    TIMING("tRC", "RC"),
    TIMING("tRCD", "RCD"),
    TIMING("tRP", "RP"),
    TIMING("tCL", "CL"),
    TIMING("tWL", "WL"),
    TIMING("tRAS", "RAS"),
    TIMING("tRRDs", "RRD"),
    TIMING("tRRDl", "RRD"),
    TIMING("tCCDs", "CCD"),
    TIMING("tCCDl", "CCDL"),
    TIMING("tRTP", "RTPL"),
    TIMING("tWTR", "CDLR"),
    TIMING("tWR", "WR"),
    CHOICE("map", "scheme", "gpgpu_memory_partition_indexing", map_scheme),
};

/* --- Writing --- */

static double value_of(const struct gpgpusim *g, const struct row *row)
{
	const char *blank = strchr(row->options, ' ');

	if (row->value)
		return row->value(g);
	return blank ? timing(g, blank + 1) : number(g, row->options, row->which);
}

/* The key's line, of which `shown` is the value and `note` an addition to the comment. */
static void put(struct strbuf *yaml, const char **section, const struct row *row, const char *shown, const char *note)
{
	if (!*section || strcmp(*section, row->section) != 0)
		strbuf_addf(yaml, "\n%s:\n", row->section);
	*section = row->section;
	strbuf_addf(yaml, "  %s: %s # %s%s\n", row->key, shown, row->options, note);
}

static bool made_before(const struct row *row, const bool *made)
{
	for (const struct row *r = rows; r < row; r++)
		if (made[r - rows] && strcmp(r->section, row->section) == 0 && strcmp(r->key, row->key) == 0)
			return true;
	return false;
}

static bool write_row(struct gpgpusim *g, const struct row *row, const char **section, struct strbuf *yaml)
{
	const struct config_section *ours = sim_config_section(g->config, row->section);
	const struct knob *knob = ours ? knob_find(ours->knobs, row->key) : NULL;
	const char *choice = row->choice && knob ? row->choice(g) : NULL;
	char shown[32], note[64] = "";
	double value, kept;

	if (!knob || (row->choice && !choice))
		return false;
	if (choice) {
		put(yaml, section, row, choice, "");
		return true;
	}
	value = value_of(g, row);
	if (isnan(value))
		return false;
	kept = value < knob->min ? knob->min : value > knob->max ? knob->max : value;
	if (knob->type == KNOB_TYPE_UINT)
		kept = floor(kept);
	if (kept != value)
		c_snprintf(note, sizeof note, "; there %.12g", value);
	c_snprintf(shown, sizeof shown, "%.12g", kept);
	put(yaml, section, row, shown, note);
	return true;
}

void gpgpusim_write(struct gpgpusim *g, const char *name, struct strbuf *yaml)
{
	bool made[sizeof rows / sizeof *rows] = {false};
	const char *section = NULL;

	strbuf_addf(
	    yaml,
	    "# Made by 'romark import --gpu' from a configuration of GPGPU-Sim or Accel-Sim. Behind each value is "
	    "its option;\n# keys that are not here have their defaults ('romark gpus FILE.yaml').\n"
	    "name: %s\ndescription: imported from GPGPU-Sim\nllc_policy: shared\nl1_policy: lru\n",
	    name);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		made[i] = !made_before(&rows[i], made) && write_row(g, &rows[i], &section, yaml);
	strbuf_adds(yaml, "\n# Options without a counterpart here:\n");
	for (size_t i = 0; i < g->options.len; i++)
		if (!g->options.data[i].used)
			strbuf_addf(yaml, "# -%s %s\n", g->options.data[i].name, g->options.data[i].value);
}

static size_t count(const struct gpgpusim *g, bool used)
{
	size_t n = 0;

	for (size_t i = 0; i < g->options.len; i++)
		n += g->options.data[i].used == used;
	return n;
}

size_t gpgpusim_mapped(const struct gpgpusim *g)
{
	return count(g, true);
}

size_t gpgpusim_unmapped(const struct gpgpusim *g)
{
	return count(g, false);
}
