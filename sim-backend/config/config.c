/* Finds the sections and keys of a configuration, and puts values into them. Messages name the nearest key. */
#include "sim-backend/config/config.h"

#include "common/guess.h"
#include "common/xalloc.h"
#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/outside/outside.h"
#include "sim-backend/sm/coalesce.h"

#include <stdlib.h>
#include <string.h>

const struct knob gpu_knobs[] = {
    KNOB_UINT(struct gpu_config, sms, "SMs", 1, 1024, 64, "streaming multiprocessors", "SelRep Table I"),
    KNOB_UINT(struct gpu_config, clock_mhz, "MHz", 1, 10000, 1400,
	      "clock of the SMs; noc.clock_mhz and llc.clock_mhz may be slower", "SelRep Table I"),
    KNOB_UINT(struct gpu_config, launch_cycles, "cycles", 0, 1000000, 0, "idle time in front of each kernel",
	      "not confirmed against the paper"),
    KNOB_UINT(struct gpu_config, concurrent_kernels, "kernels", 1, 128, 1,
	      "launches of different streams that may run at the same time",
	      "32 to 128 from compute capability 3.5 on"),
    KNOB_END,
};

static void add_section(struct sim_config *c, const char *name, const char *help, enum section_kind kind,
			const struct knob *knobs, void *values)
{
	c->sections = xrealloc(c->sections, sizeof *c->sections * (c->nsections + 1));
	c->sections[c->nsections++] = (struct config_section){name, help, kind, knobs, values};
	knob_defaults(knobs, values);
}

static void add_policies(struct sim_config *c)
{
	for (size_t i = 0; l1_policy_table[i]; i++)
		if (l1_policy_table[i]->knobs)
			add_section(c, l1_policy_table[i]->name, l1_policy_table[i]->summary, SECTION_L1_POLICY,
				    l1_policy_table[i]->knobs, xcalloc(1, l1_policy_table[i]->knobs_size));
	for (size_t i = 0; llc_policy_table[i]; i++)
		if (llc_policy_table[i]->knobs)
			add_section(c, llc_policy_table[i]->name, llc_policy_table[i]->summary, SECTION_LLC_POLICY,
				    llc_policy_table[i]->knobs, xcalloc(1, llc_policy_table[i]->knobs_size));
	for (size_t i = 0; llc_replacement_table[i]; i++)
		if (llc_replacement_table[i]->knobs)
			add_section(c, llc_replacement_table[i]->section, llc_replacement_table[i]->summary,
				    SECTION_REPLACEMENT, llc_replacement_table[i]->knobs,
				    xcalloc(1, llc_replacement_table[i]->knobs_size));
}

struct sim_config *sim_config_create(void)
{
	struct sim_config *c = xcalloc(1, sizeof *c);

	add_section(c, "gpu", "the GPU as a whole", SECTION_MACHINE, gpu_knobs, &c->gpu);
	add_section(c, "sm", "one SM", SECTION_MACHINE, sm_knobs, &c->sm);
	add_section(c, "exec", "functional units, per scheduler", SECTION_MACHINE, exec_knobs, &c->exec);
	add_section(c, "cta", "placement of CTAs", SECTION_MACHINE, cta_knobs, &c->cta);
	add_section(c, "l1", "L1 data caches", SECTION_MACHINE, l1_knobs, &c->l1);
	add_section(c, "chips", "chips and the links between them", SECTION_MACHINE, chips_knobs, &c->memory.chips);
	add_section(c, "noc", "request and reply networks", SECTION_MACHINE, noc_knobs, &c->memory.noc);
	add_section(c, "llc", "LLC slices", SECTION_MACHINE, llc_knobs, &c->memory.llc);
	add_section(c, "dram", "memory channels", SECTION_MACHINE, dram_knobs, &c->memory.dram);
	add_section(c, "map", "address mapping", SECTION_MACHINE, map_knobs, &c->memory.map);
	add_section(c, "tlb", "address translation", SECTION_MACHINE, tlb_knobs, &c->memory.tlb);
	add_section(c, "energy", "energy per event, static power", SECTION_MACHINE, energy_knobs, &c->energy);
	add_policies(c);
	c->l1_policy = l1_policy_table[0];
	c->llc_policy = llc_policy_table[0];
	c->replacement = llc_replacement_table[0];
	return c;
}

