/* Valid values by a parameter's type, its name and, where that says too little, its function. */
#include "tests/runtime/api/arguments.h"

#include "runtime/include/cuda.h"
#include "tests/runtime/api/program.h"

#include <string.h>

enum { BLOCK = 4096, ARRAY_WIDTH = 64, ARRAY_HEIGHT = 8, POOL = 1 << 20, PHYSICAL = 2 << 20 };

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.global .texref tex;\n"
			   ".global .surfref surf;\n.visible .global .align 8 .b8 table[64];\n"
			   ".visible .entry k(.param .u64 data)\n{\nret;\n}\n";
static struct image_wrapper image = {0x466243b1, 1, text, NULL};
static char stub, variable, texture_host[sizeof(struct textureReference)], surface_host[128];
static const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};

/* Live objects, and a second set of objects that are gone. */
static struct objects {
	cudaStream_t stream;
	cudaEvent_t event;
	cudaGraph_t graph, inner, clone;
	cudaGraphNode_t node, copy_node, fill_node, host_node, child_node, record_node, wait_node;
	cudaUserObject_t object;
	cudaGraphExec_t exec;
	cudaMemPool_t pool;
	cudaArray_t array;
	cudaMipmappedArray_t mipmap;
	CUmodule module;
	CUfunction function;
	CUlinkState link;
	CUtexref texture, surface;
	cudaTextureObject_t texture_object;
	cudaSurfaceObject_t surface_object;
	CUmemGenericAllocationHandle physical;
} live, gone;
static CUcontext context;
static char *blocks, *pinned;
static CUdeviceptr range;

/* --- Objects --- */

static void *parameter_of_kernel;
static void *kernel_arguments[MOST_PARAMETERS] = {&parameter_of_kernel};
static const struct cudaKernelNodeParams kernel_node = {
    .func = &stub, .gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .kernelParams = kernel_arguments};
static const CUmemAllocationProp physical_props = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						   .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};

static void make_images(struct objects *o)
{
	struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
	struct cudaTextureDesc texture = {.readMode = cudaReadModeElementType};

	assert_int_equal(cudaMallocArray(&o->array, &format, ARRAY_WIDTH, ARRAY_HEIGHT, cudaArraySurfaceLoadStore), 0);
	assert_int_equal(cudaMallocMipmappedArray(&o->mipmap, &format, make_cudaExtent(64, 64, 0), 3, 0), 0);
	resource.res.array.array = o->array;
	assert_int_equal(cudaCreateTextureObject(&o->texture_object, &resource, &texture, NULL), 0);
	assert_int_equal(cudaCreateSurfaceObject(&o->surface_object, &resource), 0);
}

static void nothing_to_do(void *data)
{
	(void)data;
}

static void make_graph(struct objects *o)
{
	const struct cudaMemsetParams fill = {.dst = blocks, .elementSize = 1, .width = 4, .height = 1};
	const struct cudaHostNodeParams host = {.fn = nothing_to_do};

	assert_int_equal(cudaGraphCreate(&o->graph, 0), 0);
	assert_int_equal(cudaGraphAddKernelNode(&o->node, o->graph, NULL, 0, &kernel_node), 0);
	assert_int_equal(
	    cudaGraphAddMemcpyNode1D(&o->copy_node, o->graph, NULL, 0, blocks, blocks + BLOCK, 4, cudaMemcpyDefault),
	    0);
	assert_int_equal(cudaGraphAddMemsetNode(&o->fill_node, o->graph, NULL, 0, &fill), 0);
	assert_int_equal(cudaGraphAddHostNode(&o->host_node, o->graph, &o->node, 1, &host), 0);
	assert_int_equal(cudaGraphCreate(&o->inner, 0), 0);
	assert_int_equal(cudaGraphAddChildGraphNode(&o->child_node, o->graph, NULL, 0, o->inner), 0);
	assert_int_equal(cudaGraphAddEventRecordNode(&o->record_node, o->graph, NULL, 0, o->event), 0);
	assert_int_equal(cudaGraphAddEventWaitNode(&o->wait_node, o->graph, NULL, 0, o->event), 0);
	assert_int_equal(cudaGraphClone(&o->clone, o->graph), 0);
	assert_int_equal(cudaUserObjectCreate(&o->object, NULL, nothing_to_do, 8, cudaUserObjectNoDestructorSync), 0);
	assert_int_equal(cudaGraphRetainUserObject(o->graph, o->object, 8, 0), 0);
	assert_int_equal(cudaGraphInstantiateWithFlags(&o->exec, o->graph, 0), 0);
}

