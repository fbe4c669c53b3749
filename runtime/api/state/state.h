/*
 * Inside of the CUDA runtime library: its one state, and how an API call begins and ends.
 *
 *   cudaError_t cudaFree(void *ptr)
 *   {
 *       ENTER(rt);                                      // the lock is held, and there is a device
 *       cudaError_t error = ... rt->ops->release(rt->device, ...) ...;
 *
 *       return runtime_leave(error);
 *   }
 *
 * Each topic, such as streams, keeps its state in a member of struct runtime. reset.c takes all of these back, in
 * order.
 */
#ifndef ROMARK_API_STATE_H
#define ROMARK_API_STATE_H

#include "common/diag.h"
#include "common/file.h"
#include "common/vec.h"
#include "runtime/device/device.h"
#include "runtime/device/regions.h"
#include "settings/settings.h"
#include "runtime/include/cuda_runtime_api.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api_kernel;
struct handle_entry;
struct handle_block;
struct api_variable;
struct kernel_entry;
struct allocation_entry;
struct image_object;
struct image_reference;
struct physical_memory;

/* A fat binary of the program, or a module of the driver API. Its PTX is loaded when something of it is first used. */
struct api_module {
	const void *image;              /* as registered */
	const void *const *parts;       /* NULL, or up to NULL the images that `image` is the link of */
	struct file_data ptx;           /* data is NULL before the first use */
	struct device_module *loaded;   /* NULL: not yet, or failed */
	cudaError_t failed;             /* why loading failed, cudaSuccess otherwise */
	struct api_variable *variables; /* that this module defines for the host, to be given their initial values */
};

/* A pool of memory: numbers that programs set and read, since all pools are the device's memory. */
struct CUmemPoolHandle_st {
	uint64_t values[9]; /* by enum cudaMemPoolAttr */
};

/* Addresses that a program reserved for memory that it maps itself. */
struct address_range {
	uint64_t address;
	size_t size;
};

/* The process's state, with a member for each topic. The lists hold live objects, newest first. */
struct runtime {
	/* state.c: the device, opened by the first call that needs it. */
	pthread_mutex_t lock;
	pthread_once_t lock_made;
	struct settings settings; /* as they were then */
	const struct device_ops *ops;
	struct device *device;
	cudaError_t open_error; /* why opening the device failed */
	cudaError_t sticky;     /* a kernel failed: every call fails so until cudaDeviceReset */

	/* handles.c */
	struct {
		struct handle_entry *live;   /* hashed by address */
		struct handle_block *blocks; /* all there ever were, newest first */
	} handles;

	/* modules.c: what programs registered and loaded */
	struct {
		struct kernel_entry *kernels;   /* hashed by the host's handle */
		struct api_variable *variables; /* hashed by the host's handle */
		struct api_variable *shared;    /* variables of loaded modules whose pages the host has too */
	} modules;

	/* memory.c */
	struct {
		struct allocation_entry *live; /* hashed by address */
		uint64_t made;                 /* ever, for their names */
		size_t pinned;                 /* bytes that the device counts as its own */
		struct regions regions;        /* what the program's own allocators have handed out */
		uint64_t regions_made;         /* ever, for their names */
	} allocations;

	/* pools.c */
	struct {
		struct CUmemPoolHandle_st usual;
		struct CUmemPoolHandle_st *current; /* NULL: `usual` */
	} pools;

	/* streams.c */
	struct {
		uint32_t made; /* ever */
	} streams;

	/* textures/ */
	struct {
		struct image_object *objects;       /* textures.c: hashed by handle and kind */
		struct image_reference *references; /* texture_references.c: hashed by the host's variable */
	} images;

	/* driver/ */
	struct {
		struct CUtexref_st *references;   /* driver_references.c */
		struct physical_memory *physical; /* driver_virtual.c: the handles */
		VEC(struct address_range) ranges; /* driver_virtual.c: reserved ranges */
	} driver;

	/* properties.c and device_calls.c: the device's properties, and what the program has set */
	struct {
		struct cudaDeviceProp properties; /* valid once totalGlobalMem is not 0 */
		size_t limits[8];                 /* by enum cudaLimit; 0: never set */
		unsigned flags;
		enum cudaFuncCache cache;
		enum cudaSharedMemConfig banks;
	} about;
};

/* The configuration in <<<...>>>, kept until the kernel's stub takes it. */
struct launch_configuration {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
};

enum { MAX_NESTED_CONFIGURATIONS = 16, OLD_PARAM_BYTES = 4096 };

/* The state of each thread. */
struct runtime_thread {
	cudaError_t last_error;  /* for cudaGetLastError */
	cudaError_t enter_error; /* why runtime_enter failed */

	/* launch.c: launches nest in the arguments of launches */
	struct {
		struct launch_configuration stack[MAX_NESTED_CONFIGURATIONS];
		unsigned depth;
	} configurations;

	unsigned contexts; /* driver_device.c: depth of the stack of contexts, all of them the same context */

	/* driver_module.c: what cuFuncSet... and cuParamSet... left for cuLaunch */
	struct {
		int block[3];
		unsigned shared;
		unsigned char params[OLD_PARAM_BYTES];
	} old_launch;
};

/* The state without a lock or device: for functions that only look at constants, and for exit. */
extern struct runtime runtime_state;
extern _Thread_local struct runtime_thread runtime_thread;

/*
 * The beginning of an API function: `rt` is the state, locked, with a device; where that cannot be, the function
 * returns the error. Declarations may follow. The function then ends with runtime_leave.
 */
#define ENTER(rt)                                                                                                      \
	struct runtime *rt = runtime_enter();                                                                          \
	if (!rt)                                                                                                       \
	return runtime_failed()

/* Takes the lock and makes sure of a device. NULL (lock not held) when the call must fail with runtime_failed(). */
struct runtime *runtime_enter(void);
/* Gives the lock back, remembers an error for cudaGetLastError, and returns it. */
cudaError_t runtime_leave(cudaError_t error);
/* The error that made runtime_enter return NULL; remembered like any other. */
cudaError_t runtime_failed(void);
/* The lock alone, recursive, and the state: for calls that need no device. */
struct runtime *runtime_lock(void);
void runtime_unlock(void);
/* Remembers `error` for this thread, if it is an error, and returns it: for checks before ENTER. */
static inline cudaError_t runtime_remember(cudaError_t error)
{
	if (error && error != cudaErrorNotReady)
		runtime_thread.last_error = error;
	return error;
}

/* The error for a device's status; a kernel's failure becomes sticky. */
cudaError_t status_error(struct runtime *rt, enum device_status status);
/* A sentence of the device, on stderr unless ROMARK_QUIET is set. */
void runtime_notice(const struct diag *d);

#endif
