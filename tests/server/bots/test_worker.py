"""A worker's process ends while nobody needs it."""

import pytest

from millrace.server.bots import rest, worker_process
from millrace.server.bots.worker import COMPILE_SECONDS, Worker, ensure_fork_server
from tests.waiting import until


@pytest.mark.usefixtures("processes")
async def test_a_process_that_was_never_asked_ends_too_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "IDLE_SECONDS", 0)
    ensure_fork_server()
    worker = Worker(None, COMPILE_SECONDS)
    try:
        await worker.start()
        await until(lambda: not worker.is_running)
        assert await worker.run(worker_process.is_running, None, 0, COMPILE_SECONDS)
    finally:
        await worker.close()
