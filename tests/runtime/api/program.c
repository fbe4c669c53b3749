/* Registers the program once; the mock's behaviour is set back for every test. */
#include "tests/runtime/api/program.h"

#include <string.h>

char scale_stub, missing_stub, broken_stub, table;

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
			  ".global .align 4 .b8 table[64];\n.visible .entry scale()\n{\nret;\n}\n";
static const char broken[] = ".version 7.0\nsyntax error\n";

static struct image_wrapper good_image = {0x466243b1, 1, ptx, NULL};
static struct image_wrapper broken_image = {0x466243b1, 1, broken, NULL};

static void register_program(void)
{
	void **handle = __cudaRegisterFatBinary(&good_image);

	__cudaRegisterFunction(handle, &scale_stub, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(handle, &missing_stub, "missing", "missing", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(handle, &table, "table", "table", 0, 64, 0, 0);
	__cudaRegisterFatBinaryEnd(handle);
	handle = __cudaRegisterFatBinary(&broken_image);
	__cudaRegisterFunction(handle, &broken_stub, "broken", "broken", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
}

int program_setup(void **state)
{
	static int registered;

	(void)state;
	if (!registered++)
		register_program();
	cudaDeviceReset();
	mock = (struct mock){.nparams = 3,
			     .param_sizes = {8, 4, 1},
			     .param_offsets = {0, 8, 12},
			     .param_bytes = 16,
			     .registers = 32,
			     .static_shared = 1024};
	cudaGetLastError();
	return 0;
}

void **scale_arguments(void)
{
	static float *data = (float *)0x1000;
	static float factor = 2.5f;
	static char letter = 'x';
	static void *arguments[] = {&data, &factor, &letter};

	return arguments;
}
