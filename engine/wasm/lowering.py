"""From numba's LLVM code to one relocatable WebAssembly object without outside symbols."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import llvmlite.binding as llvm

from .views import ALIGNMENT, BLOCK

LlvmAny: TypeAlias = Any
"""A value of llvmlite's, which has no static types."""

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser since 2021 has."""

SPEED_LEVEL = 3
"""With loops unrolled, so that positions of several words need not stay in memory."""


class Entry(NamedTuple):
    """A compiled function that becomes an export."""

    symbol: str
    """Its name in LLVM's code, which follows numba's calling convention."""
    parameters: int
    """How many integers it takes; all are int64, and it returns an int64."""
    library: Any


def to_object(entries: Mapping[str, Entry], block_bytes: int) -> bytes:
    """Return the object that defines a function for each entry, of int32 parameters and result.

    The block of arrays has `block_bytes` bytes.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, reloc="static", codemodel="default", features=FEATURES
    )
    module = _parse(_wrappers(entries, block_bytes), machine)
    for entry in entries.values():
        module.link_in(_parse(str(entry.library._get_module_for_linking()), machine))
    _optimise(module, machine, set(entries))
    return bytes(machine.emit_object(module))


def _wrappers(entries: Mapping[str, Entry], block_bytes: int) -> str:
    """Return the exported functions, which call the entries by numba's convention, and the block of arrays."""
    lines = [f"@{BLOCK} = global [{block_bytes} x i8] zeroinitializer, align {ALIGNMENT}"]
    for name, entry in entries.items():
        numbers = range(entry.parameters)
        lines += [
            f'declare i32 @"{entry.symbol}"(ptr, ptr{", i64" * entry.parameters})',
            f"define i32 @{name}({', '.join(f'i32 %p{number}' for number in numbers)}) {{",
            "  %result = alloca i64",
            "  %error = alloca ptr",
            *(f"  %w{number} = sext i32 %p{number} to i64" for number in numbers),
            f'  %status = call i32 @"{entry.symbol}"(ptr %result, ptr %error'
            f"{''.join(f', i64 %w{number}' for number in numbers)})",
            "  %value = load i64, ptr %result",
            "  %short = trunc i64 %value to i32",
            "  ret i32 %short",
            "}",
        ]
    return "\n".join(lines)


def _parse(text: str, machine: LlvmAny) -> LlvmAny:
    """Parse code of numba's for another machine than the one that numba has made it for."""
    text = re.sub(r"^target (datalayout|triple) = .*$", "", text, flags=re.M)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    return llvm.parse_assembly(head + text.replace("= common ", "= internal "))


def _optimise(module: LlvmAny, machine: LlvmAny, exported: set[str]) -> None:
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = llvm.Linkage.internal
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=SPEED_LEVEL)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
