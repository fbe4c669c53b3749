/* Counts each warp's instructions, and puts each line that it touches into the sketch. */
#include "trace/profile.h"

#include <math.h>

enum { LINE_LOG2 = 7, BUCKETS_LOG2 = 12 };

#define COUNT_TOLERANCE 0.02
#define LINES_TOLERANCE 0.05

_Static_assert(TRACE_PROFILE_BUCKETS == 1 << BUCKETS_LOG2, "buckets are chosen by the hash's first bits");

static uint64_t hash_of(uint64_t line)
{
	uint64_t z = line * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void add_line(struct trace_profile *p, uint64_t line)
{
	uint64_t hash = hash_of(line), rest = hash << BUCKETS_LOG2 | 1u << (BUCKETS_LOG2 - 1);
	uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1), *bucket = &p->buckets[hash >> (64 - BUCKETS_LOG2)];

	*bucket = rank > *bucket ? rank : *bucket;
}

static void add_lines(struct trace_profile *p, struct trace_op *op)
{
	uint64_t bytes = op->inst->access_bytes ? op->inst->access_bytes : 1, done = UINT64_MAX;

	trace_op_addresses(op);
	for (uint32_t rest = op->access_mask; rest; rest &= rest - 1) {
		uint64_t address = op->address[__builtin_ctz(rest)], last = (address + bytes - 1) >> LINE_LOG2;

		for (uint64_t line = address >> LINE_LOG2; line <= last; line++) {
			if (line != done)
				add_line(p, line);
			done = line;
		}
	}
}

static void add_insts(struct trace_profile *p, const struct trace_inst *insts, uint32_t count, uint32_t mask)
{
	for (uint32_t i = 0; i < count; i++) {
		p->instructions += !(insts[i].flags & TRACE_PART);
		p->of_class[insts[i].cls]++;
		p->lanes_of_class[insts[i].cls] += (uint64_t)__builtin_popcount(mask);
	}
}

int trace_profile_cta(struct trace_profile *p, const struct trace_kernel *kernel, const struct trace_cta *cta)
{
	struct trace_warp_cursor cursor;
	uint32_t first, mask, count;
	struct trace_op op;

	p->ctas++;
	for (uint32_t warp = 0; warp < cta->nwarps; warp++) {
		trace_warp_start(&cursor, kernel, cta, warp);
		for (;;) {
			count = trace_warp_pass(&cursor, UINT32_MAX, &first, &mask);
			add_insts(p, kernel->insts + first, count, mask);
			if (count)
				continue;
			if (!trace_warp_step(&cursor, &op))
				break;
			add_insts(p, op.inst, 1, op.mask);
			if (op.access_mask)
				p->accesses_to[op.space]++;
			if (op.access_mask && op.space == TRACE_GLOBAL)
				add_lines(p, &op);
		}
		if (cursor.bad)
			return DIAG_ERROR;
	}
	return 0;
}

/* Flajolet et al., AofA 2007: the harmonic mean, and where few buckets are in use their number. */
double trace_profile_lines(const struct trace_profile *p)
{
	const double n = TRACE_PROFILE_BUCKETS, alpha = 0.7213 / (1 + 1.079 / n);
	double sum = 0, estimate;
	unsigned empty = 0;

	for (unsigned i = 0; i < TRACE_PROFILE_BUCKETS; i++) {
		sum += ldexp(1, -p->buckets[i]);
		empty += p->buckets[i] == 0;
	}
	estimate = alpha * n * n / sum;
	return estimate <= 2.5 * n && empty ? n * log(n / empty) : estimate;
}

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(a, b);
}

static bool counts_alike(const uint64_t *a, const uint64_t *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!near((double)a[i], (double)b[i], COUNT_TOLERANCE))
			return false;
	return true;
}

bool trace_profiles_alike(const struct trace_profile *a, const struct trace_profile *b)
{
	return a->ctas == b->ctas && counts_alike(a->of_class, b->of_class, TRACE_CLASS_COUNT) &&
	       counts_alike(a->lanes_of_class, b->lanes_of_class, TRACE_CLASS_COUNT) &&
	       counts_alike(a->accesses_to, b->accesses_to, TRACE_SPACE_COUNT) &&
	       near(trace_profile_lines(a), trace_profile_lines(b), LINES_TOLERANCE);
}