void sim_config_free(struct sim_config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nsections; i++)
		if (c->sections[i].kind != SECTION_MACHINE)
			xfree(c->sections[i].values);
	xfree(c->sections);
	vec_release(&c->places);
	arena_release(&c->arena);
	xfree(c);
}

const struct config_section *sim_config_section(const struct sim_config *c, const char *name)
{
	for (size_t i = 0; i < c->nsections; i++)
		if (strcmp(c->sections[i].name, name) == 0)
			return &c->sections[i];
	return NULL;
}

bool sim_config_in_force(const struct sim_config *c, const struct config_section *section)
{
	switch (section->kind) {
	case SECTION_L1_POLICY: return strcmp(section->name, c->l1_policy->name) == 0;
	case SECTION_LLC_POLICY: return strcmp(section->name, c->llc_policy->name) == 0;
	case SECTION_REPLACEMENT: return strcmp(section->name, c->replacement->section) == 0;
	default: return true;
	}
}

/* The file's name without its folder, if a policy in force is from the file NAME.so; NULL: none is. */
static const char *file_named(const struct sim_config *c, const char *name, const char **policy)
{
	const struct {
		const void *ops;
		const char *name;
	} policies[] = {{c->llc_policy, c->llc_policy->name},
			{c->l1_policy, c->l1_policy->name},
			{c->replacement, c->replacement->section}};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		const char *path = outside_path(policies[i].ops);
		const char *file = path ? strrchr(path, '/') + 1 : NULL;

		if (!file || strncmp(file, name, len) != 0 || (file[len] && strcmp(file + len, ".so") != 0))
			continue;
		*policy = policies[i].name;
		return file;
	}
	return NULL;
}

static int unknown_section(const struct sim_config *c, const struct config_place *at, struct diag *d)
{
	struct guess g = guess_start(at->section, strlen(at->section));
	const char *name, *file = file_named(c, at->section, &name);

	if (file)
		return diag_set(d, at->file, at->line, at->column,
				"no section '%s' in a GPU configuration; the policy of %s is named '%s': %s.%s",
				at->section, file, name, name, at->key);
	for (size_t i = 0; i < c->nsections; i++)
		guess_try(&g, c->sections[i].name);
	return diag_set(d, at->file, at->line, at->column, "no section '%s' in a GPU configuration%s", at->section,
			guess_hint(&g).text);
}

static int unknown_key(const struct config_section *section, const struct config_place *at, struct diag *d)
{
	struct guess g = guess_start(at->key, strlen(at->key));

	for (const struct knob *knob = section->knobs; knob->name; knob++)
		guess_try(&g, knob->name);
	return diag_set(d, at->file, at->line, at->column, "no key '%s' in section '%s'%s", at->key, section->name,
			guess_hint(&g).text);
}

/* --- Policies from outside the tree --- */

/* A file has a policy of another kind than the one that is asked for. */
static int other_kind(const char *path, const char *wanted, const struct outside_found *found, struct diag *d)
{
	return diag_file(d, NULL, "%s: there is no %s in this file; it has %s", path, wanted,
			 found->llc  ? "an LLC policy, for --llc and llc_policy"
			 : found->l1 ? "an L1 policy, for --l1 and l1_policy"
				     : "a replacement policy, for llc.replacement");
}

/* Results and keys name policies of all kinds, so none from outside may have the name of one of the tree. */
static bool is_of_tree(const char *name)
{
	if (llc_policy_find(name) || l1_policy_find(name) || llc_replacement_find(name))
		return true;
	for (size_t i = 0; llc_replacement_table[i]; i++)
		if (strcmp(llc_replacement_table[i]->section, name) == 0)
			return true;
	return false;
}

