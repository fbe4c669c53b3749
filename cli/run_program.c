/* Sets the environment that settings/settings.def describes, and starts the program. */
#include "cli/run_program.h"

#include "cc/installation.h"
#include "cli/kernel_pattern.h"
#include "cli/module_kernels.h"
#include "cli/named_libraries.h"
#include "common/held.h"
#include "common/kernel_names.h"
#include "ptx-analyzer/containers/input.h"
#include "runtime/device/name.h"
#include "runtime/gpu/gpu.h"
#include "verdict/verdict.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct option_row program_option(struct settings *settings, enum setting_id id)
{
	static const enum option_kind kinds[] = {
	    [SETTING_TEXT] = OPT_STRING, [SETTING_OUTPUT] = OPT_STRING, [SETTING_CHOICE] = OPT_CHOICE,
	    [SETTING_LIST] = OPT_STRING, [SETTING_NUMBER] = OPT_UINT,   [SETTING_COUNT] = OPT_LONG,
	    [SETTING_FLAG] = OPT_FLAG};
	const struct setting *row = &setting_rows[id];
	enum option_kind kind = kinds[row->type];

	return (struct option_row){
	    row->letter, row->option, kind, (char *)settings + row->offset, kind == OPT_FLAG ? NULL : row->values,
	    row->help};
}

bool program_needs_trace(const struct settings *s)
{
	return s->alias == ALIAS_OBSERVED;
}

/* False if the option names no device. Without it, that is the default. */
static bool device_of(const struct settings *s, struct device_name *name, struct diag *d)
{
	const char *text = s->device ? s->device : setting_rows[SETTING_ID_device].otherwise;

	return device_name_parse(text, "--device", name, d) == 0;
}

static bool check_device(const char *command, const struct settings *s)
{
	struct device_name name;
	struct diag d = DIAG_INIT;

	if (!device_of(s, &name, &d))
		fprintf(stderr, "romark: %s: %s\n", command, d.message);
	else if (program_needs_trace(s) && name.kind == DEVICE_CUDA)
		fprintf(
		    stderr,
		    "romark: %s: --alias=observed is what a launch turned out to do, byte by byte, and only the CPU "
		    "device sees that: leave --device=cuda out\n",
		    command);
	else if (s->times && name.kind != DEVICE_CUDA)
		fprintf(stderr, "romark: %s: --times needs a GPU: --device=cuda\n", command);
	else if (s->guards && name.kind != DEVICE_CUDA)
		fprintf(
		    stderr,
		    "romark: %s: --guards=access is of a GPU: the CPU device checks each access by itself, in traces "
		    "and with --verify\n",
		    command);
	else if (s->check && name.kind == DEVICE_CUDA)
		fprintf(
		    stderr,
		    "romark: %s: --check is of the CPU device: leave --device=cuda out, or run compute-sanitizer on the "
		    "GPU\n",
		    command);
	else if (s->check && setting_check(SETTING_ID_check, "--check", s->check, &d) < 0)
		fprintf(stderr, "romark: %s: %s\n", command, d.message);
	else if (s->decoded && name.kind == DEVICE_CUDA)
		fprintf(stderr, "romark: %s: --decoded is of the CPU device: leave --device=cuda out\n", command);
	else
		return true;
	return false;
}

static bool check_environment(const char *command)
{
	struct settings settings;
	struct diag d = DIAG_INIT;

	if (settings_read(&settings, &d) == 0)
		return true;
	fprintf(stderr, "romark: %s: %s\n", command, d.message);
	return false;
}

bool program_check(const char *command, const struct settings *s)
{
	return kernel_pattern_check(command, s->kernels) && check_device(command, s) && check_environment(command);
}

/* The file that an option for an output names; NULL if the output is no file. */
static const char *output_file(const char *output)
{
	bool is_file = output && strcmp(output, "-") != 0 && strcmp(output, "1") != 0 && strcmp(output, "0") != 0;

	return is_file ? output : NULL;
}

void program_files(const struct settings *s, const char *name, struct arena *arena,
		   struct used_file files[PROGRAM_FILES])
{
	files[0] = (struct used_file){command_find(name, arena), "the program", NULL};
	files[1] = (struct used_file){output_file(s->times), NULL, "times"};
	files[2] = (struct used_file){output_file(s->decoded), NULL, "decoded"};
}

/* Puts `first` before the variable's value. */
static void put_in_front(const char *variable, const char *first, struct arena *arena)
{
	const char *old = getenv(variable);

	setenv(variable, old && *old ? arena_printf(arena, "%s:%s", first, old) : first, 1);
}

/*
 * nvcc's programs look for libcudart.so.N: ours come first. libromark_preload.so leads programs with a libcudart of
 * their own over to ours. For the loader a space ends a name, and it searches the path for a name without a folder.
 * Programs built with the address sanitizer want its runtime as the first library, unless an option of the sanitizer
 * turns this check off.
 * A program that was linked before romark moved names libraries where they were: libromark_moved.so leads it to them.
 */
static void put_libraries(const char *program, struct arena *arena)
{
	const char *name = "libromark_preload.so", *path;
	struct installation files;

	installation_find(&files, arena);
	put_in_front("LD_LIBRARY_PATH", arena_printf(arena, "%s:%s", files.cudart, files.library), arena);
	if (program && named_library_is_gone(program))
		put_in_front("LD_AUDIT", arena_printf(arena, "%s/libromark_moved.so", files.cudart), arena);
	path = arena_printf(arena, "%s/%s", files.cudart, name);
	if (access(path, R_OK) < 0)
		return;
	put_in_front("LD_PRELOAD", strpbrk(path, " :") ? name : path, arena);
	put_in_front("ASAN_OPTIONS", "verify_asan_link_order=0", arena);
}

