/* The hash of a file is over its content: of YAML over the tree, without comments; of other files over the bytes. */
#include "study/report/inputs.h"

#include "study/file/yaml_tree.h"
#include "study/sources.h"

#include "common/file.h"
#include "common/strbuf.h"
#include "sim-backend/config/config.h"

#include <stdio.h>
#include <string.h>

static void add(struct study_inputs *inputs, const char *kind, const char *name, const char *hash)
{
	for (size_t i = 0; i < inputs->list.len; i++)
		if (strcmp(inputs->list.data[i].kind, kind) == 0 && strcmp(inputs->list.data[i].name, name) == 0)
			return;
	vec_push(&inputs->list, (struct study_input){kind, arena_strdup(&inputs->arena, name),
						     arena_strdup(&inputs->arena, hash ? hash : INPUT_ABSENT)});
}

static void add_bytes(struct study_inputs *inputs, const char *kind, const char *name, const char *path)
{
	struct diag unread = DIAG_INIT;
	struct hash hash;

	add(inputs, kind, name, hash_of_file(path, &hash, &unread) == 0 ? hash.text : NULL);
}

/* --- YAML --- */

/* Lengths come before texts, so two trees with the same print are the same. */
static void print_tree(struct strbuf *out, const struct yaml_tree *tree)
{
	if (tree->kind == YAML_TEXT) {
		strbuf_addf(out, "%zu:%s", strlen(tree->text), tree->text);
		return;
	}
	strbuf_adds(out, tree->kind == YAML_MAP ? "{" : "[");
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->kind == YAML_MAP)
			strbuf_addf(out, "%zu:%s", strlen(tree->children[i].key), tree->children[i].key);
		print_tree(out, tree->children[i].value);
	}
	strbuf_adds(out, tree->kind == YAML_MAP ? "}" : "]");
}

static struct hash hash_of_tree(const struct yaml_tree *tree)
{
	struct strbuf text = STRBUF_INIT;
	struct hash hash;

	print_tree(&text, tree);
	hash = hash_of(text.data, text.len);
	strbuf_release(&text);
	return hash;
}

/* The tree of a file, which lives as long as the inputs; NULL where the file is not there or is not YAML. */
static const struct yaml_tree *read_tree(struct study_inputs *inputs, const char *path)
{
	struct diag unread = DIAG_INIT;
	const struct yaml_tree *tree;
	struct file_data text;

	if (file_read_regular(path, 1 << 24, &text, &unread) < 0)
		return NULL;
	tree = yaml_tree_parse(text.data, text.size, path, &inputs->arena, &unread);
	file_data_release(&text);
	return tree;
}

static void add_tree(struct study_inputs *inputs, const char *kind, const char *name, const struct yaml_tree *tree)
{
	add(inputs, kind, name, tree ? hash_of_tree(tree).text : NULL);
}

/* --- GPUs and presets --- */

/* The shipped file of this name, or NULL. The list is one of sim_gpu_list or sim_preset_list, and is freed. */
static const char *shipped(struct study_inputs *inputs, char **list, const char *name)
{
	const char *ending = arena_printf(&inputs->arena, "/%s.yaml", name), *found = NULL;

	for (size_t i = 0; list[i] && !found; i++) {
		size_t len = strlen(list[i]), tail = strlen(ending);

		if (len >= tail && strcmp(list[i] + len - tail, ending) == 0)
			found = arena_strdup(&inputs->arena, list[i]);
	}
	sim_gpu_list_free(list);
	return found;
}

static void add_preset(struct study_inputs *inputs, const char *section, const char *name)
{
	const char *path = shipped(inputs, sim_preset_list(section), name);

	add_tree(inputs, "preset", arena_printf(&inputs->arena, "%s.%s", section, name),
		 path ? read_tree(inputs, path) : NULL);
}

/* `preset: NAME` in a section of a GPU file. */
static void add_presets_of(struct study_inputs *inputs, const struct yaml_tree *tree)
{
	for (size_t i = 0; tree && tree->kind == YAML_MAP && i < tree->count; i++) {
		const struct yaml_child *section = &tree->children[i];

		for (size_t k = 0; section->value->kind == YAML_MAP && k < section->value->count; k++) {
			const struct yaml_child *key = &section->value->children[k];

			if (strcmp(key->key, "preset") == 0 && key->value->kind == YAML_TEXT)
				add_preset(inputs, section->key, key->value->text);
		}
	}
}

/* Of a policy from outside; a name of the tree is of no file. */
static void add_policy(struct study_inputs *inputs, struct study *s, const char *name)
{
	if (name && knob_is_file(name))
		add_bytes(inputs, "policy", name, study_path(s, name));
}

static void add_policy_key(struct study_inputs *inputs, struct study *s, const char *gpu, const struct yaml_child *key)
{
	const char *slash = strrchr(gpu, '/'), *name = key->value->text;
	int folder = slash ? (int)(slash - gpu + 1) : 0;

	if (key->value->kind != YAML_TEXT || !knob_is_file(name))
		return;
	while (folder && strncmp(name, "./", 2) == 0)
		name += 2;
	add_policy(inputs, s, name[0] == '/' ? name : arena_printf(&inputs->arena, "%.*s%s", folder, gpu, name));
}

/* The files that a GPU file names; these begin in its folder. */
static void add_policies_of(struct study_inputs *inputs, struct study *s, const char *gpu, const struct yaml_tree *tree)
{
	for (size_t i = 0; tree && tree->kind == YAML_MAP && i < tree->count; i++) {
		const struct yaml_child *key = &tree->children[i];

		if (strcmp(key->key, "llc_policy") == 0 || strcmp(key->key, "l1_policy") == 0)
			add_policy_key(inputs, s, gpu, key);
		if (strcmp(key->key, "llc") != 0 || key->value->kind != YAML_MAP)
			continue;
		for (size_t k = 0; k < key->value->count; k++)
			if (strcmp(key->value->children[k].key, "replacement") == 0)
				add_policy_key(inputs, s, gpu, &key->value->children[k]);
	}
}

