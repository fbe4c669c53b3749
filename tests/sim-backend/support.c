/* The driver of the memory system's tests. */
#include "tests/sim-backend/support.h"

#include <stdlib.h>

struct memsys_config paper_machine(void)
{
	struct memsys_config c = {.sms = 64, .core_mhz = 1400};

	knob_defaults(noc_knobs, &c.noc);
	knob_defaults(llc_knobs, &c.llc);
	knob_defaults(dram_knobs, &c.dram);
	knob_defaults(map_knobs, &c.map);
	knob_defaults(chips_knobs, &c.chips);
	knob_defaults(tlb_knobs, &c.tlb);
	return c;
}

struct llc_geometry paper_geometry(void)
{
	return (struct llc_geometry){.chips = 1,
				     .sms = 64,
				     .sectors = 1,
				     .noc_bytes_per_cycle = 64 * 32,
				     .clusters = 16,
				     .mcs = 4,
				     .slices = 16,
				     .sets = 32,
				     .ways = 16,
				     .channels = 32,
				     .line_bytes = 128,
				     .line_shift = 7,
				     .address_bits = 30,
				     .slice_bytes_per_cycle = 32,
				     .memory_bytes_per_cycle = 600e3 / 1400};
}

void create_network(struct network *n, const struct memsys_config *config, bool to_memory, unsigned most_flits,
		    unsigned (*member)(void *context, uint32_t packet), struct transaction_pool *pool)
{
	struct shape shape = memsys_shape(config);
	struct noc_ends ends = memsys_noc_ends(config, to_memory);

	ends.most_flits = most_flits;
	noc_create(n, &config->noc, &shape, to_memory, &ends, member, NULL, pool);
}

struct memsys *memsys_with(const struct memsys_config *config, const char *policy)
{
	const struct llc_policy_ops *ops = llc_policy_find(policy);
	void *knobs = calloc(1, ops->knobs_size + 1);
	struct memsys *ms;

	if (ops->knobs)
		knob_defaults(ops->knobs, knobs);
	ms = memsys_create(config, ops, knobs, 4);
	free(knobs);
	return ms;
}

uint64_t random_below(uint64_t *state, uint64_t bound)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % bound;
}

struct mem_request read_of(uint64_t line, bool read_only)
{
	return (struct mem_request){
	    .line = line, .bytes = 128, .sectors = 15, .kind = MEM_READ, .flags = read_only ? MEM_READ_ONLY : 0};
}

struct mem_request part_of(uint64_t line, uint8_t sectors)
{
	struct mem_request request = read_of(line, false);

	request.sectors = sectors;
	request.bytes = (uint32_t)__builtin_popcount(sectors) * MEM_SECTOR_BYTES;
	return request;
}

struct mem_request write_of(uint64_t line, uint32_t bytes, uint8_t sectors)
{
	return (struct mem_request){
	    .line = line, .bytes = bytes, .sectors = sectors, .kind = MEM_WRITE, .flags = MEM_NO_REPLY};
}

struct mem_request atomic_of(uint64_t line)
{
	return (struct mem_request){.line = line, .bytes = 32, .sectors = 1, .kind = MEM_ATOMIC};
}

uint64_t round_trip(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request request)
{
	struct mem_request reply;

	assert_true(memsys_can_send(ms, sm, cycle));
	memsys_send(ms, sm, cycle, &request);
	for (uint64_t end = cycle + 100000; cycle < end; cycle++) {
		if (memsys_receive(ms, sm, cycle, &reply)) {
			assert_int_equal(reply.line, request.line);
			assert_int_equal(reply.cookie, request.cookie);
			return cycle;
		}
		memsys_tick(ms, cycle, false);
	}
	fail_msg("no reply");
	return 0;
}

uint64_t drain(struct memsys *ms, unsigned sms, uint64_t cycle)
{
	struct mem_request reply;

	for (uint64_t end = cycle + 1000000; cycle < end; cycle++) {
		if (memsys_is_empty(ms))
			return cycle;
		for (unsigned sm = 0; sm < sms; sm++)
			while (memsys_receive(ms, sm, cycle, &reply))
				;
		memsys_tick(ms, cycle, false);
	}
	memsys_dump(ms, stderr);
	fail_msg("not empty");
	return 0;
}
