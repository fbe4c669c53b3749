# %% [markdown]
# # A trace, its sharing, and what LLC policies make of it
# The cells of a notebook as a script: `python3 notebook.py mm.romtrace`, or open it in an editor that knows `# %%`.

# %%
import sys

import numpy as np
import romark

trace_path = sys.argv[1] if len(sys.argv) > 1 else "mm.romtrace"
print("romark", romark.version())

# %% [markdown]
# How many CTAs touch each line of 128 B in a launch? A line that many of them read is worth a copy.

# %%
with romark.Trace(trace_path) as trace:
    for launch in trace:
        accesses = launch.accesses()
        accesses = accesses[accesses["space"] == 1]
        lanes = (accesses["lanes"][:, None] >> np.arange(32, dtype=np.uint32)) & 1 == 1
        lines = accesses["addresses"][lanes] // 128
        grid = np.array(launch.grid, np.uint64)
        cta = accesses["cta"].astype(np.uint64)
        number = np.repeat(cta[:, 0] + grid[0] * (cta[:, 1] + grid[1] * cta[:, 2]), lanes.sum(axis=1))
        pairs = np.unique(np.stack([lines, number]), axis=1)
        _, sharers = np.unique(pairs[0], return_counts=True)
        print(f"{launch.kernel}: {len(accesses)} accesses, {len(sharers)} lines,"
              f" {np.mean(sharers > 1):.0%} of them shared, {sharers.mean():.1f} CTAs each,"
              f" {accesses['read_only'].mean():.0%} of the accesses marked")

# %% [markdown]
# The same trace under three policies.

# %%
results = {llc: romark.sim(trace_path, llc=llc, set={"llc.kilobytes": 2048}) for llc in ("shared", "private", "selrep")}
for llc, result in results.items():
    print(f"{llc:8} {result.cycles:8} cycles {results['shared'].cycles / result.cycles - 1:+.1%}"
          f"  LLC miss rate {result['llc.miss_rate']:.3f}")

# %% [markdown]
# Kernels and structures as tables.

# %%
kernels = results["shared"].table("kernels")
for kernel in kernels:
    print(f"{kernel['name']}: {kernel['cycles']} cycles, IPC {kernel['ipc']:.2f}")
structures = results["shared"].table("structures")
busiest = structures[np.argmax(structures["llc_accesses"])]
print("busiest in the LLC:", busiest["id"], busiest["verdict"])
