/* The parts of nvcc's output that tools read, told of romark's toolkit folder. */
#include "cc/as_nvcc.h"

#include <stdlib.h>

/* The CUDA release whose API the headers declare. */
#define RELEASE "12.0"

void cc_nvcc_print_version(FILE *out)
{
	fputs("in the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
	      "Cuda compilation tools, release " RELEASE ", V" RELEASE ".0\n",
	      out);
}

void cc_nvcc_add_libraries(const char *toolkit, struct command *c)
{
	command_addf(c, "-L%s/lib64/stubs", toolkit);
	command_addf(c, "-L%s/lib64", toolkit);
}

static void print_words(const char *name, struct command *c, FILE *out)
{
	fprintf(out, "#$ %s=", name);
	command_print(c, out);
	command_release(c);
}

void cc_nvcc_print_settings(const char *toolkit, unsigned arch, FILE *out)
{
	struct command includes = COMMAND_INIT, libraries = COMMAND_INIT;
	const char *path = getenv("PATH");

	fprintf(out, "#$ _HERE_=%s/bin\n#$ TOP=%s\n", toolkit, toolkit);
	fprintf(out, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", toolkit);
	fprintf(out, "#$ PATH=%s\n", path ? path : "");
	command_addf(&includes, "-I%s/include", toolkit);
	print_words("INCLUDES", &includes, out);
	cc_nvcc_add_libraries(toolkit, &libraries);
	print_words("LIBRARIES", &libraries, out);
	fprintf(out, "#$ PTXAS_FLAGS=-arch compute_%u\n", arch);
}
