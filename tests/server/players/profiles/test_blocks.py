"""Blocks in both databases."""

from millrace.protocol import IdentityId, Player
from millrace.server.app.stores import Stores
from millrace.server.cluster.bus import LocalBus
from millrace.server.players.profiles.blocks import Blocks

ANN, BEN, CEM = (IdentityId(name) for name in ("ann", "ben", "cem"))


async def test_loaded_blocks_keep_both_players_apart(stores: Stores) -> None:
    await stores.blocks.add(ANN, BEN, 1)
    blocks = Blocks(stores.blocks, LocalBus())
    await blocks.load()
    assert blocks.are_apart(ANN, BEN)
    assert blocks.are_apart(BEN, ANN)
    assert not blocks.are_apart(ANN, CEM)
    assert (blocks.of(ANN), blocks.of(BEN)) == (frozenset((BEN,)), frozenset())
    await blocks.unblock(ANN, BEN)
    assert not blocks.are_apart(BEN, ANN)
    assert list(await stores.blocks.all()) == []


async def test_a_deleted_account_leaves_no_blocks(stores: Stores) -> None:
    blocks = Blocks(stores.blocks, LocalBus())
    for by, whom in ((ANN, BEN), (ANN, CEM), (BEN, ANN), (BEN, CEM)):
        await blocks.block(by, whom, 1)
    await stores.accounts.delete(ANN, Player(IdentityId("nobody"), "Nobody"), IdentityId("scrubbed"), 5)
    blocks.forget(ANN)
    assert list(await stores.blocks.all()) == [(BEN, CEM)]
    assert not blocks.are_apart(ANN, BEN)
    assert blocks.are_apart(BEN, CEM)
