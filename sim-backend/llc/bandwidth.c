/* Equations 1 and 2 of the SelRep paper. */
#include "sim-backend/llc/bandwidth.h"

double bandwidth_parallelism(const uint32_t *requests, unsigned count)
{
	uint32_t sum = 0, most = 0;

	for (unsigned i = 0; i < count; i++) {
		sum += requests[i];
		most = requests[i] > most ? requests[i] : most;
	}
	return most ? (double)sum / most : 0;
}

double bandwidth_supplied(double parallelism, double hit_rate, double slice, double memory)
{
	double missing = (1 - hit_rate) * slice;

	return parallelism * (hit_rate * slice + (missing < memory ? missing : memory));
}
