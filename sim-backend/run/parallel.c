/* Threads that tick ranges of SMs, and the thread that ticks the rest. */
#include "sim-backend/run/parallel.h"

#include "common/xalloc.h"
#include "sim-backend/run/gate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Rounds between two balancings of the ranges; SMs that a cycle must have for a round. */
enum { BALANCE_ROUNDS = 64, FEWEST_SMS = 8 };
/* SMs that change hands in a balancing, at most; reads of a gate in the time of two SMs' ticks. */
enum { MOST_SMS = 8, LOOKS_FOR_SM = 10 };
/* Cycles that are not shared after a thread was late. */
enum { SHORTEST_PAUSE = 64, LONGEST_PAUSE = 32768 };

/*
 * A thread's share. The first part is the calling thread's, and its context is the machine's. A thread reads and writes
 * different cache lines, and its answer is in a single cache line.
 */
struct part {
	_Alignas(64) struct parallel *parallel;
	struct sm_context *context;
	pthread_t thread;
	uint32_t first, end; /* its SMs .. */
	uint32_t share;      /* .. and how many they are */
	struct sm_context own;
	struct line_stats *lines;      /* what own.lines is, where lines are counted */
	_Alignas(64) struct gate done; /* the round that it has finished, and of its latest cycle: */
	uint32_t ticked;               /* SMs that had something to do */
	uint32_t finished;             /* CTAs that ended */
	uint64_t idle;                 /* reads in vain of the gate, since the last balancing */
	uint64_t sent[];               /* bit set over the SMs */
};

/* The order that a round gives. */
enum order { ORDER_COME, ORDER_TICK, ORDER_STOP };

/* A round is an order to the other threads, which they answer when they have done it. */
struct parallel {
	struct machine *machine;
	bool reply_boxes; /* the last part ticks the reply network */
	unsigned count;
	struct part *parts[PARALLEL_MAX];
	_Alignas(64) struct gate go; /* the round that has begun, and its order */
	enum order order;
	bool memory_ticks; /* in this cycle */
	uint64_t cycle;
	_Alignas(64) unsigned round;
	bool here, called;      /* the other threads are awake, as far as is known; they have been called */
	unsigned alone, pause;  /* cycles until they are called; how many there are when a thread is late */
	unsigned rounds, waits; /* since the last balancing; rounds of them with a wait for a part */
	int step;               /* SMs that the last balancing added to the calling thread's share */
	bool settled;           /* it has grown and shrunk */
	uint32_t structures;    /* rows of the parts' tables: up to the kernel's last structure */
	uint32_t rows;          /* the same of their tables of lines: instructions of all launches that run */
};

/* --- The threads --- */

static void tick_part(struct part *part, uint64_t cycle)
{
	struct parallel *p = part->parallel;
	struct machine *m = p->machine;

	if (p->memory_ticks && p->reply_boxes && part == p->parts[p->count - 1])
		memsys_tick_replies(m->memory, cycle, m->reverse);
	part->ticked = machine_tick_sms(m, part->first, part->end, cycle);
	memsys_find_sent(m->memory, part->first, part->end, part->sent);
	part->finished = part->own.finished;
	part->own.finished = 0; /* below 0 when CTAs are reaped before the next cycle */
}

static void *run_part(void *arg)
{
	struct part *part = arg;
	struct parallel *p = part->parallel;

	for (unsigned round = 1;; round++) {
		uint64_t idle = 0;

		gate_await(&p->go, round, &idle);
		if (p->order == ORDER_STOP)
			return NULL;
		if (p->order == ORDER_TICK)
			tick_part(part, p->cycle);
		part->idle += idle;
		gate_set(&part->done, round);
	}
}

/* Requires that all have answered the round before. */
static void begin_round(struct parallel *p, enum order order)
{
	p->order = order;
	gate_set(&p->go, ++p->round);
}

static bool have_answered(struct parallel *p)
{
	for (unsigned i = 1; i < p->count; i++)
		if (!gate_is_at(&p->parts[i]->done, p->round))
			return false;
	return true;
}

