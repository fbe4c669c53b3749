/* Finds the shipped configurations (GPUs, and presets of sections) by name. */
#include "sim-backend/config/config.h"

#include "common/file.h"
#include "common/guess.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beside the shared library that this code is part of, which lies in PREFIX/lib or PREFIX/lib/TRIPLET. */
static bool beside_library(const char *name, char *path, size_t size)
{
	static const char *const ways[] = {"..", "../.."};
	static const char here;
	Dl_info found;
	const char *slash;

	if (!dladdr(&here, &found) || !found.dli_fname || !strstr(found.dli_fname, ".so"))
		return false;
	slash = strrchr(found.dli_fname, '/');
	for (size_t i = 0; slash && i < sizeof ways / sizeof *ways; i++) {
		snprintf(path, size, "%.*s/%s/share/romark/%s", (int)(slash - found.dli_fname), found.dli_fname,
			 ways[i], name);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

/*
 * Folder `name` of the shipped files: beside the library or the running program (PREFIX/bin -> PREFIX/share), else in
 * the sources.
 */
static bool folder_of(const char *name, char *path, size_t size)
{
	static const char tail[] = "/../share/romark/";
	char program[PATH_MAX - sizeof tail];

	if (beside_library(name, path, size))
		return true;
	if (file_program_folder(program, sizeof program)) {
		snprintf(path, size, "%s%s%s", program, tail, name);
		if (access(path, R_OK) == 0)
			return true;
	}
	snprintf(path, size, "%s/%s", ROMARK_SIM_SOURCE_DIR, name);
	return access(path, R_OK) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum { ENDING = sizeof ".yaml" - 1 };

static bool ends_in_yaml(const char *name)
{
	size_t len = strlen(name);

	return len > ENDING && strcmp(name + len - ENDING, ".yaml") == 0;
}

/* The YAML files of a shipped folder, sorted: malloc'ed paths in a malloc'ed array ended by NULL. */
static char **list_of(const char *name)
{
	char folder[PATH_MAX], path[2 * PATH_MAX];
	VEC(char *) list = VEC_INIT;
	DIR *dir = folder_of(name, folder, sizeof folder) ? opendir(folder) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (ends_in_yaml(entry->d_name)) {
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			vec_push(&list, xstrdup(path));
		}
	if (dir)
		closedir(dir);
	if (list.len)
		qsort(list.data, list.len, sizeof *list.data, by_name);
	vec_push(&list, NULL);
	return list.data;
}

/* The file NAME.yaml of the list; NULL when there is none. */
static const char *find_in(char **list, const char *name)
{
	for (size_t i = 0; list[i]; i++) {
		const char *file = strrchr(list[i], '/') + 1;

		if (strlen(file) == strlen(name) + ENDING && strncmp(file, name, strlen(name)) == 0)
			return list[i];
	}
	return NULL;
}

/* Names of the list that are near to a name that is not in it. Cuts the endings off the names of the list. */
static struct guess_hint hint_of(char **list, const char *name)
{
	struct guess g = guess_start(name, strlen(name));

	for (size_t i = 0; list[i]; i++) {
		list[i][strlen(list[i]) - ENDING] = '\0';
		guess_try(&g, strrchr(list[i], '/') + 1);
	}
	return guess_hint(&g);
}

char **sim_gpu_list(void)
{
	return list_of("gpus");
}

void sim_gpu_list_free(char **list)
{
	for (size_t i = 0; list[i]; i++)
		xfree(list[i]);
	xfree(list);
}

static int parse_file(struct sim_config *c, const char *path, struct diag *d)
{
	struct file_data text;
	int status;

	if (file_read(path, &text, d) < 0)
		return DIAG_ERROR;
	status = sim_config_parse(c, text.data, text.size, path, d);
	file_data_release(&text);
	return status;
}

static int load_file(struct sim_config *c, const char *path, struct diag *d)
{
	int status = parse_file(c, path, d);

	if (status == 0 && !c->name[0])
		return diag_file(d, path, "a GPU file needs a `name`");
	return status;
}

bool sim_gpu_is_file(const char *gpu)
{
	return strchr(gpu, '/') || ends_in_yaml(gpu);
}

int sim_config_load(struct sim_config *c, const char *gpu, struct diag *d)
{
	const char *file;
	char **list;
	int status;

	if (sim_gpu_is_file(gpu))
		return load_file(c, gpu, d);
	list = sim_gpu_list();
	file = find_in(list, gpu);
	if (file)
		status = load_file(c, file, d);
	else
		status =
		    diag_file(d, NULL, "no GPU '%s'%s; 'romark gpus' lists those known, or give a path to a YAML file",
			      gpu, hint_of(list, gpu).text);
	sim_gpu_list_free(list);
	return status;
}

char **sim_preset_list(const char *section)
{
	char folder[256];

	snprintf(folder, sizeof folder, "presets/%s", section);
	return list_of(folder);
}

int sim_config_preset(struct sim_config *c, const struct config_place *at, const char *name, struct diag *d)
{
	char **list = sim_preset_list(at->section);
	const char *file = find_in(list, name);
	int status;

	if (!list[0])
		status = diag_set(d, at->file, at->line, at->column, "section '%s' has no presets", at->section);
	else if (!file)
		status = diag_set(d, at->file, at->line, at->column, "no preset '%s' of section '%s'%s", name,
				  at->section, hint_of(list, name).text);
	else
		status = parse_file(c, file, d);
	sim_gpu_list_free(list);
	return status;
}
