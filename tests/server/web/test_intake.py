"""Data arriving at a connection: handled completely and in order, in slices, and no more after its end."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from millrace.server.web.backlog import Backlog
from millrace.server.web.intake import SLICE_BYTES, Intake
from tests.waiting import until


class Source(asyncio.Transport):
    """A transport whose reading can be paused."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return self.reads

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True


class Taken:
    """Records the data that was handled."""

    def __init__(self) -> None:
        self.address = "192.0.2.1"
        self.slices: list[bytes] = []

    def take(self, data: bytes) -> None:
        self.slices.append(data)

    def end_pause(self) -> None:
        """Nothing has waited."""


@given(st.lists(st.tuples(st.integers(1, 3 * SLICE_BYTES), st.sampled_from(["", "turn", "hold", "resume"]))))
def test_all_data_is_handled_in_order_and_in_slices(arrivals: list[tuple[int, str]]) -> None:
    async def receive() -> None:
        source, taken = Source(), Taken()
        intake = Intake(taken, source, asyncio.get_running_loop(), Backlog())
        sent = b""
        for number, (length, then) in enumerate(arrivals):
            data = bytes([number % 256]) * length
            sent += data
            if intake.rest or len(data) > SLICE_BYTES:
                intake.keep(data)
            else:
                taken.take(data)
            if then == "turn":
                await asyncio.sleep(0)
            elif then == "resume":
                intake.resume()
            elif then == "hold":
                intake.hold()
                assert not source.reads
        intake.resume()
        await until(lambda: not intake.rest)
        assert b"".join(taken.slices) == sent
        assert all(len(piece) <= SLICE_BYTES for piece in taken.slices)
        assert source.reads

    asyncio.run(receive())


async def test_nothing_is_handled_after_the_connection_has_ended() -> None:
    taken = Taken()
    intake = Intake(taken, Source(), asyncio.get_running_loop(), Backlog())
    intake.keep(b"x" * (2 * SLICE_BYTES))
    intake.close()
    await asyncio.sleep(0)
    assert not taken.slices
