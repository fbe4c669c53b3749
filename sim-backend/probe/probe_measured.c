/* The measured curves that come with romark, as a table. */
#include "sim-backend/probe/probe_gpu.h"

#define MEASURED(gpu, bench, x, value) {#gpu, BENCH_##bench, x, value},
const struct bench_measured bench_measured[] = {
#include "sim-backend/probe/probe_measured.def"
    {0},
};
