/*
 * The inputs of a study, as names and hashes: the study file, the sources of its programs with their headers, given
 * programs and traces, GPU files, and the presets and the policies' files that these and the study use.
 *
 *   struct study_inputs inputs;
 *   inputs_collect(&inputs, study);
 *   for each of inputs.list: kind, name, hash ...
 *   inputs_release(&inputs);
 *
 * Comments and layout of YAML do not count. Names begin in the study's folder, so they do not depend on where it is.
 */
#ifndef ROMARK_STUDY_REPORT_INPUTS_H
#define ROMARK_STUDY_REPORT_INPUTS_H

#include "study/hash.h"
#include "study/study.h"

#include "common/arena.h"
#include "common/vec.h"

/* The text in place of the hash, if a file cannot be read. */
#define INPUT_ABSENT "not there"

struct study_input {
	const char *kind; /* "study", "source", "program", "trace", "GPU", "preset", "policy" */
	const char *name;
	const char *hash; /* or INPUT_ABSENT */
};

struct study_inputs {
	struct arena arena;
	VEC(struct study_input) list;
};

void inputs_collect(struct study_inputs *inputs, struct study *s);
void inputs_release(struct study_inputs *inputs);

#endif