static void make(struct objects *o)
{
	struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
					 .location = {cudaMemLocationTypeDevice, 0}};

	assert_int_equal(cudaStreamCreate(&o->stream), 0);
	assert_int_equal(cudaEventCreate(&o->event), 0);
	assert_int_equal(cudaEventRecord(o->event, NULL), 0);
	make_graph(o);
	assert_int_equal(cudaMemPoolCreate(&o->pool, &props), 0);
	make_images(o);
	assert_int_equal(cuModuleLoadData(&o->module, text), 0);
	assert_int_equal(cuModuleGetFunction(&o->function, o->module, "k"), 0);
	assert_int_equal(cuModuleGetTexRef(&o->texture, o->module, "tex"), 0);
	assert_int_equal(cuModuleGetSurfRef((CUsurfref *)&o->surface, o->module, "surf"), 0);
	assert_int_equal(cuLinkCreate(0, NULL, NULL, &o->link), 0);
	assert_int_equal(
	    cuLinkAddData(o->link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "text", 0, NULL, NULL), 0);
	assert_int_equal(cuMemCreate(&o->physical, PHYSICAL, &physical_props, 0), 0);
}

static void end(struct objects *o)
{
	assert_int_equal(cudaStreamDestroy(o->stream), 0);
	assert_int_equal(cudaEventDestroy(o->event), 0);
	assert_int_equal(cudaGraphExecDestroy(o->exec), 0);
	assert_int_equal(cudaGraphDestroy(o->graph), 0);
	assert_int_equal(cudaGraphDestroy(o->inner), 0);
	assert_int_equal(cudaGraphDestroy(o->clone), 0);
	assert_int_equal(cudaUserObjectRelease(o->object, 8), 0);
	assert_int_equal(cudaMemPoolDestroy(o->pool), 0);
	assert_int_equal(cudaDestroyTextureObject(o->texture_object), 0);
	assert_int_equal(cudaDestroySurfaceObject(o->surface_object), 0);
	assert_int_equal(cudaFreeArray(o->array), 0);
	assert_int_equal(cudaFreeMipmappedArray(o->mipmap), 0);
	assert_int_equal(cuModuleUnload(o->module), 0);
	assert_int_equal(cuLinkDestroy(o->link), 0);
	assert_int_equal(cuMemRelease(o->physical), 0);
}

