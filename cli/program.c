/* Sets the environment that runtime/device/device.h describes, and starts the program. */
#include "cli/program.h"

#include "cc/installation.h"
#include "ptx-analyzer/containers/input.h"
#include "runtime/gpu/libcuda.h"

#include <fcntl.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const aliases[] = {"guarded", "strict", "distinct"};
static const char *const loads[] = {"ro", "nc", "keep"};

static bool check_kernels(const char *command, const char *kernels)
{
	char message[256];
	regex_t regex;
	int error = kernels ? regcomp(&regex, kernels, REG_EXTENDED | REG_NOSUB) : 0;

	if (error) {
		regerror(error, &regex, message, sizeof message);
		fprintf(stderr, "romark: %s: --kernel=%s: %s\n", command, kernels, message);
		return false;
	}
	if (kernels)
		regfree(&regex);
	return true;
}

static bool on_gpu(const struct program *p)
{
	return p->device && strncmp(p->device, "cuda", 4) == 0;
}

static bool check_device(const char *command, const struct program *p)
{
	const char *number = on_gpu(p) && p->device[4] == ':' ? p->device + 5 : NULL;
	bool valid = !p->device || strcmp(p->device, "cpu") == 0 || strcmp(p->device, "cuda") == 0;

	if (number)
		valid = *number && strspn(number, "0123456789") == strlen(number);
	if (!valid)
		fprintf(stderr, "romark: %s: --device takes cpu, cuda or cuda:N, not '%s'\n", command, p->device);
	else if (p->times && !on_gpu(p))
		fprintf(stderr, "romark: %s: --times needs a GPU: --device=cuda\n", command);
	return valid && (!p->times || on_gpu(p));
}

bool program_check(const char *command, const struct program *p)
{
	return check_kernels(command, p->kernels) && check_device(command, p);
}

/* nvcc's programs look for libcudart.so.N: ours come first. */
static void put_library_path(struct arena *arena)
{
	struct installation files;
	const char *old = getenv("LD_LIBRARY_PATH");

	installation_find(&files, arena);
	setenv("LD_LIBRARY_PATH",
	       old && *old ? arena_printf(arena, "%s:%s:%s", files.cudart, files.library, old)
			   : arena_printf(arena, "%s:%s", files.cudart, files.library),
	       1);
}

static void put(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static int check_gpu(struct diag *d)
{
	struct libcuda lib;

	if (libcuda_open(&lib, d) < 0)
		return DIAG_ERROR;
	libcuda_close(&lib);
	return 0;
}

pid_t program_start(const struct program *p, int argc, char **argv, int trace_fd, struct diag *d)
{
	struct command command = COMMAND_INIT;
	struct arena arena = ARENA_INIT;
	pid_t child;

	if (on_gpu(p) && check_gpu(d) < 0)
		return DIAG_ERROR;
	put_library_path(&arena);
	put("ROMARK_DEVICE", p->device ? p->device : "cpu");
	put("ROMARK_ALIAS", aliases[p->alias]);
	put("ROMARK_LOAD", loads[p->load]);
	put("ROMARK_KERNELS", p->kernels);
	put("ROMARK_VERIFY", p->verify ? "1" : NULL);
	put("ROMARK_QUIET", p->quiet ? "1" : NULL);
	put("ROMARK_TIME_KERNELS", p->times && strcmp(p->times, "-") == 0 ? "1" : p->times);
	put("ROMARK_TRACE", trace_fd >= 0 ? arena_printf(&arena, "fd:%d", trace_fd) : NULL);
	command_add_all(&command, argv, (size_t)argc);
	child = command_start(&command, d);
	command_release(&command);
	arena_release(&arena);
	return child;
}

/* False only for a file that is known to hold no device code (a script may start what does). */
static bool may_be_cuda(const char *path)
{
	struct diag ignored = DIAG_INIT;
	struct ptx_input in;

	if (ptx_input_open(path, &in, &ignored) < 0)
		return false;
	ptx_input_release(&in);
	return true;
}

void program_explain_no_trace(const char *path, int code, bool empty, struct diag *d)
{
	if (code > 128)
		diag_file(d, path, "ended by signal %d before its trace was complete", code - 128);
	else if (!empty)
		diag_file(d, path, "ended before its trace was complete (exit code %d)", code);
	else if (may_be_cuda(path))
		diag_file(d, path, "launched no kernel that could be traced (exit code %d)", code);
	else
		diag_file(d, path,
			  "launched no kernel: is it a CUDA program made by romark cc or nvcc -cudart shared?");
}