/* Its knobs become a section. One of the same name from another file gives way to it. */
static int add_outside(struct sim_config *c, enum section_kind kind, const char *name, const char *summary,
		       const void *ops, const struct knob *knobs, size_t knobs_size, struct diag *d)
{
	struct config_section *s = NULL;

	for (size_t i = 0; i < c->nsections; i++)
		if (strcmp(c->sections[i].name, name) == 0)
			s = &c->sections[i];
	if (s && s->knobs == knobs)
		return 0;
	if (is_of_tree(name) || (s && s->kind != kind))
		return diag_file(d, NULL, "%s: the policy's name '%s' is taken; give it another", outside_path(ops),
				 name);
	if (!s) {
		add_section(c, name, summary, kind, knobs, xcalloc(1, knobs_size));
		s = &c->sections[c->nsections - 1];
	} else {
		xfree(s->values);
		*s = (struct config_section){name, summary, kind, knobs, xcalloc(1, knobs_size)};
		knob_defaults(knobs, s->values);
	}
	outside_begin_values(ops, s->values);
	return 0;
}

static int load_replacement(struct sim_config *c, const char *path, struct diag *d)
{
	struct diag why = DIAG_INIT;
	const struct llc_replacement_ops *r;
	struct outside_found found;

	if (outside_load(path, &found, &why) < 0)
		return diag_file(d, NULL, "%s: %s", why.file, why.message);
	r = found.replacement;
	if (!r)
		return other_kind(path, "replacement policy", &found, d);
	if (add_outside(c, SECTION_REPLACEMENT, r->section, r->summary, r, r->knobs, r->knobs_size, d) < 0)
		return DIAG_ERROR;
	c->replacement = r;
	return 0;
}

const char *sim_config_beside(struct sim_config *c, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	size_t folder = slash ? (size_t)(slash - file + 1) : 0;
	char *path;

	if (!knob_is_file(name) || name[0] == '/' || !folder)
		return arena_strdup(&c->arena, name);
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	path = arena_alloc(&c->arena, folder + strlen(name) + 1);
	memcpy(path, file, folder);
	memcpy(path + folder, name, strlen(name) + 1);
	return path;
}

/* The value is set; the policy that it names follows. */
static int pick_replacement(struct sim_config *c, const struct config_place *at, const char *value, struct diag *d)
{
	struct diag why = DIAG_INIT;
	const char *path;

	if (!knob_is_file(value)) {
		c->replacement = llc_replacement_find(value);
		return 0;
	}
	path = strcmp(at->file, "--set") == 0 ? value : sim_config_beside(c, at->file, value);
	if (strlen(path) >= KNOB_NAME_BYTES)
		diag_file(&why, NULL, "the path %s has more than %d bytes", path, KNOB_NAME_BYTES - 1);
	else if (load_replacement(c, path, &why) == 0) {
		strcpy(c->memory.llc.replacement.text, path);
		return 0;
	}
	return diag_set(d, at->file, at->line, at->column, "%s.%s: %s", at->section, at->key, why.message);
}

int sim_config_set_key(struct sim_config *c, const struct config_place *at, const char *value, struct diag *d)
{
	const struct config_section *s = sim_config_section(c, at->section);
	const struct knob *knob;
	char why[256];

	if (!s)
		return unknown_section(c, at, d);
	if (strcmp(at->key, "preset") == 0)
		return sim_config_preset(c, at, value, d);
	knob = knob_find(s->knobs, at->key);
	if (!knob)
		return unknown_key(s, at, d);
	if (knob_set(knob, s->values, value, why, sizeof why) < 0)
		return diag_set(d, at->file, at->line, at->column, "%s.%s %s", at->section, at->key, why);
	vec_push(&c->places,
		 (struct config_place){s->name, knob->name, arena_strdup(&c->arena, at->file), at->line, at->column});
	if (s->values == &c->memory.llc && strcmp(knob->name, "replacement") == 0)
		return pick_replacement(c, at, value, d);
	return 0;
}

/* The section of a key that was written without one; NULL if none or several have it. */
static const char *section_with(const struct sim_config *c, const char *key)
{
	const char *found = NULL;

	for (size_t i = 0; i < c->nsections; i++)
		if (knob_find(c->sections[i].knobs, key)) {
			if (found)
				return NULL;
			found = c->sections[i].name;
		}
	return found;
}

static int wrong_form(const struct sim_config *c, const char *assignment, const char *key, struct diag *d)
{
	const char *section = section_with(c, key);

	if (section)
		return diag_file(d, "--set", "'%s' is not of the form section.key=value; did you mean '%s.%s=...'?",
				 assignment, section, key);
	return diag_file(d, "--set", "'%s' is not of the form section.key=value; 'romark gpus NAME' lists the keys",
			 assignment);
}

