/*
 * The router against a model of iSLIP with virtual channels that is written down plainly: loops over inputs, VCs and
 * outputs instead of bit sets, and no pipeline, buffers or credits. All sources always have packets, of one flit and
 * for random sinks, so in both every VC always has one in front.
 */
#include "tests/sim-backend/support.h"

#include "common/diag.h"
#include "sim-backend/noc/networks.h"
#include "sim-backend/probe/probe.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 16, MOST_VCS = 8 };

/* One crossbar of n inputs and n outputs, each with `vcs` VCs. */
struct crossbar {
	unsigned n, vcs, iterations;
	bool by_input; /* an output's pointer names an input, not a VC of one */
	uint64_t random;
	struct {
		unsigned to; /* output of the packet in front */
		bool has_vc; /* of that output */
	} vc[MOST_PORTS][MOST_VCS];
	struct {
		unsigned free_vcs;
		unsigned next_vc; /* input * vcs + VC: who is first to get a free VC */
		unsigned grant;   /* the same: who is first to get a grant */
	} out[MOST_PORTS];
	struct {
		unsigned accept;  /* output that is first to be accepted */
		unsigned next_vc; /* by_input: VC that is first in its turn */
	} in[MOST_PORTS];
};

static void crossbar_begin(struct crossbar *x, unsigned n, unsigned vcs, unsigned iterations, bool by_input)
{
	*x = (struct crossbar){.n = n, .vcs = vcs, .iterations = iterations, .by_input = by_input, .random = 1};
	for (unsigned i = 0; i < n; i++) {
		x->out[i].free_vcs = vcs;
		for (unsigned v = 0; v < vcs; v++)
			x->vc[i][v].to = (unsigned)random_below(&x->random, n);
	}
}

static void crossbar_give_vcs(struct crossbar *x)
{
	unsigned count = x->n * x->vcs;

	for (unsigned j = 0; j < x->n; j++)
		for (unsigned seen = 0, first = x->out[j].next_vc; seen < count; seen++) {
			unsigned k = (first + seen) % count, i = k / x->vcs, v = k % x->vcs;

			if (x->vc[i][v].to != j || x->vc[i][v].has_vc || !x->out[j].free_vcs)
				continue;
			x->vc[i][v].has_vc = true;
			x->out[j].free_vcs--;
			x->out[j].next_vc = (k + 1) % count;
		}
}

/* The input VC that output j grants, as input * vcs + VC; -1 = none asks. */
static int crossbar_grant(const struct crossbar *x, unsigned j, const bool *matched)
{
	unsigned count = x->n * x->vcs;

	for (unsigned seen = 0; seen < count; seen++) {
		unsigned k = (x->out[j].grant + seen) % count, i = k / x->vcs, v = k % x->vcs;

		if (x->by_input)
			v = (x->in[i].next_vc + seen) % x->vcs;
		if (!matched[i] && x->vc[i][v].has_vc && x->vc[i][v].to == j)
			return (int)(i * x->vcs + v);
	}
	return -1;
}

/* Packets that cross in one iteration. */
static unsigned crossbar_match(struct crossbar *x, bool *in_matched, bool *out_matched, bool first)
{
	int granted[MOST_PORTS];
	unsigned crossed = 0;

	for (unsigned j = 0; j < x->n; j++)
		granted[j] = out_matched[j] ? -1 : crossbar_grant(x, j, in_matched);
	for (unsigned i = 0; i < x->n; i++)
		for (unsigned seen = 0; seen < x->n; seen++) {
			unsigned j = (x->in[i].accept + seen) % x->n, v;

			if (granted[j] < 0 || (unsigned)granted[j] / x->vcs != i)
				continue;
			v = (unsigned)granted[j] % x->vcs;
			if (first) {
				x->in[i].accept = (j + 1) % x->n;
				x->in[i].next_vc = (v + 1) % x->vcs;
				x->out[j].grant =
				    (x->by_input ? (i + 1) * x->vcs : i * x->vcs + v + 1) % (x->n * x->vcs);
			}
			x->out[j].free_vcs++;
			x->vc[i][v].has_vc = false;
			x->vc[i][v].to = (unsigned)random_below(&x->random, x->n);
			in_matched[i] = out_matched[j] = true;
			crossed++;
			break;
		}
	return crossed;
}