/* --- Ranges --- */

static void deal_out(struct parallel *p)
{
	uint32_t at = 0;

	for (unsigned i = 0; i < p->count; i++) {
		struct part *part = p->parts[i];

		part->first = at;
		at = part->end = at + part->share;
		for (uint32_t sm = part->first; sm < part->end; sm++)
			p->machine->sms[sm]->context = part->context;
	}
}

/* The calling thread has the memory system besides; the others have equal shares of the rest at first. */
static void deal_out_first(struct parallel *p)
{
	uint32_t nsms = p->machine->nsms, others = p->count - 1;
	uint32_t mine = others ? nsms / (2 * p->count) : nsms;

	p->parts[0]->share = mine;
	for (unsigned i = 1; i < p->count; i++)
		p->parts[i]->share = (nsms - mine) * i / others - (nsms - mine) * (i - 1) / others;
	deal_out(p);
}

/* The part of another thread that is idle most; below, the part with SMs that is idle least. */
static struct part *most_idle(struct parallel *p)
{
	struct part *best = p->parts[1];

	for (unsigned i = 2; i < p->count; i++)
		best = p->parts[i]->idle > best->idle ? p->parts[i] : best;
	return best;
}

static struct part *least_idle(struct parallel *p)
{
	struct part *best = NULL;

	for (unsigned i = 1; i < p->count; i++)
		if (p->parts[i]->share && (!best || p->parts[i]->idle < best->idle))
			best = p->parts[i];
	return best;
}

/* Returns false when `from` has no SM to give. */
static bool move_sm(struct part *from, struct part *to)
{
	if (!from || from == to || !from->share)
		return false;
	from->share--;
	to->share++;
	return true;
}

/*
 * The calling thread gets SMs from the others, or gives SMs to them: twice as many each time, until it was too many.
 * From then on one SM moves at a time, because a moved SM's state stays behind in the other core's cache.
 */
static bool move_sms(struct parallel *p, int way)
{
	bool moved = false;

	if (p->step * way < 0)
		p->settled = true;
	if (p->settled || !p->step)
		p->step = way;
	else if (abs(p->step) < MOST_SMS)
		p->step *= 2;
	for (int i = 0; i < abs(p->step); i++)
		moved |= way > 0 ? move_sm(least_idle(p), p->parts[0]) : move_sm(p->parts[0], most_idle(p));
	return moved;
}

static bool level_others(struct parallel *p)
{
	struct part *from = least_idle(p), *to = most_idle(p);

	return from && to->idle - from->idle > BALANCE_ROUNDS * LOOKS_FOR_SM && move_sm(from, to);
}

/*
 * A thread that waits has too little to do. The calling thread gets SMs when it waits in most rounds, and gives SMs
 * away when it seldom waits. Among the other threads, the least idle gives an SM to the most idle.
 */
static void balance(struct parallel *p)
{
	bool moved = false;

	if (++p->rounds < BALANCE_ROUNDS)
		return;
	p->pause = p->pause > SHORTEST_PAUSE ? p->pause / 2 : SHORTEST_PAUSE;
	if (p->waits > BALANCE_ROUNDS / 8 * 5)
		moved = move_sms(p, 1);
	else if (p->waits < BALANCE_ROUNDS / 8 * 3)
		moved = move_sms(p, -1);
	if (p->count > 2)
		moved |= level_others(p);
	if (moved)
		deal_out(p);
	for (unsigned i = 0; i < p->count; i++)
		p->parts[i]->idle = 0;
	p->rounds = p->waits = 0;
}

/*
 * Copies the state that all SMs share into the part. State that SMs write is the part's own, and its counters begin at
 * 0.
 */
static void share_context(struct part *part)
{
	struct sm_context own = *part->parallel->machine->context;

	own.structures = part->own.structures;
	own.conflicts = part->own.conflicts;
	own.lines = own.lines ? part->lines : NULL;
	memset(&own.stats, 0, sizeof own.stats);
	memset(&own.l1_stats, 0, sizeof own.l1_stats);
	own.finished = 0;
	part->own = own;
}

