"""check_module.py ROMARK: the module's answers beside those of the command, and its errors. Called by test_python."""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import romark

command = sys.argv[1]


def fails(words, function, *args, **named):
    try:
        function(*args, **named)
    except romark.Error as error:
        assert words in str(error), f"'{words}' is not in '{error}'"
        return error
    raise AssertionError(f"no error with '{words}'")


def ask(*words):
    return json.loads(subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout)


# A simulation is the command's.
calls = []
result = romark.sim("mm.romtrace", llc="selrep", set={"llc.sectored": True, "l1.ways": 4, "l1.size_bytes": "32K"},
                    threads=2, detail=True, progress=lambda cycles, issued: calls.append(cycles))
same = ask("sim", "mm.romtrace", "--llc=selrep", "--set", "llc.sectored=true", "--set", "l1.ways=4", "--set",
           "l1.size_bytes=32K", "--detail", "--json=-")
for document in (result.json, same):
    del document["host"]
assert result.json == same
assert result.cycles == same["cycles"] == result["cycles"]
assert result["kernels.0.l1.hits"] == same["kernels"][0]["l1"]["hits"]
assert result.get("kernels.9.cycles") is None and result.get("no.such", 5) == 5
table = result.table("kernels")
assert table["cycles"].tolist() == [kernel["cycles"] for kernel in same["kernels"]]
assert table["llc.miss_rate"].dtype == np.float64
assert result.table("structures")["id"].tolist() == [s["id"] for s in same["structures"]]
assert result.array("slice_accesses").sum() == same["llc"]["accesses"]
# Several at once are as one after the other.
policies = ["shared", "private", "selrep", "degree4"] * 2
with ThreadPoolExecutor(4) as pool:
    beside = list(pool.map(lambda llc: romark.sim("mm.romtrace", llc=llc), policies))
for llc, other in zip(policies, beside):
    alone = romark.sim("mm.romtrace", llc=llc)
    del alone.json["host"], other.json["host"]
    assert alone.json == other.json, f"{llc} beside others is not as alone"

fails("did you mean 'shared'", romark.sim, "mm.romtrace", llc="shard")
fails("nothing.romtrace", romark.sim, "nothing.romtrace")
fails("no key 'wais'", romark.sim, "mm.romtrace", set={"l1.wais": 3})

# A trace has what `romark info` counts.
info = ask("info", "mm.romtrace", "--json")
with romark.Trace("mm.romtrace") as trace:
    loads = marked = 0
    for launch in trace:
        accesses = launch.accesses()
        assert len(launch.accesses()) == 0
        is_global = (accesses["op"] == 8) & (accesses["space"] == 1)
        loads += int(is_global.sum())
        marked += int(accesses["read_only"].sum())
        assert (accesses["addresses"][is_global].min(axis=1) > 0).all()
    fails("before the next launch", romark.Launch.accesses, romark.Launch(**{**launch.__dict__, "number": 99}))
assert loads == sum(kernel["global_loads"] for kernel in info["kernels"]) > 0
assert marked == sum(kernel["read_only_loads"] for kernel in info["kernels"]) > 0
fails("the trace is closed", list, trace)
fails("nothing.romtrace", romark.Trace, "nothing.romtrace")

# A trace of one's own comes back as it was written.
lines = np.arange(32, dtype=np.uint64) * 4
with romark.TraceWriter("own.romtrace") as writer:
    kernel = writer.add_kernel("own", [romark.Instruction("load", "global", 4, True, target=0, structure=0, line=7),
                                       romark.Instruction("int", target=1, sources=(0,)),
                                       romark.Instruction("store", "global", 4, sources=(1,), structure=1),
                                       romark.Instruction("exit")], structures=["in", "out"])
    writer.begin_launch(kernel, (3, 1, 1), (64, 1, 1))
    for cta in range(3):
        writer.begin_cta(cta)
        for warp in range(2):
            writer.block(warp)
            writer.access(warp, 4096 + 256 * cta + 128 * warp + lines)
            writer.access(warp, 8192 + lines, lanes=0xFF)
        writer.end_cta()
    writer.end_launch()
with romark.Trace("own.romtrace") as trace:
    launch = next(iter(trace))
    accesses = np.concatenate(list(launch.chunks(5)))
assert (launch.kernel, launch.grid, launch.structures) == ("own", (3, 1, 1), ("in", "out"))
assert len(accesses) == 12 and accesses["op"].tolist() == [8, 9] * 6
assert (accesses["addresses"][4] == 4096 + 256 + lines).all() and accesses["addresses"][1][8:].sum() == 0
assert romark.sim("own.romtrace")["warp_instructions"] == 24


def goes_wrong():
    with romark.TraceWriter("wrong.romtrace") as writer:
        writer.begin_cta(0)


fails("a CTA begins in a launch", goes_wrong)
fails("op is one of", romark.TraceWriter("wrong.romtrace").add_kernel, "k", [romark.Instruction("jump")])

# Verdicts are the command's.
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to)
{
	.reg .b64 %rd<3>;
	.reg .f32 %f<2>;
	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	ld.global.f32 %f1, [%rd1];
	st.global.f32 [%rd2], %f1;
	ret;
}
"""
open("copy.ptx", "w").write(PTX)
analysis = romark.analyse("copy.ptx", load="nc")
assert analysis.report == ask("ptx", "copy.ptx", "--load=nc", "--report=json")
assert [s.verdict for s in analysis.kernels[0].structures] == ["read-only", "write-only"]
assert analysis.kernels[0].guards == (romark.Guard("p0", "p1"),)
assert "ld.global.nc.f32" in analysis.ptx
assert romark.analyse(PTX, alias="strict").kernels[0].loads_marked == 0
assert fails("frobnicate", romark.analyse, PTX.replace("ret;", "frobnicate;")).line == 12
fails("alias is one of", romark.analyse, PTX, alias="loose")
assert romark.interface() == 1 and romark.version()[0].isdigit()
