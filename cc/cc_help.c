/* What `romark cc --help` says of the options that matter most; cc_options.def has all of them. */
#include "cc/cc_help.h"

#include "common/options.h"

static const struct option_text texts[] = {
    {"-o FILE, -c, -E, -ptx, -fatbin, -shared", "what to make"},
    {"-emit-llvm", "with -c or -S: LLVM IR; for a CUDA source, of its device code"},
    {"-dc, -rdc=true, -dlink", "device code that spans several files"},
    {"-x cu", "the files that follow are CUDA, whatever they are called"},
    {"--report=FILE.json|FILE.sarif", "the read-only data of every kernel; as SARIF the loads without a mark"},
    {"--load=ro|nc|keep", "how read-only loads are marked; without it (but in -ptx: ro) when a program is loaded"},
    {"--alias=guarded|strict|distinct", "what may be assumed of pointer parameters (default guarded)"},
    {"-arch=sm_NN, -gencode ...", "target of the device code, sm_75 (default) to sm_90"},
    {"--device-lib=FILE.bc", "device math library, such as a CUDA toolkit's libdevice.10.bc"},
    {"--cuda-path=DIR", "use the headers and device math of the CUDA toolkit there, if Clang can"},
    {"--clang=PATH", "the clang++ to use (or set ROMARK_CLANG)"},
    {"-Xcompiler LIST, -Xlinker LIST", "options for the host compilation, the link"},
    {"-Xptxas -v, --resource-usage", "registers (estimated), shared memory and stack of each kernel"},
    {"-v, -###", "show the commands; -### does not run them"},
    {"@FILE, --options-file FILE", "more of these words"},
    {"--as-nvcc", "answer to CMake and Makefiles as nvcc does (the toolkit's bin/nvcc)"},
    {"--print-toolkit", "the folder that Makefiles can use as CUDA_HOME"},
    {"--version", "the version of romark"},
    {0}};

void cc_help_print(const char *const *spellings)
{
	static const struct usage usage = {
	    .command = "cc",
	    .operands = "FILES -o PROG",
	    .summary = "Compiles CUDA (.cu), C++ and C sources and links them with romark's runtime. Takes Clang's "
		       "options and\nnvcc's usual ones.",
	    .epilogue = "Exit codes: 0 success, 1 errors in the sources, 2 wrong usage. See "
			"docs/building-cuda-programs.md."};

	options_help_print(&usage, &(struct option_words){texts, spellings});
}