/* --- Life --- */

static struct part *new_part(struct parallel *p)
{
	struct part *part = xcalloc_lines(1, sizeof *part + bits_words(p->machine->nsms) * sizeof *part->sent);

	part->parallel = p;
	part->context = p->count ? &part->own : p->machine->context;
	return part;
}

/* False when the system has no thread left. */
static bool start_part(struct parallel *p)
{
	struct part *part = new_part(p);

	share_context(part);
	if (pthread_create(&part->thread, NULL, run_part, part)) {
		xfree(part);
		return false;
	}
	p->parts[p->count++] = part;
	return true;
}

/* --- Counters --- */

/* Adds up structs that consist of 64-bit counters, and clears the source. */
static void move_counters(void *to, void *from, size_t bytes)
{
	uint64_t *sum = to, *part = from;

	for (size_t i = 0; i < bytes / sizeof *sum; i++) {
		sum[i] += part[i];
		part[i] = 0;
	}
}

void parallel_gather(struct parallel *p)
{
	for (unsigned i = 1; p && i < p->count; i++) {
		struct sm_context *all = p->machine->context, *own = &p->parts[i]->own;

		move_counters(&all->stats, &own->stats, sizeof own->stats);
		move_counters(&all->l1_stats, &own->l1_stats, sizeof own->l1_stats);
		move_counters(all->structures, own->structures, p->structures * sizeof *own->structures);
		if (own->lines)
			move_counters(all->lines, own->lines, p->rows * sizeof *own->lines);
	}
}

/* Instructions of all launches that run. */
static uint32_t rows_of(const struct sm_context *c)
{
	return c->first_inst + c->ninsts;
}

static uint32_t structures_of(const struct sm_context *c)
{
	uint32_t end = 1;

	for (uint32_t i = 0; i < rows_of(c); i++)
		end = c->insts[i].structure >= end ? c->insts[i].structure + 1u : end;
	return end;
}

static void clear_tables(struct part *part)
{
	const struct sm_context *all = part->parallel->machine->context;
	struct sm_context *own = &part->own;
	size_t structures = part->parallel->structures * sizeof *own->structures;
	size_t conflicts = (rows_of(all) + 1) * sizeof *own->conflicts;

	own->structures = xrealloc(own->structures, structures);
	own->conflicts = xrealloc(own->conflicts, conflicts);
	memset(own->structures, 0, structures);
	memset(own->conflicts, 0, conflicts);
	if (all->lines) {
		part->lines = xrealloc(part->lines, part->parallel->rows * sizeof *part->lines);
		memset(part->lines, 0, part->parallel->rows * sizeof *part->lines);
		own->lines = part->lines;
	}
}

void parallel_kernel_begin(struct parallel *p)
{
	if (!p)
		return;
	parallel_gather(p);
	p->structures = structures_of(p->machine->context);
	p->rows = rows_of(p->machine->context);
	for (unsigned i = 1; i < p->count; i++) {
		share_context(p->parts[i]);
		clear_tables(p->parts[i]);
	}
}

/* --- Beginning and end --- */

struct parallel *parallel_create(struct machine *m, unsigned threads)
{
	unsigned most = m->nsms < PARALLEL_MAX ? m->nsms : PARALLEL_MAX;
	struct parallel *p;

	threads = threads < most ? threads : most;
	if (threads < 2 && !memsys_has_boxes(m->memory))
		return NULL;
	p = xcalloc_lines(1, sizeof *p);
	p->machine = m;
	p->pause = SHORTEST_PAUSE;
	p->parts[0] = new_part(p);
	p->count = 1;
	while (p->count < threads && start_part(p))
		;
	deal_out_first(p);
	memsys_use_boxes(m->memory);
	p->reply_boxes = memsys_use_reply_boxes(m->memory);
	if (m->context->kernel)
		parallel_kernel_begin(p);
	return p;
}

