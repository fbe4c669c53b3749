/*
 * Functions of unsupported.def: they look at none of their arguments, so that one shape does for all. The headers that
 * declare them are not included here.
 */
#include "runtime/api/unsupported.h"

#define RUNTIME(name)                                                                                                  \
	int name(void);                                                                                                \
	int name(void)                                                                                                 \
	{                                                                                                              \
		return unsupported_by_runtime();                                                                       \
	}
#define DRIVER(name)                                                                                                   \
	int name(void);                                                                                                \
	int name(void)                                                                                                 \
	{                                                                                                              \
		return unsupported_by_driver();                                                                        \
	}
#include "runtime/api/unsupported.def"
#undef RUNTIME
#undef DRIVER