static void add_gpu(struct study_inputs *inputs, struct study *s, const char *gpu)
{
	const char *path = sim_gpu_is_file(gpu) ? study_path(s, gpu) : shipped(inputs, sim_gpu_list(), gpu);
	const struct yaml_tree *tree = path ? read_tree(inputs, path) : NULL;

	add_tree(inputs, "GPU", gpu, tree);
	add_presets_of(inputs, tree);
	add_policies_of(inputs, s, gpu, tree);
}

static void add_sets(struct study_inputs *inputs, struct study *s, const study_sets *sets)
{
	for (size_t i = 0; i < sets->len; i++) {
		const struct study_set *set = &sets->data[i];

		if (strcmp(set->key, "preset") == 0)
			add_preset(inputs, set->section, set->value);
		if (strcmp(set->section, "llc") == 0 && strcmp(set->key, "replacement") == 0)
			add_policy(inputs, s, set->value);
	}
}

static void add_choices(struct study_inputs *inputs, struct study *s, const study_choices *choices)
{
	for (size_t i = 0; i < choices->len; i++) {
		if (choices->data[i].gpu.text)
			add_gpu(inputs, s, choices->data[i].gpu.text);
		add_policy(inputs, s, choices->data[i].llc.text);
		add_policy(inputs, s, choices->data[i].l1.text);
		add_sets(inputs, s, &choices->data[i].sets);
	}
}

/* --- Programs --- */

/* "../samples/matmul/../common/size.h" is "../samples/common/size.h". */
static void drop_detours(char *path)
{
	for (char *at = path, *up; (up = strstr(at, "/../"));) {
		char *name = up;

		while (name > path && name[-1] != '/')
			name--;
		if (name == up || strncmp(name, "../", 3) == 0) {
			at = up + 1;
			continue;
		}
		memmove(name, up + 4, strlen(up + 4) + 1);
		at = path;
	}
}

/* A path as the study file would have it. */
static const char *from_folder(const struct study *s, char *path)
{
	size_t len = strlen(s->folder);

	if (strncmp(path, s->folder, len) == 0 && path[len] == '/')
		path += len + 1;
	drop_detours(path);
	return path;
}

/* Lines of a path, a space and a hash. */
static void add_described(struct study_inputs *inputs, const struct study *s, char *lines)
{
	for (char *line = lines, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		char *space;

		*end = '\0';
		space = strrchr(line, ' ');
		*space = '\0';
		add(inputs, "source", from_folder(s, line), space + 1);
	}
}

static void add_sources(struct study_inputs *inputs, struct study *s, const struct study_program *program)
{
	const char **folders = xcalloc(program->flags.len + 1, sizeof *folders);
	size_t n = 0;

	for (size_t i = 0; i < program->flags.len; i++)
		if (strncmp(program->flags.data[i].text, "-I", 2) == 0)
			folders[n++] = study_path(s, program->flags.data[i].text + 2);
	for (size_t i = 0; i < program->sources.len; i++) {
		const char *source = program->sources.data[i].text;
		struct diag unread = DIAG_INIT;
		struct strbuf lines = STRBUF_INIT;

		if (sources_describe(study_path(s, source), folders, &lines, &unread) == 0)
			add_described(inputs, s, lines.data);
		else
			add(inputs, "source", source, NULL);
		strbuf_release(&lines);
	}
	xfree(folders);
}

static void add_program(struct study_inputs *inputs, struct study *s, const struct study_program *program)
{
	if (program->program.text)
		add_bytes(inputs, "program", program->program.text, study_path(s, program->program.text));
	for (size_t i = 0; i < program->sizes.len; i++) {
		const char *trace = program->sizes.data[i].trace.text;

		if (trace && !study_is_outside(trace)) /* what is outside is known by its hash in the database alone */
			add_bytes(inputs, "trace", trace, study_path(s, trace));
	}
	add_sources(inputs, s, program);
}

/* --- All of them --- */

static void add_study(struct study_inputs *inputs, const struct study *s)
{
	const char *slash = strrchr(s->path, '/');
	struct diag unread = DIAG_INIT;

	add_tree(inputs, "study", slash ? slash + 1 : s->path,
		 yaml_tree_parse(s->text, strlen(s->text), s->path, &inputs->arena, &unread));
}

void inputs_collect(struct study_inputs *inputs, struct study *s)
{
	*inputs = (struct study_inputs){.arena = ARENA_INIT};
	add_study(inputs, s);
	for (size_t i = 0; i < s->measured.files.len; i++)
		add_bytes(inputs, "measured", s->measured.files.data[i].text,
			  study_path(s, s->measured.files.data[i].text));
	for (size_t i = 0; i < s->programs.len; i++)
		add_program(inputs, s, &s->programs.data[i]);
	add_choices(inputs, s, &s->gpus);
	add_choices(inputs, s, &s->variants);
	add_choices(inputs, s, &s->policies);
	for (size_t i = 0; i < s->programs.len; i++)
		for (size_t k = 0; k < s->programs.data[i].sizes.len; k++)
			add_sets(inputs, s, &s->programs.data[i].sizes.data[k].sets);
}

void inputs_release(struct study_inputs *inputs)
{
	vec_release(&inputs->list);
	arena_release(&inputs->arena);
}
