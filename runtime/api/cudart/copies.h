/* Copies and fills as the stream functions, graphs and the driver API share them. */
#ifndef ROMARK_API_COPIES_H
#define ROMARK_API_COPIES_H

#include "runtime/api/state/state.h"

/* A box of bytes: `width` bytes of `height` rows of `depth` slices; pitches are bytes between rows and slices. */
struct copy_box {
	uint64_t to, from;
	size_t to_pitch, to_slice, from_pitch, from_slice;
	size_t width, height, depth;
};

struct fill_box {
	uint64_t to;
	size_t pitch, slice;
	size_t width, height, depth; /* width in elements */
	uint32_t value;
	unsigned element; /* bytes: 1, 2 or 4 */
};

cudaError_t copy_run(struct runtime *rt, const struct copy_box *box);
cudaError_t fill_run(struct runtime *rt, const struct fill_box *box);
/* An error unless both ends are memory that exists, on the side that `kind` names. */
cudaError_t copy_check(struct runtime *rt, const struct copy_box *box, enum cudaMemcpyKind kind);
cudaError_t fill_check(struct runtime *rt, const struct fill_box *box);
/* Checks the copy, then runs it, or adds it to the graph that `stream` captures. */
cudaError_t copy_submit(struct runtime *rt, cudaStream_t stream, const struct copy_box *box, enum cudaMemcpyKind kind);
cudaError_t fill_submit(struct runtime *rt, cudaStream_t stream, const struct fill_box *box);
/* The box of a 3D copy's description. */
cudaError_t copy_box_3d(const struct cudaMemcpy3DParms *p, struct copy_box *box);

#endif