/* A program for a GPU starts only if there is a GPU. */
static int check_gpu(const struct settings *s, struct diag *d)
{
	struct device_name name;
	struct settings settings;

	if (!device_of(s, &name, d))
		return DIAG_ERROR;
	if (settings_read(&settings, d) < 0)
		return DIAG_ERROR;
	return name.kind == DEVICE_CUDA ? gpu_driver_check(&settings, d) : 0;
}

/* False only for a file that certainly holds no device code (a script may start a program that does). */
static bool may_be_cuda(const char *path)
{
	struct diag ignored = DIAG_INIT;
	struct ptx_input in;

	if (ptx_input_open(path, &in, &ignored) < 0)
		return false;
	ptx_input_release(&in);
	return true;
}

/* A file that is not an ELF file, such as a script, may start a program that is. */
static bool names_loader(FILE *file)
{
	Elf64_Phdr segment;
	Elf64_Ehdr head;

	if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    fseek(file, (long)head.e_phoff, SEEK_SET) < 0)
		return true;
	for (unsigned i = 0; i < head.e_phnum && fread(&segment, sizeof segment, 1, file) == 1; i++)
		if (segment.p_type == PT_INTERP)
			return true;
	return false;
}

/*
 * Checks that the file has a loader, which loads romark's library. For a file that cannot be read, the attempt to run
 * it gives the message.
 */
static int check_loader(const char *path, struct diag *d)
{
	FILE *file = strchr(path, '/') ? fopen(path, "rb") : NULL;
	bool loads = !file || names_loader(file);

	if (file)
		fclose(file);
	if (loads || !may_be_cuda(path))
		return 0;
	return diag_file(d, path,
			 "loads no libraries, so romark's runtime cannot take the place of NVIDIA's: link it "
			 "without -static");
}

/* A file that the program writes later: by then the program may be in another folder. */
static const char *from_here(const char *output, struct arena *arena)
{
	const char *file = output_file(output);
	char folder[PATH_MAX];

	return file && *file != '/' && getcwd(folder, sizeof folder) ? arena_printf(arena, "%s/%s", folder, file)
								     : output;
}

/* Passes on the number and the file's identity: a process between this one and the program may close the number. */
static void put_trace(int fd, struct arena *arena)
{
	const char *number = setting_rows[SETTING_ID_trace].variable,
		   *which = setting_rows[SETTING_ID_trace_file].variable;
	struct held file = held_note(fd);
	char text[HELD_TEXT];

	if (fd < 0) {
		unsetenv(number);
		unsetenv(which);
		return;
	}
	held_print(&file, text);
	setenv(number, arena_printf(arena, "fd:%d", fd), 1);
	setenv(which, text, 1);
}

pid_t program_start(const struct settings *s, int argc, char **argv, int trace_fd, struct diag *d)
{
	struct command command = COMMAND_INIT;
	struct arena arena = ARENA_INIT;
	struct settings own = *s;
	pid_t child;

	if (check_gpu(s, d) < 0 || check_loader(argv[0], d) < 0)
		return DIAG_ERROR;
	put_libraries(command_find(argv[0], &arena), &arena);
	own.times = from_here(s->times, &arena);
	own.decoded = from_here(s->decoded, &arena);
	settings_put(&own);
	put_trace(trace_fd, &arena);
	command_add_all(&command, argv, (size_t)argc);
	child = command_start(&command, d);
	command_release(&command);
	arena_release(&arena);
	return child;
}

/* --- Reasons for a missing trace --- */

static void add_kernel(void *names, const char *name)
{
	kernel_names_add(names, name);
}

/* The kernels in a program's device code; false when it certainly holds none. */
static bool find_kernels(const char *path, struct kernel_names *names)
{
	struct diag ignored = DIAG_INIT;
	struct ptx_input in;

	if (ptx_input_open(path, &in, &ignored) < 0)
		return false;
	for (size_t i = 0; i < in.count; i++)
		module_kernels(&in, i, add_kernel, names);
	ptx_input_release(&in);
	return true;
}

static void explain_empty(const char *path, const char *kernels, int code, struct diag *d)
{
	struct kernel_names names = KERNEL_NAMES_INIT;
	bool is_cuda = find_kernels(path, &names);
	char hint[512];

	if (is_cuda && kernels) {
		kernel_names_hint(&names, kernels, hint, sizeof hint);
		diag_file(d, path, "launched no kernel that matches --kernel=%s%s", kernels, hint);
	} else if (is_cuda) {
		diag_file(d, path, "launched no kernel that could be traced (exit code %d)", code);
	} else {
		diag_file(d, path,
			  "launched no kernel: is it a CUDA program made by romark cc or nvcc? If it starts such a "
			  "program, that program must inherit the trace's descriptor (Python's subprocess: "
			  "close_fds=False)");
	}
	kernel_names_release(&names);
}

void program_explain_no_trace(const char *path, const char *kernels, int code, enum no_trace what, struct diag *d)
{
	if (what == TRACE_HAS_FAILED)
		diag_file(d, path, "a kernel failed, so the trace is not complete");
	else if (code > 128)
		diag_file(d, path, "ended by signal %d before its trace was complete", code - 128);
	else if (what == TRACE_IS_CUT)
		diag_file(d, path, "ended before its trace was complete (exit code %d)", code);
	else
		explain_empty(path, kernels, code, d);
}
