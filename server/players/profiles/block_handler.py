"""The handler of blocks: a block also ends following between the two players."""

from millrace.protocol import Block, Blocked, Code, CommandId, GetBlocked, Scope, Unblock

from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.limit import MINUTE_MS, Limit
from ...callers.limits import Limits, Present
from ...cluster.bus import Bus
from ...cluster.events import AccountDeleted, BlocksChanged
from ...runtime.system_clock import NowMs
from .blocks import BLOCKED_PLAYERS, Blocks
from .follows import Follows

BLOCKS = Limit(
    name="blocks",
    counts="players blocked or unblocked",
    refusal="You have blocked or unblocked many players in a short time.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=300,
    guest=300,
    address=1_000,
)


class BlockHandler(Feature):
    """Blocks and unblocks players."""

    def __init__(self, blocks: Blocks, follows: Follows, bus: Bus, now_ms: NowMs, limits: Limits) -> None:
        self._blocks = blocks
        self._follows = follows
        self._bus = bus
        self._now_ms = now_ms
        self._limits = limits
        bus.subscribe(AccountDeleted, lambda event: blocks.forget(event.identity))
        self.routes = (
            Route(Block, self.block),
            Route(Unblock, self.unblock),
            Route(GetBlocked, self.get_blocked, Scope.READ),
        )

    async def load(self) -> None:
        """Read the blocks. Raises: StorageError."""
        await self._blocks.load()

    async def block(self, command: Block, caller: Caller) -> None:
        """Block a player and answer with all blocked players. Raises: Refusal."""
        self._limits.use(BLOCKS, caller)
        blocked = self._blocks.of(caller.identity)
        if command.player not in blocked:
            self._limits.require_room(BLOCKED_PLAYERS, caller, Present(len(blocked)))
        # The lock prevents a follow between the check for blocks and the block.
        async with self._follows.lock:
            await self._blocks.block(caller.identity, command.player, self._now_ms())
            self._bus.publish(BlocksChanged(caller.identity, command.player))
        self._send_blocked(command.id, caller)

    async def unblock(self, command: Unblock, caller: Caller) -> None:
        """Remove a block and answer with all blocked players. Raises: Refusal."""
        self._limits.use(BLOCKS, caller)
        await self._blocks.unblock(caller.identity, command.player)
        self._bus.publish(BlocksChanged(caller.identity, command.player, is_blocked=False))
        self._send_blocked(command.id, caller)

    async def get_blocked(self, command: GetBlocked, caller: Caller) -> None:
        """Answer with all blocked players."""
        self._send_blocked(command.id, caller)

    def _send_blocked(self, command: CommandId, caller: Caller) -> None:
        caller.send(Blocked(command, tuple(sorted(self._blocks.of(caller.identity)))))
