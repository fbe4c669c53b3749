"""romark from Python: PTX, traces and simulations, over libromark (<romark/romark.h>, docs/library.md).

    import romark
    shared = romark.sim("mm.romtrace", llc="shared")
    selrep = romark.sim("mm.romtrace", llc="selrep", set={"llc.kilobytes": 2048})
    print(shared["cycles"] / selrep["cycles"], selrep.table("kernels")["ipc"])

    for kernel in romark.analyse("k.ptx").kernels:
        print(kernel.name, [s.id for s in kernel.structures if s.verdict == "read-only"])

    with romark.Trace("mm.romtrace") as trace:
        for launch in trace:
            accesses = launch.accesses()            # a numpy array with a row for each access of a warp
            print(launch.kernel, accesses["bytes"].sum())
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._library import ffi, lib

__all__ = ["ACCESS", "Analysis", "Error", "Guard", "Instruction", "Kernel", "Launch", "Result", "Structure", "Trace",
           "TraceWriter", "analyse", "interface", "sim", "version"]

Path = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """What romark says is wrong; `file`, `line` and `column` where they are known."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        place = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.message, self.file, self.line, self.column = message, file, line, column


def _text(value: Any) -> str:
    return str(ffi.string(value).decode("utf-8", "replace")) if value else ""


def _error(e: Any) -> Error:
    return Error(_text(e.message), _text(e.file), int(e.line), int(e.column))


def _path(path: Path) -> bytes:
    return os.fsencode(path)


def version() -> str:
    """The library's version, such as "0.1.0"."""
    return _text(lib.romark_version())


def interface() -> int:
    """The version of the library's interface."""
    return int(lib.romark_interface())


# --- PTX ---


@dataclass(frozen=True)
class Structure:
    """A data structure of a kernel, and what the kernel does to it."""

    id: str
    name: str
    verdict: str
    sharing: str
    loads: int
    stores: int
    atomics: int
    loads_marked: int
    why: str
    why_line: int


@dataclass(frozen=True)
class Guard:
    """Marks hold at a launch if `reads` is other memory than `writes`: ids of structures."""

    reads: str
    writes: str


@dataclass(frozen=True)
class Kernel:
    name: str
    loads: int
    loads_marked: int
    structures: Tuple[Structure, ...]
    guards: Tuple[Guard, ...]


@dataclass(frozen=True)
class Analysis:
    """`report` is what `romark ptx --report=json` writes, `ptx` the first module with marked loads."""

    kernels: Tuple[Kernel, ...]
    report: Dict[str, Any]
    ptx: str


_ALIASES = ("guarded", "strict", "distinct")
_LOADS = ("ro", "nc", "keep")


def _choice(what: str, names: Sequence[str], name: str) -> int:
    if name not in names:
        raise Error(f"{what} is one of {', '.join(names)}, not '{name}'")
    return names.index(name)


def _structure(s: Any) -> Structure:
    return Structure(_text(s.id), _text(s.name), _text(s.verdict), _text(s.sharing), s.loads, s.stores, s.atomics,
                     s.loads_marked, _text(s.why), s.why_line)


def _kernel(a: Any, number: int, k: Any) -> Kernel:
    structures = tuple(_structure(lib.romark_analysis_structure(a, number, i)) for i in range(k.structures))
    guards = [lib.romark_analysis_guard(a, number, i) for i in range(k.guards)]
    return Kernel(_text(k.name), k.loads, k.loads_marked, structures,
                  tuple(Guard(structures[g.reads].id, structures[g.writes].id) for g in guards))


def _kernels(a: Any) -> Iterator[Kernel]:
    number = 0
    while k := lib.romark_analysis_kernel(a, number):
        yield _kernel(a, number, k)
        number += 1


