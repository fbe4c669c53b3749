"""Opens libromark. LIBROMARK names another one than that which was installed beside this module."""

import os
from pathlib import Path
from typing import Any

from cffi import FFI

from ._interface import CDEF, INTERFACE, LIBRARY


def _open(ffi: Any) -> Any:
    beside = Path(__file__).resolve().parent / LIBRARY
    name = os.environ.get("LIBROMARK") or (str(beside) if beside.exists() else Path(LIBRARY).name)
    try:
        library = ffi.dlopen(name)
    except OSError as error:
        raise ImportError(f"libromark cannot be opened: {error}; set LIBROMARK to its path") from None
    found = library.romark_interface()
    if found != INTERFACE:
        raise ImportError(f"{name} has version {found} of its interface, and this module is for version {INTERFACE}")
    return library


ffi: Any = FFI()
ffi.cdef(CDEF)
lib: Any = _open(ffi)
