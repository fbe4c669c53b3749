/* Encoder of one warp's stream: blocks with masks, and the lanes' addresses of each memory instruction. */
#ifndef ROMARK_TRACE_ENCODE_H
#define ROMARK_TRACE_ENCODE_H

#include "trace/bytes.h"
#include "trace/trace.h"

struct warp_encoder {
	struct bytes out;
	struct trace_predictor expect;
	uint32_t access_end; /* ordinal behind the open block's last memory instruction */
};

/* Empties the stream for the next CTA; the buffer is kept. */
void encoder_start(struct warp_encoder *e);
void encode_block(struct warp_encoder *e, uint32_t block, uint32_t mask);
/* `named_space`: the space in the static table, 0 for generic. */
void encode_access(struct warp_encoder *e, unsigned named_space, enum trace_space space, uint32_t mask,
		   const uint64_t *addresses);

#endif