def analyse(ptx: Path, *, alias: str = "guarded", load: str = "ro", loads: bool = False,
            relocatable: bool = False) -> Analysis:
    """Which data the kernels of a PTX file, a program or a PTX text (with ".version" in it) only read."""
    options = ffi.new("struct romark_analyse_options *")
    options.size = ffi.sizeof("struct romark_analyse_options")
    options.alias = _choice("alias", _ALIASES, alias)
    options.load = _choice("load", _LOADS, load)
    options.loads, options.relocatable = loads, relocatable
    error = ffi.new("struct romark_error *")
    if isinstance(ptx, str) and ".version" in ptx:
        text = ptx.encode()
        a = lib.romark_analyse_text(text, len(text), b"ptx", options, error)
    else:
        a = lib.romark_analyse(_path(ptx), options, error)
    if not a:
        raise _error(error)
    try:
        return Analysis(tuple(_kernels(a)), json.loads(_text(lib.romark_analysis_json(a))),
                        _text(lib.romark_analysis_ptx(a)))
    finally:
        lib.romark_analysis_free(a)


# --- Simulation ---


class Result:
    """The document of a simulation. result["llc.miss_rate"] is a value by its path, result.json all of it."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.json = document

    def __getitem__(self, path: str) -> Any:
        at: Any = self.json
        for word in path.split("."):
            try:
                at = at[int(word)] if isinstance(at, list) else at[word]
            except (KeyError, IndexError, TypeError, ValueError):
                raise KeyError(path) from None
        return at

    def get(self, path: str, otherwise: Any = None) -> Any:
        try:
            return self[path]
        except KeyError:
            return otherwise

    @property
    def cycles(self) -> int:
        return int(self["cycles"])

    def array(self, path: str) -> npt.NDArray[Any]:
        """A list of numbers as an array: result.array("slices.misses")."""
        return np.asarray(self[path])

    def table(self, path: str = "kernels") -> npt.NDArray[Any]:
        """A list of objects ("kernels", "structures") as an array with a column for each number and text.

        Numbers inside objects have their paths as names, such as "llc.miss_rate"; numbers that a row leaves out are 0.
        """
        rows = [dict(_scalars(row)) for row in self[path]]
        first: Dict[str, Any] = {}
        for row in rows:
            for key, value in row.items():
                if isinstance(value, str) or key not in first or isinstance(value, float):
                    first[key] = value
        kinds = [(key, object if isinstance(value, str) else type(value)) for key, value in first.items()]
        table = np.zeros(len(rows), dtype=kinds)
        for i, row in enumerate(rows):
            for key, value in row.items():
                table[i][key] = value
        return table


def _scalars(value: Mapping[str, Any], prefix: str = "") -> Iterator[Tuple[str, Any]]:
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _scalars(inner, f"{prefix}{key}.")
        elif not isinstance(inner, list) and inner is not None:
            yield prefix + key, inner


def _setting(key: str, value: object) -> str:
    return f"{key}={str(value).lower() if isinstance(value, bool) else value}"


def sim(trace: Path, *, gpu: Optional[Path] = None, llc: Optional[Path] = None, l1: Optional[Path] = None,
        set: Optional[Mapping[str, object]] = None, kernels: Optional[str] = None, sample: Optional[str] = None,
        max_cycles: int = 0, threads: int = 1, detail: bool = False,
        progress: Optional[Callable[[int, int], None]] = None) -> Result:
    """Simulates a trace, as `romark sim` does; `progress` gets cycles and warp instructions now and then."""
    keep: List[Any] = []

    def word(value: Optional[Path]) -> Any:
        if value is None:
            return ffi.NULL
        keep.append(ffi.new("char[]", _path(value)))
        return keep[-1]

    settings = [word(_setting(key, value)) for key, value in (set or {}).items()]
    options = ffi.new("struct romark_sim_options *")
    options.size = ffi.sizeof("struct romark_sim_options")
    options.gpu, options.llc, options.l1 = word(gpu), word(llc), word(l1)
    options.kernels, options.sample = word(kernels), word(sample)
    options.set = pointers = ffi.new("char *[]", settings + [ffi.NULL])
    options.max_cycles, options.threads, options.detail = max_cycles, threads, detail
    if progress:
        told = progress
        callback = ffi.callback("void(void *, uint64_t, uint64_t)", lambda _, cycles, issued: told(cycles, issued))
        options.progress = callback
    error = ffi.new("struct romark_error *")
    result = lib.romark_sim(_path(trace), options, error)
    del pointers
    if not result:
        raise _error(error)
    try:
        return Result(json.loads(_text(lib.romark_result_json(result))))
    finally:
        lib.romark_result_free(result)


# --- Traces ---

#: A row of Launch.accesses(): struct romark_trace_access.
ACCESS = np.dtype([("addresses", np.uint64, 32), ("cta", np.uint32, 3), ("warp", np.uint32), ("lanes", np.uint32),
                   ("instruction", np.uint32), ("ptx_line", np.uint32), ("source_line", np.uint32),
                   ("structure", np.uint16), ("op", np.uint8), ("space", np.uint8), ("bytes", np.uint8),
                   ("read_only", np.uint8), ("reserved", np.uint8, 2)])
assert ACCESS.itemsize == ffi.sizeof("struct romark_trace_access")


@dataclass(frozen=True)
class Launch:
    """A launch of a trace; its accesses can be read until the next launch is."""

    number: int
    kernel: str
    module: str
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    shared_bytes: int
    registers: int
    stream: int
    marks: str
    marks_in_force: bool
    structures: Tuple[str, ...]
    verdicts: Tuple[str, ...]
    _trace: "Trace"

    def chunks(self, rows: int = 65536) -> Iterator[npt.NDArray[Any]]:
        """The accesses that have not been read yet, in arrays of at most so many rows."""
        while True:
            array = self._trace._read(self.number, rows)
            if not len(array):
                return
            yield array

    def accesses(self) -> npt.NDArray[Any]:
        """All of them in one array."""
        parts = list(self.chunks())
        return np.concatenate(parts) if parts else np.empty(0, ACCESS)


def _launch(l: Any, trace: "Trace") -> Launch:
    return Launch(l.number, _text(l.kernel), _text(l.module), (l.grid[0], l.grid[1], l.grid[2]),
                  (l.block[0], l.block[1], l.block[2]), l.shared_bytes, l.registers, l.stream, _text(l.marks),
                  bool(l.marks_in_force), tuple(_text(l.structures[i].id) for i in range(l.nstructures)),
                  tuple(_text(l.structures[i].verdict) for i in range(l.nstructures)), trace)


class Trace:
    """Goes through the launches of a trace."""

    def __init__(self, path: Path) -> None:
        self._error = ffi.new("struct romark_error *")
        self._trace = lib.romark_trace_open(_path(path), self._error)
        self._number = -1
        if not self._trace:
            raise _error(self._error)

    def __iter__(self) -> Iterator[Launch]:
        launch = ffi.new("struct romark_launch **")
        while True:
            more = lib.romark_trace_next_launch(self._open(), launch, self._error)
            if more < 0:
                raise _error(self._error)
            if more == 0:
                return
            self._number = launch[0].number
            yield _launch(launch[0], self)

    def _open(self) -> Any:
        if not self._trace:
            raise Error("the trace is closed")
        return self._trace

    def _read(self, number: int, rows: int) -> npt.NDArray[Any]:
        if number != self._number:
            raise Error("a launch's accesses are read before the next launch")
        array = np.empty(rows, ACCESS)
        pointer = ffi.cast("struct romark_trace_access *", ffi.from_buffer(array))
        count = lib.romark_trace_read(self._open(), pointer, rows, self._error)
        if count < 0:
            raise _error(self._error)
        return array[:count]

    def close(self) -> None:
        lib.romark_trace_close(self._trace)
        self._trace = ffi.NULL

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Instruction:
    """A row of a kernel for TraceWriter: `op` such as "load", "fp32", "store", "exit"; `space` such as "global"."""

    op: str
    space: str = ""
    bytes: int = 0
    read_only: bool = False
    target: int = 0xFFFF
    sources: Tuple[int, ...] = ()
    structure: int = 0xFFFF
    line: int = 0


_OPS = ("int", "fp32", "fp64", "fp16", "sfu", "tensor", "move", "convert", "load", "store", "atomic", "async_copy",
        "texture", "barrier", "fence", "branch", "call", "exit", "warp", "other")
_SPACES = ("", "global", "shared", "local", "const", "param")


class TraceWriter:
    """Writes a trace, in the order that <romark/romark.h> describes; the file appears when `with` ends well."""

    def __init__(self, path: Path) -> None:
        self._error = ffi.new("struct romark_error *")
        self._writer = lib.romark_trace_create(_path(path), self._error)
        if not self._writer:
            raise _error(self._error)

    def _check(self, status: int) -> int:
        if status < 0:
            raise _error(self._error)
        return status

    def add_kernel(self, name: str, instructions: Sequence[Instruction], *, structures: Sequence[str] = (),
                   blocks: Sequence[int] = (0,), registers: int = 0, shared_bytes: int = 0) -> int:
        """`blocks`: the instruction at which each basic block begins. Returns the kernel's number."""
        rows = ffi.new("struct romark_instruction[]", len(instructions))
        for row, i in zip(rows, instructions):
            row.op, row.space = _choice("op", _OPS, i.op), _choice("space", _SPACES, i.space)
            row.bytes, row.read_only, row.target, row.structure, row.line = (i.bytes, i.read_only, i.target,
                                                                             i.structure, i.line)
            row.sources = (tuple(i.sources) + (0xFFFF,) * 3)[:3]
        ids = [ffi.new("char[]", s.encode()) for s in structures]
        kernel = ffi.new("struct romark_kernel *")
        kernel.size = ffi.sizeof("struct romark_kernel")
        kernel.name = name_text = ffi.new("char[]", name.encode())
        kernel.instructions, kernel.ninstructions = rows, len(instructions)
        kernel.blocks = starts = ffi.new("uint32_t[]", list(blocks))
        kernel.nblocks = len(blocks)
        kernel.structures = pointers = ffi.new("char *[]", ids + [ffi.NULL])
        kernel.nstructures, kernel.registers, kernel.shared_bytes = len(ids), registers, shared_bytes
        number = self._check(lib.romark_trace_add_kernel(self._writer, kernel, self._error))
        del name_text, starts, pointers
        return number

    def begin_launch(self, kernel: int, grid: Tuple[int, int, int], block: Tuple[int, int, int]) -> None:
        self._check(lib.romark_trace_begin_launch(self._writer, kernel, ffi.new("uint32_t[3]", grid),
                                                  ffi.new("uint32_t[3]", block), ffi.NULL, self._error))

    def begin_cta(self, x: int, y: int = 0, z: int = 0) -> None:
        self._check(lib.romark_trace_begin_cta(self._writer, x, y, z, self._error))

    def block(self, warp: int, block: int = 0, lanes: int = 0xFFFFFFFF) -> None:
        self._check(lib.romark_trace_block(self._writer, warp, block, lanes, self._error))

    def access(self, warp: int, addresses: "npt.ArrayLike", lanes: int = 0xFFFFFFFF) -> None:
        """`addresses`: one for each of the 32 lanes."""
        array = np.ascontiguousarray(addresses, np.uint64)
        if array.shape != (32,):
            raise Error(f"a warp has 32 addresses, not an array of shape {array.shape}")
        pointer = ffi.cast("uint64_t *", ffi.from_buffer(array))
        self._check(lib.romark_trace_access(self._writer, warp, lanes, pointer, self._error))

    def end_cta(self) -> None:
        self._check(lib.romark_trace_end_cta(self._writer, self._error))

    def end_launch(self) -> None:
        self._check(lib.romark_trace_end_launch(self._writer, self._error))

    def __enter__(self) -> "TraceWriter":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        writer, self._writer = self._writer, ffi.NULL
        if kind is not None:
            lib.romark_trace_abandon(writer)
        else:
            self._check(lib.romark_trace_finish(writer, self._error))
