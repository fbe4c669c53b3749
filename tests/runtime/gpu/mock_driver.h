/* Inside of the mock driver: what its files share. */
#ifndef ROMARK_TESTS_MOCK_DRIVER_H
#define ROMARK_TESTS_MOCK_DRIVER_H

#include "runtime/cpu/cpu.h"
#include "runtime/cpu/engine/cpu_device.h"
#include "tests/runtime/gpu/mock_libcuda.h"

/* Where ld.global.nc finds the copy of device memory that was made when its kernel started. */
#define MOCK_SHADOW (MEMORY_BYTES / 2)

struct CUmod_st {
	struct CUmod_st *next;
	struct device_module *loaded;
	struct CUfunc_st *functions;
};

struct CUfunc_st {
	struct CUfunc_st *next; /* of the same module */
	struct device_kernel *kernel;
	char *name;
	struct kernel_attributes attributes;
	int dynamic_limit;
	bool large_clusters; /* more than eight CTAs are allowed */
};

struct CUevent_st {
	double seconds;
	bool pending, recorded;
};

struct mock {
	struct device *cpu; /* NULL: no context */
	CUresult spoiled;   /* a kernel failed, in this context or an earlier one */
	int opened;
	size_t limits[16];
	bool heap_used, printf_used; /* by a module: their sizes stay */
};
extern struct mock mock;

/*
 * How every function begins: MOCK_ENTER for those that need a current context, MOCK_BEGIN for the others. Both return
 * from the function when the driver is in no state to answer or the test wants it to fail. Until the function returns
 * it holds the driver's lock and device memory may be touched.
 */
#define MOCK_BEGIN()                                                                                                   \
	__attribute__((cleanup(mock_leave))) CUresult mock_entered = mock_enter(__func__, false);                      \
	if (mock_entered != CUDA_SUCCESS)                                                                              \
	return mock_entered
#define MOCK_ENTER()                                                                                                   \
	__attribute__((cleanup(mock_leave))) CUresult mock_entered = mock_enter(__func__, true);                       \
	if (mock_entered != CUDA_SUCCESS)                                                                              \
	return mock_entered
CUresult mock_enter(const char *function, bool needs_context);
void mock_leave(CUresult *entered);

int mock_setting(const char *name, int otherwise);

/* --- mock_memory.c */
CUresult mock_memory_open(struct device *cpu);
void mock_memory_close(void);
/* Lets the host touch device memory, or not. */
void mock_memory_expose(bool exposed);
/* Copies device memory to where ld.global.nc looks. */
void mock_memory_snapshot(void);

/* --- mock_images.c */
/* The context is gone, and all arrays with it. */
void mock_images_forget(void);

/* --- mock_module.c */
/* The context is gone, and all handles with it. */
void mock_module_forget(void);

/* --- mock_stream.c */
/* Runs what was submitted; the first failure spoils the context. */
CUresult mock_run_all(void);
void mock_forget_all(void);

#endif
