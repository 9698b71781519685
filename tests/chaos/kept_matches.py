"""Matches that start before the faults and continue after them on every node: between people, and against a bot."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple, Self

from millrace.client import ME, OPEN, ClockSettings, Connection, MatchId, bot, connect

CLOCK = ClockSettings(10_800_000)


class KeptMatches(NamedTuple):
    """The matches and who plays them."""

    tokens: Sequence[str]
    """Of the player who has the first seat of both, and of the opponent of one."""
    with_person: MatchId
    with_bot: MatchId

    @classmethod
    async def begin(cls, address: str) -> Self:
        """Start them, and make a ply in each."""
        async with connect(address) as ann, connect(address) as ben:
            with_person = (await ann.create("morris", [ME, OPEN], clock=CLOCK, listed=True)).match
            await ben.join(with_person)
            with_bot = (await ann.create("mingmang", [ME, bot(1)], clock=CLOCK)).match
            for player, match in ((ann, with_person), (ben, with_person), (ann, with_bot)):
                await _move(player, match)
            return cls((ann.token, ben.token), with_person, with_bot)

    async def go_on(self, addresses: Sequence[str]) -> None:
        """Make plies on each node, the opponent's on the next one; the bot has replied to each before the next."""
        for address, next_address in zip(addresses, [*addresses[1:], addresses[0]], strict=True):
            async with AsyncExitStack() as stack:
                ann = await stack.enter_async_context(connect(address, token=self.tokens[0]))
                ben = await stack.enter_async_context(connect(next_address, token=self.tokens[1]))
                for player, match in ((ann, self.with_person), (ben, self.with_person), (ann, self.with_bot)):
                    await _move(player, match)

    @asynccontextmanager
    async def present(self, address: str) -> AsyncIterator[None]:
        """Have the players look at them, so that they are listed, until the context ends."""
        async with connect(address, token=self.tokens[0]) as ann, ann.watch(self.with_person), ann.watch(self.with_bot):
            yield


async def _move(player: Connection, match: MatchId) -> None:
    """Make a ply as soon as it is the player's turn."""
    async with player.watch(match) as feed:
        turn = await feed.my_turn()
        assert turn is not None, "the match has ended"
        await turn.play(turn.moves[0])
