/* The arithmetic: how often each event happened, what that costs, and whom. */
#include "sim-backend/energy/energy.h"

static const uint8_t part_of[ENERGY_EVENTS] = {
#define EVENT(name, part, price, help, source) [EVENT_##name] = ENERGY_##part,
#include "sim-backend/energy/energy_events.def"
#undef EVENT
};

static const uint8_t lane_event[TRACE_CLASS_COUNT] = {
    [TRACE_INT] = EVENT_lane_int,        [TRACE_FP32] = EVENT_lane_fp32,       [TRACE_FP64] = EVENT_lane_fp64,
    [TRACE_FP16] = EVENT_lane_fp16,      [TRACE_SFU] = EVENT_lane_sfu,         [TRACE_TENSOR] = EVENT_lane_tensor,
    [TRACE_MOVE] = EVENT_lane_move,      [TRACE_CONVERT] = EVENT_lane_convert, [TRACE_LOAD] = EVENT_lane_memory,
    [TRACE_STORE] = EVENT_lane_memory,   [TRACE_ATOMIC] = EVENT_lane_memory,   [TRACE_ASYNC_COPY] = EVENT_lane_memory,
    [TRACE_TEXTURE] = EVENT_lane_memory, [TRACE_BARRIER] = EVENT_lane_control, [TRACE_FENCE] = EVENT_lane_control,
    [TRACE_BRANCH] = EVENT_lane_control, [TRACE_CALL] = EVENT_lane_control,    [TRACE_EXIT] = EVENT_lane_control,
    [TRACE_WARP] = EVENT_lane_int,       [TRACE_OTHER] = EVENT_lane_control,
};

/* Prices of flits are for 32 B. */
enum { FLIT_BYTES = 32 };

/* --- Counts of events --- */

static void count_instructions(double *n, const struct sm_stats *sm)
{
	n[EVENT_issue] = (double)sm->warp_instructions;
	for (unsigned i = 0; i < TRACE_CLASS_COUNT; i++)
		n[lane_event[i]] += (double)sm->thread_by_class[i];
	n[EVENT_shared_cycle] = (double)sm->shared_cycles;
}

/* `share`: of all flits. */
static void count_networks(double *n, const struct energy_config *c, const struct energy_machine *m,
			   const struct noc_stats *noc, double share)
{
	double flits = share * (double)noc->router_flits, ports = share * (double)noc->switch_ports / 2;
	double width = (double)m->channel_bytes / FLIT_BYTES;
	double mm = (double)noc->link_flits * c->link_mm + (double)noc->short_flits * c->short_link_mm;

	n[EVENT_noc_buffer_write] = n[EVENT_noc_buffer_read] = n[EVENT_noc_switch] = width * flits;
	n[EVENT_noc_switch_port] = width * ports;
	n[EVENT_noc_arbitration] = ports;
	n[EVENT_noc_link_mm] = width * share * mm;
}

/* Events that requests for data cause. */
static void count_requests(double *n, const struct energy_config *c, const struct energy_machine *m,
			   const struct noc_stats *noc, const struct structure_counters *s)
{
	const struct structure_stats *core = &s->core;
	const struct structure_memory *memory = &s->memory;
	double read = (double)memory->read_bursts * m->burst_bytes;
	double written = (double)memory->write_bursts * m->burst_bytes;
	double all = (double)(noc->request_flits + noc->reply_flits);
	double flits = (double)(memory->request_flits + memory->reply_flits);

	n[EVENT_l1_tag] = (double)(core->l1_accesses - core->l1_bypasses + core->writes + core->atomics);
	n[EVENT_l1_read] = (double)core->l1_hits;
	n[EVENT_l1_write] = (double)(core->l1_fills + core->write_hits);
	count_networks(n, c, m, noc, all > 0 ? flits / all : 0);
	n[EVENT_noc_crossbar] = (double)(memory->memory_reads + memory->memory_writes) + (read + written) / FLIT_BYTES;
	n[EVENT_llc_tag] = (double)memory->accesses;
	n[EVENT_llc_read] = (double)memory->array_reads;
	n[EVENT_llc_read_sector] = (double)memory->sectors_read;
	n[EVENT_llc_write] = (double)memory->array_writes;
	n[EVENT_llc_write_sector] = (double)memory->sectors_written;
	n[EVENT_dram_activate] = (double)memory->activates;
	n[EVENT_dram_read_bit] = 8 * read;
	n[EVENT_dram_write_bit] = 8 * written;
	n[EVENT_dram_io_bit] = 8 * (read + written);
}

