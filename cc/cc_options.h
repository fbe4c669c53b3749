/* The command line of `romark cc`, sorted into what each step of a compilation needs. */
#ifndef ROMARK_CC_OPTIONS_H
#define ROMARK_CC_OPTIONS_H

#include "common/arena.h"
#include "common/vec.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <stdbool.h>

enum cc_stage {
	CC_LINK,
	CC_DEVICE_LINK, /* the object that registers the joined device code of others */
	CC_ARCHIVE,     /* a static library */
	CC_COMPILE,
	CC_ASSEMBLE, /* PTX of CUDA sources, assembler text of others */
	CC_PREPROCESS,
	CC_EMIT_PTX,
	CC_EMIT_FATBIN,
	CC_EMIT_CUBIN, /* a fat binary, too: what loads a cubin by name takes it */
};

enum cc_kind { CC_CUDA, CC_CXX, CC_C, CC_LINK_WORD };

struct cc_input {
	const char *path;
	enum cc_kind kind; /* CC_LINK_WORD: an object, an archive or an option of the linker; goes there as it is */
};

typedef VEC(char *) cc_words; /* owned by the arena */

struct cc_options {
	enum cc_stage stage;
	VEC(struct cc_input) inputs; /* in the order of the command line */
	size_t nsources;             /* inputs that are compiled */
	const char *output;          /* NULL: the usual name */
	const char *output_folder;   /* NULL: the current one */
	const char *report, *device_library, *clang;
	const char *const *command; /* the words as they were given, argv[0] first */
	size_t ncommand;
	const char *cuda_path; /* a CUDA toolkit, whose headers are used */
	enum load_mark load;
	bool load_asked; /* --load was given */
	enum alias_level alias;
	unsigned arch;       /* compute capability, 75 = 7.5 */
	unsigned arch_asked; /* the highest on the command line; 0 = none */
	bool arch_features;  /* sm_90a and the like */
	bool relocatable;    /* device code is to be joined with other files' device code */
	bool extended_lambda, relaxed_constexpr, device_debug; /* these options were given: macros tell the source */
	bool own_level; /* an -O other than -O2 and -O3 was given: device code is compiled at that level, too */
	bool emit_llvm; /* with -c or -S: LLVM IR; for a CUDA source, of its device code */
	bool show, verbose, shared, as_nvcc;
	bool resources;       /* print what each kernel takes of an SM */
	bool without_runtime; /* -cudart none, and the runtime is not named as a library */
	cc_words both;        /* words for both of Clang's passes */
	cc_words device;      /* for the device pass */
	cc_words host;        /* for the host pass and the link */
	cc_words depend;      /* -MD and its kin, for the host pass */
};

enum { CC_OPTIONS_DONE = 1, CC_OPTIONS_WRONG = -1 };

/* 0, CC_OPTIONS_DONE after --help or --version, or CC_OPTIONS_WRONG after saying what is wrong on stderr. */
int cc_options_parse(struct cc_options *options, int argc, char **argv, struct arena *arena);
void cc_options_release(struct cc_options *options);

#endif