/* Packets per cycle and input. */
static double crossbar_passes(struct crossbar *x)
{
	enum { WARMUP = 1000, CYCLES = 5000 };
	uint64_t crossed = 0;

	for (unsigned cycle = 0; cycle < WARMUP + CYCLES; cycle++) {
		bool in_matched[MOST_PORTS] = {false}, out_matched[MOST_PORTS] = {false};

		crossbar_give_vcs(x);
		for (unsigned i = 0; i < x->iterations; i++) {
			unsigned count = crossbar_match(x, in_matched, out_matched, i == 0);

			crossed += cycle >= WARMUP ? count : 0;
		}
	}
	return (double)crossed / CYCLES / x->n;
}

/* The same crossbar of the simulator: the shortest pipeline, and buffers that never run empty or full. */
static double router_passes(const struct crossbar *x)
{
	struct memsys_config c = paper_machine();
	struct probe_traffic traffic = PROBE_TRAFFIC_DEFAULT;
	struct probe_noc_result r;
	struct diag d = DIAG_INIT;
	char why[256];

	assert_int_equal(knob_set(knob_find(noc_knobs, "topology"), &c.noc, "flat", why, sizeof why), 0);
	c.sms = c.noc.sm_routers = c.noc.mc_routers = x->n;
	c.llc.slices_per_mc = 1;
	c.llc.input_queue = 64;
	c.noc.vcs = x->vcs;
	c.noc.vc_flits = 32;
	c.noc.injection_queue = 64;
	c.noc.router_stages = 2;
	c.noc.islip_iterations = x->iterations;
	c.noc.arbiter = x->by_input ? NOC_ARBITER_INPUT : NOC_ARBITER_VC;
	if (memsys_config_check(&c, &d) < 0)
		fail_msg("%s", d.message);
	traffic.rate = 1;
	traffic.flits = 1;
	traffic.warmup = 3000;
	traffic.cycles = 5000;
	probe_noc(&c, &traffic, &r);
	return r.accepted;
}

/*
 * Both arbiters over every size. Their only difference is the random numbers that they draw. The test is sharper if
 * outputs send to one input in a row.
 */
static void test_router_passes_what_the_plain_model_passes(void **state)
{
	static const unsigned ports[] = {2, 4, 8, 16}, vcs[] = {1, 2, 4, 8};

	(void)state;
	for (unsigned p = 0; p < 4; p++)
		for (unsigned v = 0; v < 4; v++)
			for (unsigned kind = 0; kind < 4; kind++) {
				struct crossbar x;
				double plain, router;

				crossbar_begin(&x, ports[p], vcs[v], 1 + kind / 2, kind % 2);
				plain = crossbar_passes(&x);
				router = router_passes(&x);
				if (fabs(plain - router) > (x.by_input ? 0.015 : 0.04))
					fail_msg("%u ports, %u VCs, %u iterations, arbiter=%s: %g, not %g", x.n, x.vcs,
						 x.iterations, x.by_input ? "input" : "vc", router, plain);
			}
}

/*
 * iSLIP's pointers go over inputs, so more VCs never let less through; going over all input VCs, 8 pass less than 4.
 */
static void test_default_is_islip(void **state)
{
	double passes[2][MOST_VCS + 1];

	(void)state;
	assert_int_equal(paper_machine().noc.arbiter, NOC_ARBITER_INPUT);
	for (unsigned by_input = 0; by_input < 2; by_input++)
		for (unsigned vcs = 4; vcs <= 8; vcs += 4) {
			struct crossbar x;

			crossbar_begin(&x, 16, vcs, 1, by_input);
			passes[by_input][vcs] = crossbar_passes(&x);
		}
	assert_true(passes[1][8] > passes[1][4]);
	assert_true(passes[0][8] < passes[0][4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_router_passes_what_the_plain_model_passes),
	    cmocka_unit_test(test_default_is_islip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
