"""Objects of LLVM's become modules that a WebAssembly runtime loads and that compute what they should."""

from collections.abc import Sequence

import llvmlite.binding as llvm
import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from millrace.engine.wasm import leb
from millrace.engine.wasm.linker import STACK_END, Linked, custom_section, link
from millrace.engine.wasm.lowering import TRIPLE
from millrace.engine.wasm.object_file import ObjectError, read_customs, read_object

SUM = """
@numbers = internal constant [3 x i32] [i32 1, i32 20, i32 300]
@pointer = internal global ptr @numbers
@buffer = internal global [100 x i8] zeroinitializer, align 64

define i32 @sum(i32 %count) {
entry:
  %start = load ptr, ptr @pointer
  br label %loop
loop:
  %index = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr i32, ptr %start, i32 %index
  %number = load i32, ptr %place
  %more = add i32 %total, %number
  %next = add i32 %index, 1
  %is_last = icmp eq i32 %next, %count
  br i1 %is_last, label %end, label %loop
end:
  ret i32 %more
}

define i32 @on_the_stack(i32 %number) {
  %place = alloca [16 x i32]
  %last = getelementptr [16 x i32], ptr %place, i32 0, i32 %number
  store volatile i32 %number, ptr %last
  %twice = call i32 @double_it(ptr %last)
  ret i32 %twice
}

define internal i32 @double_it(ptr %place) noinline {
  %number = load volatile i32, ptr %place
  %sum = add i32 %number, %number
  ret i32 %sum
}

define i32 @buffer_address() {
  ret i32 ptrtoint (ptr @buffer to i32)
}
"""

OUTSIDE = """
declare i32 @absent(i32)

define i32 @call_it(i32 %number) {
  %result = call i32 @absent(i32 %number)
  ret i32 %result
}
"""

EXPORTS = ("sum", "on_the_stack", "buffer_address")


def object_of(code: str) -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=2, reloc="static", codemodel="default")
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    return bytes(machine.emit_object(llvm.parse_assembly(head + code)))


def linked(exported: Sequence[str] = EXPORTS, left_out: bytes = b"") -> Linked:
    return link(read_object(object_of(SUM)), exported, left_out)


class Running:
    """A module in wasmtime."""

    def __init__(self, module: bytes) -> None:
        self.store = wasmtime.Store()
        self.module = wasmtime.Module(self.store.engine, module)
        self.exports = wasmtime.Instance(self.store, self.module, []).exports(self.store)

    def call(self, name: str, *arguments: int) -> int:
        return int(self.exports[name](self.store, *arguments))  # type: ignore[operator]


def test_code_finds_its_data_and_its_stack() -> None:
    running = Running(linked().content)
    assert [running.call("sum", count) for count in (1, 2, 3)] == [1, 21, 321]
    assert running.call("on_the_stack", 7) == 14


def test_a_module_imports_nothing_and_exports_what_is_asked_and_its_memory() -> None:
    module = Running(linked(["sum"]).content).module
    assert module.imports == []
    assert sorted(export.name for export in module.exports) == ["memory", "sum"]


def test_data_is_aligned_above_the_stack_and_its_address_is_known() -> None:
    module = linked()
    address = module.addresses["buffer"]
    assert address == Running(module.content).call("buffer_address")
    assert address >= STACK_END
    assert address % 64 == 0
    assert module.end >= address + 100


def test_data_can_be_left_out_for_the_page_to_write() -> None:
    numbers = b"".join(number.to_bytes(4, "little") for number in (1, 20, 300))
    module = linked(left_out=numbers)
    assert module.left_out_at == module.addresses["numbers"]
    running = Running(module.content)
    assert running.call("sum", 3) == 0
    running.exports["memory"].write(running.store, numbers, module.left_out_at)  # type: ignore[union-attr]
    assert running.call("sum", 3) == 321


def test_a_function_from_outside_is_refused_by_name() -> None:
    with pytest.raises(ObjectError, match="It needs the functions absent"):
        read_object(object_of(OUTSIDE))


def test_a_module_carries_sections_of_its_own() -> None:
    module = linked().content + custom_section("millrace", b"content")
    assert read_customs(module)["millrace"] == b"content"
    assert Running(module).call("sum", 2) == 21


@given(st.integers(0, 2**32 - 1), st.integers(-(2**31), 2**31 - 1))
def test_numbers_are_read_as_they_were_written(natural: int, whole: int) -> None:
    reader = leb.Reader(leb.unsigned(natural) + leb.signed(whole) + leb.name("name"))
    assert (reader.unsigned(), reader.signed(), reader.name()) == (natural, whole, "name")
    assert reader.is_at_end