void arguments_make(void)
{
	void **handle = __cudaRegisterFatBinary(&image);

	__cudaRegisterFunction(handle, &stub, "k", "k", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(handle, &variable, "table", "table", 0, 64, 0, 0);
	__cudaRegisterTexture(handle, (void *)texture_host, NULL, "tex", 2, 0, 0);
	__cudaRegisterSurface(handle, (void *)surface_host, NULL, "surf", 2, 0);
	__cudaRegisterFatBinaryEnd(handle);
	assert_int_equal(cudaMalloc((void **)&blocks, POOL), 0);
	make(&live);
	make(&gone);
	end(&gone);
	assert_int_equal(cuCtxCreate(&context, 0, 0), 0);
	assert_int_equal(cudaMallocHost((void **)&pinned, BLOCK), 0);
	assert_int_equal(cuMemAddressReserve(&range, PHYSICAL, 0, 0, 0), 0);
}

/* --- Handles --- */

static const struct handle {
	const char *type, *word; /* in functions with this word in their names */
	const void *live, *gone; /* where they are */
} handles[] = {
#define HANDLE(type, member) {#type, "", &live.member, &gone.member}
    {"cudaGraphNode_t", "MemcpyNode", &live.copy_node, &gone.copy_node},
    {"cudaGraphNode_t", "MemsetNode", &live.fill_node, &gone.fill_node},
    {"cudaGraphNode_t", "HostNode", &live.host_node, &gone.host_node},
    {"cudaGraphNode_t", "ChildGraphNode", &live.child_node, &gone.child_node},
    {"cudaGraphNode_t", "EventRecordNode", &live.record_node, &gone.record_node},
    {"cudaGraphNode_t", "EventWaitNode", &live.wait_node, &gone.wait_node},
    {"cudaGraph_t", "ExecChildGraph", &live.inner, &gone.inner},
    {"cudaGraph_t", "FindInClone", &live.clone, &gone.clone},
    HANDLE(cudaUserObject_t, object),
    HANDLE(cudaStream_t, stream),
    HANDLE(CUstream, stream),
    HANDLE(cudaEvent_t, event),
    HANDLE(CUevent, event),
    HANDLE(cudaGraph_t, graph),
    HANDLE(CUgraph, graph),
    HANDLE(cudaGraphNode_t, node),
    HANDLE(CUgraphNode, node),
    HANDLE(cudaGraphExec_t, exec),
    HANDLE(CUgraphExec, exec),
    HANDLE(cudaMemPool_t, pool),
    HANDLE(CUmemoryPool, pool),
    HANDLE(cudaArray_t, array),
    HANDLE(cudaArray_const_t, array),
    HANDLE(CUarray, array),
    HANDLE(cudaMipmappedArray_t, mipmap),
    HANDLE(cudaMipmappedArray_const_t, mipmap),
    HANDLE(CUmipmappedArray, mipmap),
    HANDLE(CUmodule, module),
    HANDLE(CUlibrary, module),
    HANDLE(cudaLibrary_t, module),
    HANDLE(cudaKernel_t, function),
    HANDLE(CUfunction, function),
    HANDLE(CUkernel, function),
    HANDLE(CUlinkState, link),
    HANDLE(CUtexref, texture),
    HANDLE(CUsurfref, surface),
    HANDLE(cudaTextureObject_t, texture_object),
    HANDLE(CUtexObject, texture_object),
    HANDLE(cudaSurfaceObject_t, surface_object),
    HANDLE(CUsurfObject, surface_object),
    HANDLE(CUmemGenericAllocationHandle, physical),
#undef HANDLE
    {"CUcontext", "", &context, NULL},
};

static const struct handle *handle_of(const struct call *call, int at)
{
	for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
		if (strcmp(handles[i].type, call->parameters[at].type) == 0 && strstr(call->name, handles[i].word))
			return &handles[i];
	return NULL;
}

static uint64_t word_at(const void *place)
{
	uint64_t word = 0;

	if (place)
		memcpy(&word, place, sizeof word);
	return word;
}

/* --- Contents of addresses --- */

static void fill_graph_node(void *block)
{
	*(cudaGraphNode_t *)block = live.node;
}

static void fill_late_node(void *block)
{
	*(cudaGraphNode_t *)block = live.host_node;
}

static void fill_any_node(void *block)
{
	struct cudaGraphNodeParams *p = block;

	p->type = cudaGraphNodeTypeKernel;
	p->kernel.func = &stub;
	p->kernel.gridDim = p->kernel.blockDim = (dim3){1, 1, 1};
	p->kernel.kernelParams = kernel_arguments;
}

static void fill_copy_3d(void *block)
{
	*(struct cudaMemcpy3DParms *)block = (struct cudaMemcpy3DParms){.srcPtr = {blocks, 64, 64, 1},
									.dstPtr = {blocks + BLOCK, 64, 64, 1},
									.extent = {4, 1, 1},
									.kind = cudaMemcpyDefault};
}

static void fill_copy_3d_peer(void *block)
{
	*(struct cudaMemcpy3DPeerParms *)block = (struct cudaMemcpy3DPeerParms){
	    .srcPtr = {blocks, 64, 64, 1}, .dstPtr = {blocks + BLOCK, 64, 64, 1}, .extent = {4, 1, 1}};
}

static void fill_resource(void *block)
{
	struct cudaResourceDesc *r = block;

	r->resType = cudaResourceTypeArray;
	r->res.array.array = live.array;
}

static void fill_driver_resource(void *block)
{
	CUDA_RESOURCE_DESC *r = block;

	r->resType = CU_RESOURCE_TYPE_ARRAY;
	r->res.array.hArray = (CUarray)live.array;
}

static void fill_format(void *block)
{
	*(struct cudaChannelFormatDesc *)block = format;
}

static void fill_access(void *block)
{
	*(struct cudaMemAccessDesc *)block =
	    (struct cudaMemAccessDesc){{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
}

static void fill_location(void *block)
{
	*(struct cudaMemLocation *)block = (struct cudaMemLocation){cudaMemLocationTypeDevice, 0};
}

static void fill_pool_props(void *block)
{
	*(struct cudaMemPoolProps *)block = (struct cudaMemPoolProps){.allocType = cudaMemAllocationTypePinned,
								      .location = {cudaMemLocationTypeDevice, 0}};
}

static void fill_physical_props(void *block)
{
	memcpy(block, &physical_props, sizeof physical_props);
}

static void fill_kernel_node(void *block)
{
	memcpy(block, &kernel_node, sizeof kernel_node);
}

static void fill_driver_kernel_node(void *block)
{
	*(CUDA_KERNEL_NODE_PARAMS *)block = (CUDA_KERNEL_NODE_PARAMS){.func = live.function,
								      .gridDimX = 1,
								      .gridDimY = 1,
								      .gridDimZ = 1,
								      .blockDimX = 32,
								      .blockDimY = 1,
								      .blockDimZ = 1,
								      .kernelParams = kernel_arguments};
}

static void fill_memset_node(void *block)
{
	*(struct cudaMemsetParams *)block =
	    (struct cudaMemsetParams){.dst = blocks, .elementSize = 1, .width = 4, .height = 1};
}

static size_t no_shared(int threads)
{
	(void)threads;
	return 0;
}

static void CUDART_CB nothing_at_all(cudaStream_t stream, cudaError_t status, void *data)
{
	(void)stream, (void)status, (void)data;
}

static void fill_host_node(void *block)
{
	((struct cudaHostNodeParams *)block)->fn = nothing_to_do;
}

static void fill_launch(void *block)
{
	cudaLaunchConfig_t *c = block;

	c->gridDim = c->blockDim = (dim3){1, 1, 1};
}

static void fill_driver_launch(void *block)
{
	*(CUlaunchConfig *)block = (CUlaunchConfig){1, 1, 1, 1, 1, 1, 0, NULL, NULL, 0};
}

static void fill_copy_2d_driver(void *block)
{
	*(CUDA_MEMCPY2D *)block = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
						  .srcDevice = (uintptr_t)blocks,
						  .dstMemoryType = CU_MEMORYTYPE_DEVICE,
						  .dstDevice = (uintptr_t)(blocks + BLOCK),
						  .WidthInBytes = 4,
						  .Height = 1};
}

static void fill_copy_3d_driver(void *block)
{
	*(CUDA_MEMCPY3D *)block = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
						  .srcDevice = (uintptr_t)blocks,
						  .dstMemoryType = CU_MEMORYTYPE_DEVICE,
						  .dstDevice = (uintptr_t)(blocks + BLOCK),
						  .WidthInBytes = 4,
						  .Height = 1,
						  .Depth = 1};
}

static void fill_array(void *block)
{
	*(CUDA_ARRAY_DESCRIPTOR *)block = (CUDA_ARRAY_DESCRIPTOR){16, 4, CU_AD_FORMAT_FLOAT, 1};
}

static void fill_array_3d(void *block)
{
	*(CUDA_ARRAY3D_DESCRIPTOR *)block = (CUDA_ARRAY3D_DESCRIPTOR){16, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0};
}

static void fill_pitched(void *block)
{
	*(struct cudaPitchedPtr *)block = make_cudaPitchedPtr(blocks, 64, 64, 1);
}

static void fill_addresses(void *block)
{
	*(void **)block = blocks;
}

static void fill_other_addresses(void *block)
{
	*(void **)block = blocks + BLOCK;
}

static void fill_size(void *block)
{
	*(size_t *)block = 4;
}

static void fill_batch(void *block)
{
	((struct cudaMemcpyAttributes *)block)->srcAccessOrder = cudaMemcpySrcAccessOrderStream;
}

static void fill_batch_3d(void *block)
{
	struct cudaMemcpy3DBatchOp *op = block;

	op->src.type = op->dst.type = cudaMemcpyOperandTypePointer;
	op->src.op.ptr.ptr = blocks;
	op->dst.op.ptr.ptr = blocks + BLOCK;
	op->extent = make_cudaExtent(4, 1, 1);
	op->srcAccessOrder = cudaMemcpySrcAccessOrderStream;
}

static void fill_copy_3d_peer_driver(void *block)
{
	*(CUDA_MEMCPY3D_PEER *)block = (CUDA_MEMCPY3D_PEER){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
							    .srcDevice = (uintptr_t)blocks,
							    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
							    .dstDevice = (uintptr_t)(blocks + BLOCK),
							    .WidthInBytes = 4,
							    .Height = 1,
							    .Depth = 1};
}

static void fill_pointer_attributes(void *block)
{
	*(CUpointer_attribute *)block = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
}

static void fill_extent(void *block)
{
	*(struct cudaExtent *)block = make_cudaExtent(4, 1, 1);
}

static void fill_dim(void *block)
{
	*(dim3 *)block = (dim3){1, 1, 1};
}

static void fill_arguments(void *block)
{
	*(void **)block = &parameter_of_kernel;
}

/* The first row whose type, name and function (NULL: any) are a parameter's counts. */
static const struct content {
	const char *type, *name, *function;
	void (*fill)(void *block);
} contents[] = {
    {"const cudaGraphNode_t *", "to", "cudaGraphRemoveDependencies_v2", fill_late_node},
    {"const cudaGraphNode_t *", NULL, NULL, fill_graph_node},
    {"struct cudaGraphNodeParams *", NULL, NULL, fill_any_node},
    {"const CUgraphNode *", NULL, NULL, fill_graph_node},
    {"const struct cudaMemcpy3DParms *", NULL, NULL, fill_copy_3d},
    {"const struct cudaMemcpy3DPeerParms *", NULL, NULL, fill_copy_3d_peer},
    {"const struct cudaResourceDesc *", NULL, NULL, fill_resource},
    {"const CUDA_RESOURCE_DESC *", NULL, NULL, fill_driver_resource},
    {"const struct cudaChannelFormatDesc *", NULL, NULL, fill_format},
    {"const struct cudaMemAccessDesc *", NULL, NULL, fill_access},
    {"const CUmemAccessDesc *", NULL, NULL, fill_access},
    {"struct cudaMemLocation *", NULL, NULL, fill_location},
    {"const CUmemLocation *", NULL, NULL, fill_location},
    {"const struct cudaMemPoolProps *", NULL, NULL, fill_pool_props},
    {"const CUmemAllocationProp *", NULL, NULL, fill_physical_props},
    {"const struct cudaKernelNodeParams *", NULL, NULL, fill_kernel_node},
    {"const CUDA_KERNEL_NODE_PARAMS *", NULL, NULL, fill_driver_kernel_node},
    {"const struct cudaMemsetParams *", NULL, NULL, fill_memset_node},
    {"const struct cudaHostNodeParams *", NULL, NULL, fill_host_node},
    {"const cudaLaunchConfig_t *", NULL, NULL, fill_launch},
    {"const CUlaunchConfig *", NULL, NULL, fill_driver_launch},
    {"const CUDA_MEMCPY2D *", NULL, NULL, fill_copy_2d_driver},
    {"const CUDA_MEMCPY3D *", NULL, NULL, fill_copy_3d_driver},
    {"const CUDA_ARRAY_DESCRIPTOR *", NULL, NULL, fill_array},
    {"const CUDA_ARRAY3D_DESCRIPTOR *", NULL, NULL, fill_array_3d},
    {"struct cudaExtent", NULL, NULL, fill_extent},
    {"struct cudaPitchedPtr", NULL, NULL, fill_pitched},
    {"dim3", NULL, NULL, fill_dim},
    {"struct cudaMemLocation", NULL, NULL, fill_location},
    {"CUmemLocation", NULL, NULL, fill_location},
    {"CUmemLocation *", NULL, NULL, fill_location},
    {"const CUmemPoolProps *", NULL, NULL, fill_pool_props},
    {"const CUDA_MEMCPY3D_PEER *", NULL, NULL, fill_copy_3d_peer_driver},
    {"struct cudaMemcpyAttributes *", NULL, NULL, fill_batch},
    {"CUmemcpyAttributes *", NULL, NULL, fill_batch},
    {"struct cudaMemcpy3DBatchOp *", NULL, NULL, fill_batch_3d},
    {"CUDA_MEMCPY3D_BATCH_OP *", NULL, NULL, fill_batch_3d},
    {NULL, "dsts", NULL, fill_addresses},
    {NULL, "srcs", NULL, fill_other_addresses},
    {NULL, "dptrs", NULL, fill_addresses},
    {NULL, "sizes", NULL, fill_size},
    {"CUpointer_attribute *", NULL, NULL, fill_pointer_attributes},
    {"void **", "data", NULL, fill_addresses},
    {"void **", "args", NULL, fill_arguments},
    {"void **", "params", NULL, fill_arguments},
};

static bool fits(const char *wanted, const char *given)
{
	return !wanted || strcmp(wanted, given) == 0;
}

/* A block of its own for each parameter, with what the type asks for. */
static uint64_t block_of(const struct call *call, int at)
{
	const struct parameter *p = &call->parameters[at];
	char *block = blocks + (at + 2) * BLOCK;

	memset(block, 0, BLOCK);
	for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
		if (fits(contents[i].type, p->type) && fits(contents[i].name, p->name) &&
		    fits(contents[i].function, call->name)) {
			contents[i].fill(block);
			break;
		}
	return (uintptr_t)block;
}

static const struct value {
	const char *type, *name, *function;
	const void *address; /* the value, if it is one */
	uint64_t number;
} values[] = {
    {"cudaHostFn_t", NULL, NULL, (const void *)nothing_to_do, 0},
    {"CUhostFn", NULL, NULL, (const void *)nothing_to_do, 0},
    {"cudaStreamCallback_t", NULL, NULL, (const void *)nothing_at_all, 0},
    {"CUstreamCallback", NULL, NULL, (const void *)nothing_at_all, 0},
    {"CUoccupancyB2DSize", NULL, NULL, (const void *)no_shared, 0},
    {"const void *", "function", NULL, &stub, 0},
    {"const void *", "symbol", "cudaGetTextureReference", texture_host, 0},
    {"const void *", "symbol", "cudaGetSurfaceReference", surface_host, 0},
    {"const void *", "symbol", "cudaGetFuncBySymbol", &stub, 0},
    {"const void *", "symbol", NULL, &variable, 0},
    {"const char *", "symbol", NULL, "cuInit", 0},
    {"const struct textureReference *", NULL, NULL, texture_host, 0},
    {"const struct surfaceReference *", NULL, NULL, surface_host, 0},
    {"const void *", "image", NULL, text, 0},
    {"const void *", "code", NULL, text, 0},
    {"void *", "data", "cuLinkAddData", text, 0},
    {"const char *", "name", "cudaLibraryGetGlobal", "table", 0},
    {"const char *", "name", "cudaLibraryGetManaged", "table", 0},
    {"const char *", "name", "cuModuleGetTexRef", "tex", 0},
    {"const char *", "name", "cuModuleGetSurfRef", "surf", 0},
    {"const char *", "name", "cuModuleGetGlobal", "table", 0},
    {"const char *", "name", "cuLibraryGetGlobal", "table", 0},
    {"const char *", "name", "cuLibraryGetManaged", "table", 0},
    {"const char *", "name", "cuGetProcAddress_v2", "cuInit", 0},
    {"const char *", "name", NULL, "k", 0},
    {"const char *", "id", NULL, "0000:01:00.0", 0},
    {"const char *", "text", "cuDeviceGetByPCIBusId", "0000:01:00.0", 0},
    {"int", "length", NULL, NULL, 64},
    {"size_t", "size", "cuLinkAddData", NULL, sizeof text},
    {"CUjitInputType", NULL, NULL, NULL, CU_JIT_INPUT_PTX},
    {"size_t", "size", "cuMemCreate", NULL, PHYSICAL},
    {"size_t", "size", "cuMemMap", NULL, PHYSICAL},
    {"size_t", "size", "cuMemAddressReserve", NULL, PHYSICAL},
    {"size_t", "size", "cuMemAddressFree", NULL, PHYSICAL},
    {"size_t", "alignment", NULL, NULL, 0},
    {"size_t", "offset", "cuMemMap", NULL, 0},
    {"size_t", "index", NULL, NULL, 0},
    {"size_t", "wOffset", NULL, NULL, 0},
    {"size_t", "hOffset", NULL, NULL, 0},
    {"size_t", "wOffsetDst", NULL, NULL, 0},
    {"size_t", "hOffsetDst", NULL, NULL, 0},
    {"size_t", "wOffsetSrc", NULL, NULL, 0},
    {"size_t", "hOffsetSrc", NULL, NULL, 0},
    {"size_t", "ndependencies", NULL, NULL, 1},
    {"unsigned int", "flags", "cudaStreamAttachMemAsync", NULL, cudaMemAttachSingle},
    {"unsigned int", "initialRefcount", NULL, NULL, 1},
    {"unsigned int", "flags", "cudaUserObjectCreate", NULL, cudaUserObjectNoDestructorSync},
    {"unsigned int", "count", "cudaUserObjectRetain", NULL, 1},
    {"unsigned int", "count", "cudaUserObjectRelease", NULL, 1},
    {"unsigned int", "count", "cudaGraphRetainUserObject", NULL, 1},
    {"unsigned int", "count", "cudaGraphReleaseUserObject", NULL, 1},
    {"size_t", "pitch", NULL, NULL, 64},
    {"size_t", "dpitch", NULL, NULL, 64},
    {"size_t", "spitch", NULL, NULL, 64},
    {"size_t", "width", NULL, NULL, 4},
    {"size_t", "height", NULL, NULL, 1},
    {"size_t", "count", NULL, NULL, 1},
    {"size_t", "numAttrs", NULL, NULL, 1},
    {"size_t", "numOps", NULL, NULL, 1},
    {"size_t", "numPrefetchLocs", NULL, NULL, 1},
    {"size_t", "paramIndex", NULL, NULL, 0},
    {"unsigned int", "numKernels", NULL, NULL, 1},
    {"unsigned int", "numFunctions", NULL, NULL, 1},
    {"unsigned int", "numAttributes", NULL, NULL, 1},
    {"unsigned int", "flags", "cuStreamAttachMemAsync", NULL, CU_MEM_ATTACH_SINGLE},
    {"int", "numBlocks", NULL, NULL, 1},
    {"cudaLaunchAttributeID", NULL, NULL, NULL, cudaLaunchAttributePriority},
    {"CUstreamAttrID", NULL, NULL, NULL, CU_LAUNCH_ATTRIBUTE_PRIORITY},
    {"CUdevice_P2PAttribute", NULL, NULL, NULL, cudaDevP2PAttrAccessSupported},
    {"CUmem_advise", NULL, NULL, NULL, CU_MEM_ADVISE_SET_READ_MOSTLY},
    {"CUmemAllocationType", NULL, NULL, NULL, CU_MEM_ALLOCATION_TYPE_PINNED},
    {"enum cudaMemAllocationType", NULL, NULL, NULL, cudaMemAllocationTypePinned},
    {"CUmemPool_attribute", NULL, NULL, NULL, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD},
    {"const void *", "entryFuncAddr", NULL, &stub, 0},
    {"size_t", NULL, NULL, NULL, 8},
    {"unsigned int", "elementSize", NULL, NULL, 4},
    {"unsigned int", "bytes", NULL, NULL, 8},
    {"int", "blockSize", NULL, NULL, 32},
    {"int", "blocks", NULL, NULL, 1},
    {"int", "count", NULL, NULL, 1},
    {"int", "channels", NULL, NULL, 1},
    {"int", "width", NULL, NULL, 1},
    {"int", "height", NULL, NULL, 1},
    {"enum cudaMemcpyKind", NULL, NULL, NULL, cudaMemcpyDefault},
    {"enum cudaDeviceAttr", NULL, NULL, NULL, cudaDevAttrWarpSize},
    {"CUdevice_attribute", NULL, NULL, NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    {"enum cudaMemPoolAttr", NULL, NULL, NULL, cudaMemPoolAttrReleaseThreshold},
    {"enum cudaMemoryAdvise", NULL, NULL, NULL, cudaMemAdviseSetReadMostly},
    {"enum cudaFuncAttribute", NULL, NULL, NULL, cudaFuncAttributeMaxDynamicSharedMemorySize},
    {"enum cudaDeviceP2PAttr", NULL, NULL, NULL, cudaDevP2PAttrAccessSupported},
    {"cudaLaunchAttributeID", NULL, NULL, NULL, cudaLaunchAttributePriority},
    {"CUpointer_attribute", NULL, NULL, NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE},
    {"CUarray_format", NULL, NULL, NULL, CU_AD_FORMAT_FLOAT},
    {"CUfunction_attribute", NULL, "cuFuncSetAttribute", NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
    {"CUfunction_attribute", NULL, "cuKernelSetAttribute", NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
    {"int", "x", NULL, NULL, 1},
    {"int", "y", NULL, NULL, 1},
    {"int", "z", NULL, NULL, 1},
    {"unsigned int", "gridX", NULL, NULL, 1},
    {"unsigned int", "gridY", NULL, NULL, 1},
    {"unsigned int", "gridZ", NULL, NULL, 1},
    {"unsigned int", "blockX", NULL, NULL, 1},
    {"unsigned int", "blockY", NULL, NULL, 1},
    {"unsigned int", "blockZ", NULL, NULL, 1},
};

/* An argument in memory that something else has made. */
static uint64_t own_memory(const struct call *call, int at, bool *is)
{
	static const char *const hosts[] = {"cudaFreeHost",      "cuMemFreeHost",
					    "cudaHostGetFlags",  "cudaHostGetDevicePointer",
					    "cuMemHostGetFlags", "cuMemHostGetDevicePointer"};
	const char *name = call->parameters[at].name;

	*is = true;
	if (strcmp(call->parameters[at].type, "void *") == 0)
		for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
			if (strcmp(hosts[i], call->name) == 0)
				return (uintptr_t)pinned;
	if (strstr(call->name, "Free") && (strcmp(name, "ptr") == 0 || strcmp(name, "address") == 0))
		return strcmp(call->name, "cuMemAddressFree") == 0 ? range : (uintptr_t)blocks;
	if (strcmp(call->name, "cuMemMap") == 0 && strcmp(name, "address") == 0)
		return range;
	*is = false;
	return 0;
}

static bool is_address(const char *type)
{
	return strchr(type, '*') || strcmp(type, "CUdeviceptr") == 0 || strncmp(type, "struct ", 7) == 0 ||
	       strcmp(type, "dim3") == 0 || strcmp(type, "CUmemLocation") == 0 ||
	       strcmp(type, "cudaIpcMemHandle_t") == 0 || strcmp(type, "cudaIpcEventHandle_t") == 0;
}

uint64_t argument_valid(const struct call *call, int at)
{
	const struct parameter *p = &call->parameters[at];
	const struct handle *handle = handle_of(call, at);
	bool is_own;
	uint64_t own = own_memory(call, at, &is_own);

	if (handle)
		return word_at(handle->live);
	if (is_own)
		return own;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (fits(values[i].type, p->type) && fits(values[i].name, p->name) &&
		    fits(values[i].function, call->name))
			return values[i].address ? (uintptr_t)values[i].address : values[i].number;
	return is_address(p->type) ? block_of(call, at) : 0;
}

bool argument_is_pointer(const struct call *call, int at)
{
	const char *type = call->parameters[at].type;

	return strchr(type, '*') || strcmp(type, "CUdeviceptr") == 0 || strstr(type, "Fn") || strstr(type, "allback");
}

bool argument_is_handle(const struct call *call, int at)
{
	return handle_of(call, at);
}

bool argument_is_enum(const struct call *call, int at)
{
	const char *type = call->parameters[at].type;

	return (strncmp(type, "enum ", 5) == 0 && !strchr(type, '*')) || strcmp(type, "cudaLaunchAttributeID") == 0 ||
	       (type[0] == 'C' && !is_address(type) && !handle_of(call, at) && strcmp(type, "CUdevice") != 0 &&
		!argument_is_pointer(call, at) && strcmp(type, "CUoccupancyB2DSize") != 0);
}

size_t argument_wrong(const struct call *call, int at, uint64_t wrong[MOST_WRONG])
{
	const char *type = call->parameters[at].type;
	const struct handle *handle = handle_of(call, at);
	size_t n = 0;

	if (handle) {
		if (handle->gone)
			wrong[n++] = word_at(handle->gone);
		wrong[n++] = (uintptr_t)(handle->live == &live.graph ? (void *)live.event : (void *)live.graph);
		wrong[n++] = 0x10;
		wrong[n++] = UINTPTR_MAX;
	} else if (argument_is_enum(call, at)) {
		wrong[n++] = 0x7fff;
		wrong[n++] = (uint64_t)-1;
	} else if (strcmp(type, "size_t") == 0 || strcmp(type, "int") == 0 || strcmp(type, "unsigned int") == 0) {
		wrong[n++] = 0;
		wrong[n++] = (uint64_t)-1;
	}
	return n;
}