static void free_part(struct part *part)
{
	xfree(part->own.structures);
	xfree(part->own.conflicts);
	xfree(part->lines);
	xfree(part);
}

void parallel_free(struct parallel *p)
{
	struct machine *m;

	if (!p)
		return;
	m = p->machine;
	for (unsigned i = 1; i < p->count; i++)
		gate_await(&p->parts[i]->done, p->round, &p->parts[0]->idle);
	begin_round(p, ORDER_STOP);
	for (unsigned i = 1; i < p->count; i++)
		pthread_join(p->parts[i]->thread, NULL);
	parallel_gather(p);
	for (uint32_t sm = 0; sm < m->nsms; sm++)
		m->sms[sm]->context = m->context;
	for (unsigned i = 0; i < p->count; i++)
		free_part(p->parts[i]);
	xfree(p);
}

/* --- The cycle --- */

static void tick_memory(struct parallel *p, uint64_t cycle)
{
	if (p->memory_ticks)
		memsys_tick(p->machine->memory, cycle, p->machine->reverse);
}

/* A round is worth its cost if the last cycle was busy: the next cycle will be about as busy. */
static bool is_busy(const struct parallel *p)
{
	uint32_t ticked = 0;

	for (unsigned i = 0; i < p->count; i++)
		ticked += p->parts[i]->ticked;
	return ticked >= FEWEST_SMS;
}

/*
 * Whether the others can take part in this cycle. Those that may sleep are called first, and nobody waits for them to
 * come: until they do, cycles are done alone.
 */
static bool others_come(struct parallel *p, uint64_t cycle)
{
	if (p->machine->share_each)
		return p->count > 1 && cycle % p->machine->share_each == 0;
	if (p->alone) {
		p->alone--;
		return false;
	}
	if (p->count == 1 || !is_busy(p))
		return p->here = p->called = false;
	if (p->here || !have_answered(p))
		return p->here;
	if (p->called)
		return p->here = true;
	begin_round(p, ORDER_COME);
	p->called = true;
	return false;
}

/*
 * A thread that is late has lost its core to another program. Then a cycle may take a thousand times as long as on one
 * thread, so the next cycles run on the calling thread alone: twice as many each time, until no thread is late.
 */
static void note_late(struct parallel *p)
{
	p->here = p->called = false;
	p->alone = p->pause;
	p->pause = p->pause < LONGEST_PAUSE ? 2 * p->pause : LONGEST_PAUSE;
}

static void tick_together(struct parallel *p, uint64_t cycle)
{
	bool late = false;

	p->cycle = cycle;
	begin_round(p, ORDER_TICK);
	tick_memory(p, cycle);
	tick_part(p->parts[0], cycle);
	p->waits += !have_answered(p);
	for (unsigned i = 1; i < p->count; i++)
		late |= !gate_await(&p->parts[i]->done, p->round, &p->parts[0]->idle);
	if (late)
		note_late(p);
	balance(p);
}

static void tick_alone(struct parallel *p, uint64_t cycle)
{
	tick_memory(p, cycle);
	for (unsigned i = 0; i < p->count; i++)
		tick_part(p->parts[i], cycle);
}

static void take_answers(struct parallel *p, uint64_t cycle)
{
	for (unsigned i = 0; i < p->count; i++) {
		struct part *part = p->parts[i];

		p->machine->context->finished += part->finished;
		memsys_empty_boxes(p->machine->memory, cycle, part->sent);
	}
}

uint64_t parallel_tick(struct parallel *p, uint64_t cycle)
{
	struct machine *m = p->machine;

	p->memory_ticks = m->memory_wake <= cycle;
	cta_scheduler_tick(m->ctas, cycle);
	memsys_fill_boxes(m->memory, cycle, p->memory_ticks);
	if (others_come(p, cycle))
		tick_together(p, cycle);
	else
		tick_alone(p, cycle);
	take_answers(p, cycle);
	return machine_next(m, cycle);
}