/* The totals, as the counters of one structure that everything is for. */
static struct structure_counters all_as_one(const struct energy_counts *counts)
{
	const struct l1_stats *l1 = counts->l1;
	const struct llc_stats *llc = counts->llc;
	const struct dram_stats *dram = counts->dram;

	return (struct structure_counters){
	    .core = {.l1_accesses = l1->accesses,
		     .l1_hits = l1->hits,
		     .l1_bypasses = l1->bypasses,
		     .l1_fills = l1->fills - l1->fills_dropped,
		     .writes = l1->writes,
		     .write_hits = l1->write_hits,
		     .atomics = l1->atomics},
	    .memory = {.accesses = llc->accesses,
		       .request_flits = counts->noc->request_flits,
		       .reply_flits = counts->noc->reply_flits,
		       .array_reads = llc->array_reads,
		       .sectors_read = llc->sectors_read,
		       .array_writes = llc->array_writes,
		       .sectors_written = llc->sectors_written,
		       .memory_reads = dram->reads,
		       .memory_writes = dram->writes,
		       .read_bursts = dram->read_bursts,
		       .write_bursts = dram->write_bursts,
		       .activates = dram->activates},
	};
}

static void count_rest(double *n, const struct energy_machine *m, const struct energy_counts *counts)
{
	count_instructions(n, counts->sm);
	n[EVENT_llc_tag] += (double)counts->llc->searched_sets;
	n[EVENT_directory_search] = (double)counts->llc->directory_searches;
	n[EVENT_directory_write] = (double)counts->llc->directory_writes;
	n[EVENT_dram_refresh] = (double)counts->dram->refreshes / (m->refreshes_of_all ? m->refreshes_of_all : 1);
	n[EVENT_chip_link_bit] = 8 * (double)counts->links->bytes;
}

/* --- Energy of events --- */

/* Fills in events, parts and, with their sum, the total. */
static void pay(struct energy *e, const struct energy_config *c, const double *n)
{
	const double pj = 1e-12;

	for (unsigned i = 0; i < ENERGY_EVENTS; i++) {
		e->events[i] = pj * n[i] * c->pj[i];
		e->parts[part_of[i]] += e->events[i];
	}
	for (unsigned i = 0; i < ENERGY_PARTS; i++)
		e->total_j += e->parts[i];
}

static void pay_static(struct energy *e, const struct energy_config *c, const struct energy_machine *m)
{
	double width = (double)m->channel_bytes / FLIT_BYTES;
	const double watts[STATIC_PARTS] = {
	    [STATIC_SM] = m->sms * c->sm_static_w,
	    [STATIC_NOC] =
		width * (m->router_ports / 2.0 * c->router_port_static_w + m->long_links * c->long_link_static_w),
	    [STATIC_LLC] = m->llc_kilobytes * c->llc_kilobyte_static_w,
	    [STATIC_DRAM] = m->channels * c->dram_channel_static_w,
	    [STATIC_OTHER] = m->chips * c->other_static_w,
	};

	for (unsigned i = 0; i < STATIC_PARTS; i++) {
		e->statics[i] = watts[i] * m->seconds;
		e->static_j += e->statics[i];
	}
}

struct energy energy_of_structure(const struct energy_config *c, const struct energy_machine *m,
				  const struct energy_counts *counts, const struct structure_counters *s)
{
	double n[ENERGY_EVENTS] = {0};
	struct energy e = {0};

	count_requests(n, c, m, counts->noc, s);
	pay(&e, c, n);
	return e;
}

struct energy energy_of(const struct energy_config *c, const struct energy_machine *m,
			const struct energy_counts *counts, const struct structure_counters *charged)
{
	struct structure_counters all = all_as_one(counts);
	double n[ENERGY_EVENTS] = {0};
	struct energy e = {0};

	count_requests(n, c, m, counts->noc, &all);
	count_rest(n, m, counts);
	pay(&e, c, n);
	if (charged)
		e.structures_j = energy_of_structure(c, m, counts, charged).total_j;
	e.elsewhere_j = e.total_j - e.structures_j;
	pay_static(&e, c, m);
	e.total_j += e.static_j;
	e.watts = m->seconds > 0 ? e.total_j / m->seconds : 0;
	return e;
}
