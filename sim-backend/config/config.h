/*
 * A GPU configuration: one struct per section, filled from the knobs' defaults, a GPU's YAML file and `key=value`
 * settings, in this order. The rows of the knobs are the only declaration of a key.
 *
 *   struct sim_config *c = sim_config_create();
 *   if (sim_config_load(c, "selrep64", &diag) < 0 || sim_config_policies(c, "selrep", NULL, &diag) < 0 ||
 *       sim_config_set(c, "llc.ways=8", &diag) < 0 || sim_config_check(c, &diag) < 0) ...
 *   sim_config_free(c);
 *
 * A GPU file is one YAML document: `name`, `description`, `llc_policy`, `l1_policy`, and one mapping per section, each
 * once. A policy's knobs are the section that has the policy's name, with llc_ in front of a replacement policy's.
 * `preset: NAME` in a section takes the values of a shipped file, presets/SECTION/NAME.yaml. Keys after it change these
 * values.
 */
#ifndef ROMARK_SIM_CONFIG_H
#define ROMARK_SIM_CONFIG_H

#include "common/arena.h"
#include "common/diag.h"
#include "common/vec.h"
#include "sim-backend/energy/energy.h"
#include "sim-backend/l1/l1.h"
#include "sim-backend/memory/memsys_config.h"
#include "sim-backend/sm/sm_config.h"

struct llc_policy_ops;

struct gpu_config {
	uint32_t sms, clock_mhz;
	uint32_t launch_cycles;
	uint32_t concurrent_kernels;
};

enum section_kind { SECTION_MACHINE, SECTION_L1_POLICY, SECTION_LLC_POLICY, SECTION_REPLACEMENT };

struct config_section {
	const char *name, *help;
	enum section_kind kind;
	const struct knob *knobs;
	void *values;
};

/* Where a key got its value. */
struct config_place {
	const char *section, *key, *file;
	unsigned line, column;
};

struct sim_config {
	char name[64], description[256];
	struct gpu_config gpu;
	struct sm_config sm;
	struct exec_config exec;
	struct cta_config cta;
	struct l1_config l1;
	struct energy_config energy;
	struct memsys_config memory; /* sms and core_mhz are set by sim_config_check */
	const struct l1_policy_ops *l1_policy;
	const struct llc_policy_ops *llc_policy;
	const struct llc_replacement_ops *replacement; /* that llc.replacement names */
	struct config_section *sections;
	size_t nsections;
	VEC(struct config_place) places; /* of the keys that do not have their defaults; a later one counts */
	struct arena arena;              /* file names of the places */
};

extern const struct knob gpu_knobs[];

/* Defaults: policies `shared` and `lru`, replacement `lru`. */
struct sim_config *sim_config_create(void);
void sim_config_free(struct sim_config *c);
/* Whether a GPU's name is a file's: it has a '/', or ends in .yaml. */
bool sim_gpu_is_file(const char *gpu);
/* A name that sim_gpu_list gives, or a file's. */
int sim_config_load(struct sim_config *c, const char *gpu, struct diag *d);
/* The same from text; `file` is for messages. */
int sim_config_parse(struct sim_config *c, const char *text, size_t size, const char *file, struct diag *d);
/* A policy's name, or the path of a file that has one (sim-backend/outside). NULL keeps a policy. */
int sim_config_policies(struct sim_config *c, const char *llc, const char *l1, struct diag *d);
/*
 * A policy's name as `file` has it: of a file of policies the path, which begins in the folder of `file`. As long as
 * `c` lives.
 */
const char *sim_config_beside(struct sim_config *c, const char *file, const char *name);
/* "section.key=value". */
int sim_config_set(struct sim_config *c, const char *assignment, struct diag *d);
/* One key; `file`, `line` and `column` of `place` say where, for messages. */
int sim_config_set_key(struct sim_config *c, const struct config_place *place, const char *value, struct diag *d);
/*
 * Checks what the rows of knobs cannot say by themselves. A message begins with a key, and has the file and line where
 * that key got its value. Must be called once, before the configuration is used.
 */
int sim_config_check(struct sim_config *c, struct diag *d);
/* Values of the section with this name, or NULL. */
const struct config_section *sim_config_section(const struct sim_config *c, const char *name);
/* Whether the section is in force: it does not belong to a policy that was not chosen. */
bool sim_config_in_force(const struct sim_config *c, const struct config_section *section);

/* Known GPU files, sorted by name: malloc'ed paths in a malloc'ed array ended by NULL. */
char **sim_gpu_list(void);
void sim_gpu_list_free(char **list);
/* The same for the presets of a section; free it likewise. */
char **sim_preset_list(const char *section);
/* Takes the values of the preset `name` of the section at->section; `at` is for messages. */
int sim_config_preset(struct sim_config *c, const struct config_place *at, const char *name, struct diag *d);

#endif
