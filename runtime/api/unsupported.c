/*
 * Defines the functions of unsupported.def. They ignore their arguments, so all are defined with none. The headers that
 * declare them cannot be included here.
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
