/*
 * A random 3-SAT formula as a graph of clauses, variables, and an edge for each literal; and what each of the sample's
 * launches makes of it, computed on the CPU.
 */
#ifndef ROMARK_SAMPLES_FORMULA_H
#define ROMARK_SAMPLES_FORMULA_H

#include "../common/arrays.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

enum { LITERALS = 3 };

typedef unsigned char flag;

/* An edge for each literal of a clause. `pi_...` are what the variable tells the clause, `eta` is the clause's survey.
 */
struct edges {
	int count, *clause, *variable;
	flag *negated;
	float *eta, *pi_0, *pi_same, *pi_other;
};

/* The clauses or the variables. Node n has list[first[n]] to list[first[n + 1] - 1] as its edges. */
struct side {
	int count, *first, *list;
	flag *done; /* a satisfied clause, or a fixed variable */
	flag *value;
	float *bias;
};

struct nodes {
	array<int> first, list;
	array<flag> done, value;
	array<float> bias;

	nodes(int count, int edge_count) : first(count + 1), list(edge_count), done(count), value(count), bias(count)
	{
	}
	side on_device() const
	{
		return {(int)done.host.size(), first.device, list.device, done.device, value.device, bias.device};
	}
	/* `node_of` has the node of each edge. */
	void index(const std::vector<int> &node_of)
	{
		for (int node : node_of)
			first.host[node + 1]++;
		std::partial_sum(first.host.begin(), first.host.end(), first.host.begin());
		std::vector<int> at(first.host);
		for (size_t edge = 0; edge < node_of.size(); edge++)
			list.host[at[node_of[edge]]++] = (int)edge;
		first.upload();
		list.upload();
		done.upload();
	}
};

struct formula {
	nodes clauses, variables;
	array<int> clause, variable; /* of the edges */
	array<flag> negated;
	array<float> eta, pi_0, pi_same, pi_other;

	formula(int clause_count, int variable_count, int count)
	    : clauses(clause_count, count), variables(variable_count, count), clause(count), variable(count),
	      negated(count), eta(count), pi_0(count), pi_same(count), pi_other(count)
	{
		unsigned state = 1;

		for (int edge = 0; edge < count; edge++) {
			int start = edge / LITERALS * LITERALS, *v = variable.host.data();

			clause.host[edge] = edge / LITERALS;
			do /* a clause has no variable twice */
				v[edge] = (int)(next_random(&state) * (float)variable_count) % variable_count;
			while (std::find(v + start, v + edge, v[edge]) != v + edge);
			negated.host[edge] = next_random(&state) < 0.5f;
			eta.host[edge] = next_random(&state);
		}
		clause.upload();
		variable.upload();
		negated.upload();
		eta.upload();
		clauses.index(clause.host);
		variables.index(variable.host);
	}
	edges on_device() const
	{
		return {(int)clause.host.size(), clause.device,  variable.device,
			negated.device,          eta.device,     pi_0.device,
			pi_same.device,          pi_other.device};
	}
	bool removed(int edge) const
	{
		return clauses.done.host[clause.host[edge]] || variables.done.host[variable.host[edge]];
	}
	/* The product of 1 - eta over those edges of a variable that `counts` accepts. */
	template <typename F>
	double unwarned(int v, F counts) const
	{
		double product = 1;

		for (int i = variables.first.host[v]; i < variables.first.host[v + 1]; i++) {
			int edge = variables.list.host[i];

			if (!clauses.done.host[clause.host[edge]] && counts(edge))
				product *= 1 - eta.host[edge];
		}
		return product;
	}
};

/* --- Each launch's result on the CPU, from the device's state before it --- */

static void messages_on_cpu(formula &f)
{
	const std::vector<flag> &negated = f.negated.host;

	for (int edge = 0; edge < (int)f.clause.host.size(); edge++) {
		int v = f.variable.host[edge], clause = f.clause.host[edge];
		auto product = [&](bool same) {
			return f.unwarned(v, [&](int from) {
				return f.clause.host[from] != clause && (negated[from] == negated[edge]) == same;
			});
		};

		if (f.removed(edge))
			continue;
		double same = product(true), other = product(false);
		f.pi_0.host[edge] = (float)(same * other);
		f.pi_other.host[edge] = (float)((1 - other) * same);
		f.pi_same.host[edge] = (float)((1 - same) * other);
	}
}

/* The largest change. */
static double surveys_on_cpu(formula &f)
{
	double largest = 0;

	for (int edge = 0; edge < (int)f.clause.host.size(); edge++) {
		double eta = 1;

		if (f.removed(edge))
			continue;
		for (int from = edge / LITERALS * LITERALS; from < edge / LITERALS * LITERALS + LITERALS; from++) {
			double other = f.pi_other.host[from];
			double sum = (double)f.pi_0.host[from] + f.pi_same.host[from] + other;

			if (from != edge && !f.removed(from))
				eta *= sum == 0 ? 0 : other / sum;
		}
		largest = std::max(largest, std::fabs(eta - f.eta.host[edge]));
		f.eta.host[edge] = (float)eta;
	}
	return largest;
}

/* The sum of the larger sides. */
static double biases_on_cpu(formula &f)
{
	double sum = 0;

	for (int v = 0; v < (int)f.variables.done.host.size(); v++) {
		double no = f.unwarned(v, [&](int edge) { return f.negated.host[edge]; });
		double yes = f.unwarned(v, [&](int edge) { return !f.negated.host[edge]; });
		double for_yes = (1 - yes) * no, for_no = (1 - no) * yes, all = no * yes + for_yes + for_no;

		if (f.variables.done.host[v])
			continue;
		all = all == 0 ? 1 : all;
		f.variables.bias.host[v] = (float)(std::fabs(for_yes - for_no) / all);
		f.variables.value.host[v] = for_yes > for_no;
		sum += std::max(for_yes, for_no) / all;
	}
	return sum;
}

static void decimate_on_cpu(formula &f, const std::vector<int> &fixed)
{
	for (int v : fixed) {
		f.variables.done.host[v] = 1;
		for (int i = f.variables.first.host[v]; i < f.variables.first.host[v + 1]; i++) {
			int edge = f.variables.list.host[i];

			if (f.negated.host[edge] != f.variables.value.host[v])
				f.clauses.done.host[f.clause.host[edge]] = 1;
		}
	}
}

#endif
