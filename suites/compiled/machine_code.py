"""Machine code of compiled functions, from numba's cache on disk without numba's compiler.

Before numba's dispatcher looks into its cache, it imports all that it could compile, scipy's linear
algebra included: that takes longer than numba itself, and what is in the cache needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any


@cache
def machine_code(function: Any, signature: str) -> Callable[..., Any]:
    """The compiled entry of a function, from the cache on disk or compiled now.

    This is what numba's dispatcher would call after looking at the types of the arguments; so **the
    caller vouches for the types**. It saves 0.1 µs a call.

    Args:
        function: Decorated with ``njit(cache=True)``.
        signature: The types of the arguments, as numba writes them: ``"float64[:], int64"``.

    Raises:
        NumbaError: numba cannot compile it for these types.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.sigutils import normalize_signature

    # under these types the cache has it, whoever compiled it
    types, _ = normalize_signature(f"({signature},)")  # type: ignore[no-untyped-call]
    with global_compiler_lock:
        with suppress(Exception):  # numba's cache is its own affair: what fails here, compiles
            if (found := _cached(function, types)) is not None:
                return found
        entry: Callable[..., Any]
        try:
            entry = function.compile(types)
        except Exception:  # its files are damaged, or else it fails again
            _forget(function, set())
            entry = function.compile(types)
        return entry


def _cached(function: Any, types: tuple[Any, ...]) -> Callable[..., Any] | None:
    from numba.core.runtime.nrt import rtsys

    context = function.targetctx
    rtsys.initialize(context)
    store = function._cache
    if not store._enabled:
        return None
    stored = store._cache_file.load(store._index_key(types, context.codegen()))
    if stored is None:
        return None
    (name, kind, (machine, _)), described, *rest = stored
    wrapper = described.llvm_cpython_wrapper_name
    library = name, kind, (machine, _only_a_name(wrapper))
    found = store._impl.rebuild(context, (library, described, *rest))
    entry: Callable[..., Any] = found.entry_point
    return entry if found.library.get_pointer_to_function(wrapper) else None


def _only_a_name(function: str) -> bytes:
    """LLVM's bitcode of a module that has a function of this name.

    Beside the machine code numba stores what others would be compiled with that call the function.
    From here nothing is compiled, and numba only asks whether there is such a name; to parse all
    that takes longer than everything else together.
    """
    from llvmlite import binding

    module = binding.parse_assembly(f'define void @"{function}"() {{ ret void }}')
    bitcode: bytes = module.as_bitcode()
    return bitcode


def _forget(function: Any, known: set[Any]) -> None:
    """Have the cache forget a compiled function and those that it calls."""
    known.add(function)
    function.recompile()
    plain = function.py_func
    for name in plain.__code__.co_names:
        called = plain.__globals__.get(name)
        if hasattr(called, "recompile") and called not in known:
            _forget(called, known)
