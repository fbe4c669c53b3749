/*
 * A slice's requests to memory: fetches of sectors that it misses, writes of dirty sectors and of writes that pass
 * through.
 */
#include "sim-backend/llc/slice_parts.h"

#include "sim-backend/base/units.h"
#include "sim-backend/memory/versions.h"

static void tell_policy(const struct llc_slice *s, enum llc_memory_use use, uint32_t bytes)
{
	const struct llc_chips_ops *chips = s->common->policy->chips;

	if (chips && chips->memory_asked)
		chips->memory_asked(s->common->policy_state, use, bytes);
}

/* Counts a request to memory for its data structure. */
static void charge(struct llc_slice *s, const struct dram_request *r)
{
	struct structure_memory *m = &s->common->structures[r->structure];

	m->memory_reads += !r->write;
	m->read_bursts += r->write ? 0 : r->bursts;
	m->memory_writes += r->write;
	m->write_bursts += r->write ? r->bursts : 0;
	s->bursts_asked += r->write ? 0 : r->bursts;
}

void slice_pass_on(struct llc_slice *s, const struct dram_request *r)
{
	charge(s, r);
	tell_policy(s, LLC_FOR_ANOTHER, r->bursts * s->common->burst_bytes);
	port_push(s->to_dram, s->common->cycle + 1, *r);
}

void slice_answer(struct llc_slice *s, const struct dram_request *r)
{
	struct dram_request answer = *r;

	if (s->common->versions)
		answer.versions = versions_sent(s->common->versions, s->number, r->line, UINT8_MAX);
	slice_hold_port(s, &s->port_out_free, slice_bytes_of(r->sectors));
	port_push(s->to_askers, s->common->cycle + 1, answer);
}

/* `bytes` 0: a note. */
static void send_to_dram(struct llc_slice *s, uint64_t line, uint32_t bytes, struct dram_request r)
{
	struct map_place place = address_map_place(s->common->map, line);
	bool far;

	r.line = line;
	r.row = place.row;
	r.channel = place.channel;
	r.slice = (uint8_t)s->slice;
	r.far_slice = r.slice & 63;
	r.chip = s->common->chip & 3;
	r.bank = place.bank;
	r.bursts = bytes ? (uint8_t)units_of(bytes, s->common->burst_bytes) : 0;
	far = s->to_far && page_table_chip(s->common->pages, line) != s->common->chip;
	if (bytes)
		tell_policy(s, far ? LLC_FAR_MEMORY : LLC_OWN_MEMORY, bytes);
	if (far && bytes && !r.write && s->common->asks_home)
		s->fetches_asked++;
	else if (bytes)
		charge(s, &r);
	if (far)
		slice_hold_port(s, &s->port_out_free, r.write ? bytes : 0);
	port_push(far ? s->to_far : s->to_dram, s->common->cycle + 1, r);
}

void slice_fetch(struct llc_slice *s, const struct mem_request *request, uint16_t entry, uint8_t missing)
{
	struct llc_mshr *mshr = &s->mshrs[entry];
	uint8_t sectors = s->common->config->sectored ? missing : s->common->all_sectors;
	uint32_t bytes = (uint32_t)__builtin_popcount(sectors) * MEM_SECTOR_BYTES;

	mshr->sectors |= sectors;
	mshr->fetches++;
	s->reads_out++;
	s->stats.fills++;
	send_to_dram(s, request->line, bytes,
		     (struct dram_request){.mshr = entry, .sectors = sectors, .structure = request->structure});
}

static void write(struct llc_slice *s, uint64_t line, uint32_t bytes, uint8_t sectors, struct dram_request r)
{
	r.mshr = LLC_NOT_PENDING;
	r.write = true;
	if (s->common->versions)
		r.versions = versions_sent(s->common->versions, s->number, line, sectors);
	send_to_dram(s, line, bytes, r);
}

void slice_write(struct llc_slice *s, uint64_t line, uint32_t bytes, uint8_t sectors, uint16_t structure)
{
	write(s, line, bytes, sectors, (struct dram_request){.structure = structure});
}

void slice_tell(struct llc_slice *s, uint64_t line, enum dram_note note)
{
	send_to_dram(s, line, 0, (struct dram_request){.mshr = LLC_NOT_PENDING, .note = note});
}

void slice_write_back(struct llc_slice *s, int index, enum dram_note note)
{
	struct llc_line *line = &s->tags.lines[index];
	unsigned sectors = (unsigned)__builtin_popcount(line->dirty);

	slice_count_read(s, line->writer, line->dirty);
	write(s, s->tags.addresses[index], sectors * MEM_SECTOR_BYTES, line->dirty,
	      (struct dram_request){.structure = line->writer, .note = note});
	s->stats.write_backs++;
	line->dirty = 0;
}
