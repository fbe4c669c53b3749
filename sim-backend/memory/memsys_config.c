/* Whether the sections of a memory system fit together. */
#include "sim-backend/memory/memsys_config.h"

#include "common/diag.h"

static bool is_power(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* log2 of the lines that differ only in bits above those which name slice, channel, bank and column. */
static unsigned place_bits(const struct memsys_config *c)
{
	uint32_t channels = c->dram.channels_per_mc, slices = c->llc.slices_per_mc;
	unsigned bits = (unsigned)__builtin_ctz(c->noc.mc_routers) + (unsigned)__builtin_ctz(c->dram.banks);
	unsigned columns = (unsigned)__builtin_ctz(c->dram.row_bytes / c->llc.line_bytes);
	unsigned in_mc = (unsigned)__builtin_ctz(slices > channels ? slices : channels);

	/* Slice bits below the channel's count as column bits. */
	if (slices > channels)
		columns -= columns < (unsigned)__builtin_ctz(slices / channels)
			       ? columns
			       : (unsigned)__builtin_ctz(slices / channels);
	return bits + columns + in_mc;
}

/* Every message begins with the key that it is about. */
int memsys_config_check(const struct memsys_config *c, struct diag *d)
{
	const struct noc_config *noc = &c->noc;
	const struct llc_config *llc = &c->llc;
	const struct dram_config *dram = &c->dram;
	const struct {
		const char *name;
		uint32_t value;
	} powers[] = {{"noc.mc_routers", noc->mc_routers},   {"llc.slices_per_mc", llc->slices_per_mc},
		      {"llc.line_bytes", llc->line_bytes},   {"dram.channels_per_mc", dram->channels_per_mc},
		      {"dram.banks", dram->banks},           {"dram.row_bytes", dram->row_bytes},
		      {"map.page_bytes", c->map.page_bytes}, {"chips.count", c->chips.count}};
	uint32_t per_set, sms = c->sms / c->chips.count;
	unsigned gates = chips_gates(&c->chips);

	for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++)
		if (!is_power(powers[i].value))
			return diag_file(d, NULL, "%s is %u; addresses are split by bits, so it must be a power of two",
					 powers[i].name, powers[i].value);
	per_set = noc->mc_routers * llc->slices_per_mc * llc->ways * llc->line_bytes;
	if (noc->clock_mhz > c->core_mhz || llc->clock_mhz > c->core_mhz)
		return diag_file(d, NULL, "%s.clock_mhz is %u; it must not be above gpu.clock_mhz, which is %u",
				 noc->clock_mhz > c->core_mhz ? "noc" : "llc",
				 noc->clock_mhz > c->core_mhz ? noc->clock_mhz : llc->clock_mhz, c->core_mhz);
	if (c->sms % c->chips.count || !sms || sms % noc->sm_routers || sms / noc->sm_routers > 64)
		return diag_file(
		    d, NULL,
		    "gpu.sms is %u; so many cannot be spread evenly over %u SM-routers (noc.sm_routers%s), "
		    "1 to 64 each",
		    c->sms, c->chips.count * noc->sm_routers, c->chips.count > 1 ? " times chips.count" : "");
	if (gates + llc->slices_per_mc > 64 || chips_gate_places(gates, noc->sm_routers) + sms / noc->sm_routers > 64)
		return diag_file(
		    d, NULL,
		    "chips.links is %u; a router or a controller has 64 ports at most, for the SMs or slices behind it and "
		    "the %u links that leave a chip",
		    c->chips.links, gates);
	if (c->chips.directory_entries % (noc->mc_routers * c->chips.directory_ways))
		return diag_file(d, NULL,
				 "chips.directory_entries is %u; it must be a multiple of %u: noc.mc_routers * "
				 "chips.directory_ways; or 0 for no limit",
				 c->chips.directory_entries, noc->mc_routers * c->chips.directory_ways);
	if ((uint64_t)llc->kilobytes * 1024 % per_set)
		return diag_file(d, NULL,
				 "llc.kilobytes is %u; it must be a multiple of %g: slices * ways * line_bytes",
				 llc->kilobytes, per_set / 1024.0);
	if (dram->row_bytes < llc->line_bytes)
		return diag_file(d, NULL, "dram.row_bytes is %u; a row must hold a line (llc.line_bytes = %u)",
				 dram->row_bytes, llc->line_bytes);
	if (llc->line_bytes % dram->burst_bytes)
		return diag_file(d, NULL, "dram.burst_bytes is %u; it must divide llc.line_bytes = %u",
				 dram->burst_bytes, llc->line_bytes);
	if (llc->line_bytes / noc->channel_bytes > 48)
		return diag_file(d, NULL,
				 "noc.channel_bytes is %u; a line of %u bytes must not need more than 48 flits",
				 noc->channel_bytes, llc->line_bytes);
	if (dram->banks % dram->bank_groups)
		return diag_file(d, NULL, "dram.bank_groups is %u; it must divide dram.banks = %u", dram->bank_groups,
				 dram->banks);
	if (dram->refresh && dram->tRFC + dram->tRC + dram->tRCD >= dram->tREFI)
		return diag_file(
		    d, NULL,
		    "dram.tREFI is %u; it must be above %u: tRFC + tRC + tRCD, or there is no time between two "
		    "refreshes to read a row",
		    dram->tREFI, dram->tRFC + dram->tRC + dram->tRCD);
	if (dram->write_low >= dram->write_high || dram->write_high > dram->write_queue)
		return diag_file(d, NULL,
				 "dram.write_high is %u; it must be above dram.write_low (%u), and dram.write_queue "
				 "(%u) at most",
				 dram->write_high, dram->write_low, dram->write_queue);
	if ((unsigned)__builtin_ctz(llc->line_bytes) + place_bits(c) > c->map.address_bits)
		return diag_file(d, NULL, "map.address_bits is %u; %u bits name line offset, slice, bank and column",
				 c->map.address_bits, (unsigned)__builtin_ctz(llc->line_bytes) + place_bits(c));
	if (c->map.page_bytes < llc->line_bytes ||
	    (unsigned)__builtin_ctz(c->map.page_bytes) + (unsigned)__builtin_ctz(noc->mc_routers) > c->map.address_bits)
		return diag_file(d, NULL,
				 "map.page_bytes is %u; it must be at least llc.line_bytes = %u, and the bits above it "
				 "must name a controller within map.address_bits = %u",
				 c->map.page_bytes, llc->line_bytes, c->map.address_bits);
	return noc_config_check(c, d);
}
