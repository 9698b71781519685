"""Compiles kernels to LLVM code that no processor's own passes have seen, in a process that does nothing else.

numba optimises code for the machine that it runs on before anybody can see it: Nine Men's Morris came out ten times as
large for WebAssembly. Here its libraries only collect the code. Numba's sizes and offsets come from LLVM's types, so
that the same code serves a machine of 32 bits, except where numba computes the size of a structure with pointers, which
no kernel has.
"""

from typing import Any, TypeAlias

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.registry import cpu_target

from ..kernel_cache import keep_no_kernels

NumbaAny: TypeAlias = Any
"""A value of numba's internals, which have no static types."""


class CollectedLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a kernel and of all that it calls, never made native."""

    def get_pointer_to_function(self, _name: str) -> int:
        """Return no address: nothing is native."""
        self._ensure_finalized()
        return 0

    def _optimize_functions(self, module: NumbaAny) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Leave the code as it is."""

    def _finalize_specific(self) -> None:
        """Make nothing native."""


class CollectingCodegen(JITCPUCodegen):  # type: ignore[misc]  # numba has no types
    """Collects the code of kernels."""

    _library_class = CollectedLibrary

    def set_env(self, _name: str, _environment: NumbaAny) -> None:
        """Do nothing: the environment is for calls from Python."""

    def _add_module(self, _module: NumbaAny) -> None:
        """Keep the code out of numba's engine."""


def collect_only() -> None:
    """From now on this process compiles kernels only to collect their code; calling one from Python would crash it."""
    context = cpu_target.target_context
    context._internal_codegen = CollectingCodegen("collected")
    keep_no_kernels()