int sim_config_set(struct sim_config *c, const char *assignment, struct diag *d)
{
	size_t dot = strcspn(assignment, "."), equals = strcspn(assignment, "=");
	char *section = xstrndup(assignment, equals < dot ? equals : dot), *key = NULL;
	int status;

	if (!assignment[equals] || equals < dot) {
		status = wrong_form(c, assignment, section, d);
	} else {
		key = xstrndup(assignment + dot + 1, equals - dot - 1);
		status = sim_config_set_key(c, &(struct config_place){section, key, "--set", 0, 0},
					    assignment + equals + 1, d);
	}
	xfree(section);
	xfree(key);
	return status;
}

static int load_llc(struct sim_config *c, const char *path, struct diag *d)
{
	const struct llc_policy_ops *p;
	struct outside_found found;

	if (outside_load(path, &found, d) < 0)
		return DIAG_ERROR;
	p = found.llc;
	if (!p)
		return other_kind(path, "LLC policy", &found, d);
	if (add_outside(c, SECTION_LLC_POLICY, p->name, p->summary, p, p->knobs, p->knobs_size, d) < 0)
		return DIAG_ERROR;
	c->llc_policy = p;
	return 0;
}

static int load_l1(struct sim_config *c, const char *path, struct diag *d)
{
	const struct l1_policy_ops *p;
	struct outside_found found;

	if (outside_load(path, &found, d) < 0)
		return DIAG_ERROR;
	p = found.l1;
	if (!p)
		return other_kind(path, "L1 policy", &found, d);
	if (add_outside(c, SECTION_L1_POLICY, p->name, p->summary, p, p->knobs, p->knobs_size, d) < 0)
		return DIAG_ERROR;
	c->l1_policy = p;
	return 0;
}

static int pick_l1(struct sim_config *c, const char *name, struct diag *d)
{
	const struct l1_policy_ops *found = l1_policy_find(name);
	struct guess g = guess_start(name, strlen(name));

	if (knob_is_file(name))
		return load_l1(c, name, d);
	if (found) {
		c->l1_policy = found;
		return 0;
	}
	for (size_t i = 0; l1_policy_table[i]; i++)
		guess_try(&g, l1_policy_table[i]->name);
	return diag_file(d, NULL, "no L1 policy '%s'%s; 'romark policies' lists them; a file is given as ./%s.so", name,
			 guess_hint(&g).text, name);
}

static int pick_llc(struct sim_config *c, const char *name, struct diag *d)
{
	const struct llc_policy_ops *found = llc_policy_find(name);
	struct guess g = guess_start(name, strlen(name));

	if (knob_is_file(name))
		return load_llc(c, name, d);
	if (found) {
		c->llc_policy = found;
		return 0;
	}
	for (size_t i = 0; llc_policy_table[i]; i++)
		guess_try(&g, llc_policy_table[i]->name);
	return diag_file(d, NULL, "no LLC policy '%s'%s; 'romark policies' lists them; a file is given as ./%s.so",
			 name, guess_hint(&g).text, name);
}

int sim_config_policies(struct sim_config *c, const char *llc, const char *l1, struct diag *d)
{
	if (llc && pick_llc(c, llc, d) < 0)
		return DIAG_ERROR;
	return l1 ? pick_l1(c, l1, d) : 0;
}

/* --- Values that must fit together --- */

static const void *l1_policy_knobs(const struct sim_config *c)
{
	const struct config_section *section = sim_config_section(c, c->l1_policy->name);

	return section ? section->values : NULL;
}

static int check_l1_policy(const struct sim_config *c, struct diag *d)
{
	if (!c->l1_policy->check)
		return 0;
	return c->l1_policy->check(c->l1_policy, &c->l1, l1_policy_knobs(c), d);
}

/* Tells the L1s' policy about the LLC, and the LLC about the L1s' policy. */
static void settle_l1_policy(struct sim_config *c)
{
	const struct l1_policy_ops *policy = c->l1_policy;

	c->l1.sms = c->gpu.sms;
	c->l1.llc_lines = c->memory.llc.kilobytes * 1024 / LINE_BYTES * c->memory.chips.count;
	c->memory.llc.victim_sms = policy->victim_sms ? policy->victim_sms(l1_policy_knobs(c)) : 0;
}

static void settle_replacement(struct sim_config *c)
{
	const struct config_section *section = sim_config_section(c, c->replacement->section);

	c->memory.llc.replacement_ops = c->replacement;
	c->memory.llc.replacement_knobs = section ? section->values : NULL;
}

/* Policies that part the ways of a set between chips' lines. */
static int check_llc_policy(const struct sim_config *c, struct diag *d)
{
	if (!c->llc_policy->chips || !c->llc_policy->chips->remote_ways || c->memory.chips.count == 1 ||
	    c->memory.llc.ways > 1)
		return 0;
	return diag_file(
	    d, NULL,
	    "llc.ways is %u; '%s' parts the ways of a set between lines of the own chip's memory and of other "
	    "chips', so with %u chips there must be 2 at least",
	    c->memory.llc.ways, c->llc_policy->name, c->memory.chips.count);
}

static int check_carveout(const struct sim_config *c, struct diag *d)
{
	uint32_t step;

	if (!c->l1.carveout)
		return 0;
	l1_bytes_beside(&c->l1, c->sm.shared_bytes, &step);
	if (step != c->sm.shared_bytes)
		return diag_file(d, NULL,
				 "sm.shared_bytes is %u; with this l1.carveout shared memory has at most one of its "
				 "steps, such as 96K for volta, 164K for ampere and 228K for hopper",
				 c->sm.shared_bytes);
	if (c->l1_policy->organisation || c->l1_policy->stats || c->gpu.concurrent_kernels > 1)
		return diag_file(d, NULL,
				 "l1.carveout changes the L1's size from kernel to kernel; it does not go with L1 "
				 "policy '%s' or with gpu.concurrent_kernels above 1",
				 c->l1_policy->name);
	return 0;
}

static int check_together(const struct sim_config *c, struct diag *d)
{
	if (l1_config_check(&c->l1, d) < 0 || check_l1_policy(c, d) < 0 || check_llc_policy(c, d) < 0 ||
	    check_carveout(c, d) < 0)
		return DIAG_ERROR;
	if (c->gpu.concurrent_kernels > 1 && (c->cta.policy == CTA_BCS || c->cta.policy == CTA_DISTRIBUTED))
		return diag_file(d, NULL,
				 "gpu.concurrent_kernels is %u; CTAs of several kernels are placed one by one, so "
				 "cta.policy must be 2lrr or rr",
				 c->gpu.concurrent_kernels);
	if (c->sm.threads < c->sm.warps)
		return diag_file(d, NULL, "sm.threads is %u; it must be one per warp at least (sm.warps is %u)",
				 c->sm.threads, c->sm.warps);
	if (c->memory.llc.line_bytes != LINE_BYTES)
		return diag_file(d, NULL,
				 "llc.line_bytes is %u; SMs and L1s request lines of %d bytes, so it must be %d",
				 c->memory.llc.line_bytes, LINE_BYTES, LINE_BYTES);
	return memsys_config_check(&c->memory, d);
}

/* Does the message begin with "section.key "? */
static bool is_about(const char *message, const struct config_place *place)
{
	size_t section = strlen(place->section), key = strlen(place->key);

	return strncmp(message, place->section, section) == 0 && message[section] == '.' &&
	       strncmp(message + section + 1, place->key, key) == 0 && message[section + 1 + key] == ' ';
}

int sim_config_check(struct sim_config *c, struct diag *d)
{
	struct diag why = DIAG_INIT;

	c->memory.sms = c->gpu.sms;
	c->memory.core_mhz = c->gpu.clock_mhz;
	settle_l1_policy(c);
	settle_replacement(c);
	if (check_together(c, &why) == 0)
		return 0;
	for (size_t i = c->places.len; i-- > 0;) {
		const struct config_place *place = &c->places.data[i];

		if (is_about(why.message, place))
			return diag_set(d, place->file, place->line, place->column, "%s", why.message);
	}
	return diag_file(d, c->name, "%s", why.message);
}
