"""Refusals, reasons for closing a connection, and that neither harms others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosedError

from millrace.protocol import MAX_FRAME_BYTES, MOST_READ_BYTES, Code
from millrace.server.runtime import metrics
from millrace.server.web.session import INBOX_FRAMES
from tests.server.in_process_server import Frame, Serve, Served
from tests.server.metric_values import value_of
from tests.server.web.two_players import ME, begin, play_moves


@pytest.mark.parametrize(
    ("type_", "fields", "code"),
    [
        ("play", {"seat": 1, "move": "d6"}, Code.NOT_YOUR_SEAT),
        ("play", {"seat": 0, "move": "d4"}, Code.BAD_MOVE),
        ("play", {"seat": 0, "move": "d6xd2"}, Code.ILLEGAL_MOVE),
        ("resign", {"seat": 1}, Code.NOT_YOUR_SEAT),
        ("rematch", {"seat": 0}, Code.NOT_OVER),
        ("join", {}, Code.SEAT_TAKEN),
        ("fill_seat", {"seat": 1, "level": 2}, Code.SEAT_TAKEN),
    ],
)
async def test_forbidden_commands_are_refused_with_a_code(
    served: Served, type_: str, fields: Frame, code: Code
) -> None:
    ann, _, match = await begin(served)
    refused = await ann.ask(type_, match=match, **fields)
    assert (refused["type"], refused["code"], refused["match"]) == ("refused", code, match)
    assert refused["message"]


@pytest.mark.parametrize("type_", ["watch", "join"])
async def test_an_unknown_match_is_refused(served: Served, type_: str) -> None:
    visitor = await served.visitor()
    await visitor.say(type_, match="nowhere", **({} if type_ == "watch" else {"id": "x"}))
    refused = await visitor.hear_until("refused")
    assert (refused["code"], refused["match"]) == (Code.UNKNOWN_MATCH, "nowhere")


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "nonsense",
        "[]",
        '"hello"',
        "{",
        b"\xff\xfe\x00",
        '{"type":"fly"}',
        '{"type":"play"}',
        '{"type":"ping","nonce":"many"}',
        '{"type":"ping","nonce":1e400}',
        '{"type":"ping","nonce":99999999999999999999999999}',
        '{"type":"ping","extra":1}',
        '{"type":"join","id":"","match":"m"}',
        '{"type":"join","id":"x","match":"m","seat":-1}',
        "[" * 5000,
    ],
)
async def test_a_malformed_frame_is_refused_and_the_connection_stays_open(served: Served, frame: str | bytes) -> None:
    visitor = await served.visitor()
    await visitor.connection.send(frame)
    assert (await visitor.hear())["code"] == Code.MALFORMED
    await visitor.say("ping", nonce=7)
    assert (await visitor.hear())["nonce"] == 7


async def test_the_refusal_of_a_malformed_command_names_its_id(served: Served) -> None:
    visitor = await served.visitor()
    await visitor.say("play", id="mine", match="m", seat="zero", move="d6")
    refused = await visitor.hear()
    assert (refused["code"], refused["id"], refused["match"]) == (Code.MALFORMED, "mine", "m")


@pytest.mark.parametrize("letter", ["x", "ü", "磨"])
async def test_a_message_that_is_too_long_is_refused_by_its_id(served: Served, letter: str) -> None:
    visitor = await served.visitor()

    def message(size: int) -> str:
        start, end = '{"type":"explore","id":"mine","line":{"game":"', '"}}'
        text = letter * ((size - len(start + end)) // len(letter.encode()))
        return start + text + "x" * (size - len((start + text + end).encode())) + end

    for size, is_long in ((MAX_FRAME_BYTES, False), (MAX_FRAME_BYTES + 1, True), (MOST_READ_BYTES, True)):
        frame = message(size)
        assert len(frame.encode()) == size
        await visitor.connection.send(frame)
        refused = await visitor.hear_until("refused", id="mine")
        assert (refused["code"] == Code.MALFORMED and "too long" in refused["message"]) == is_long, size


async def test_an_oversized_frame_closes_the_connection_with_a_reason(served: Served) -> None:
    visitor = await served.visitor()
    await visitor.connection.send("x" * (MOST_READ_BYTES + 1))
    code, reason = await visitor.closed()
    assert (code, reason != "") == (1009, True)


async def test_a_message_may_come_in_fragments_with_a_ping_between_them(served: Served) -> None:
    visitor = await served.visitor()

    async def fragments() -> AsyncIterator[str]:
        yield '{"type":"ping",'
        await visitor.connection.ping()
        yield '"nonce":'
        yield "8}"

    await visitor.connection.send(fragments())
    assert (await visitor.hear())["nonce"] == 8


async def test_a_text_that_is_not_utf_8_closes_the_connection(served: Served) -> None:
    visitor = await served.visitor()
    visitor.connection.transport.write(b"\x81\x81\0\0\0\0\xff")
    assert (await visitor.closed())[0] == 1007


async def test_a_client_that_keeps_sending_after_a_close_is_cut(serve: Serve) -> None:
    served: Served = await serve(limits={"messages.connection": 20})
    reader, writer = await asyncio.open_connection("localhost", served.port)
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    head = f"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n"
    writer.write(f"{head}Sec-WebSocket-Version: 13\r\n\r\n".encode())

    async def send_on() -> None:
        while True:
            writer.write(b"\x8a\x80\0\0\0\0\x81\x82\0\0\0\0{}")
            await writer.drain()
            await asyncio.sleep(0.02)

    sending = asyncio.create_task(send_on())
    async with asyncio.timeout(60):
        with suppress(ConnectionError):
            await reader.read()
        await asyncio.wait((sending,))
    assert isinstance(sending.exception(), ConnectionError)


async def test_waiting_messages_are_answered_in_order(served: Served) -> None:
    visitor = await served.visitor()
    for number in range(3 * INBOX_FRAMES):
        await visitor.say("create", id=f"c{number}", game="morris", seats=[ME, ME])
        await visitor.say("ping", nonce=number)
    heard = [await visitor.hear() for _ in range(6 * INBOX_FRAMES)]
    answers = [frame.get("id", frame.get("nonce")) for frame in heard]
    assert answers == [each for number in range(3 * INBOX_FRAMES) for each in (f"c{number}", number)]


async def test_too_many_messages_close_the_connection_with_a_reason(serve: Serve) -> None:
    served: Served = await serve(limits={"messages.connection": 20})
    visitor = await served.visitor()
    for nonce in range(30):
        await visitor.say("ping", nonce=nonce)
    assert (await visitor.closed()) == (1008, visitor.read[-1]["message"])
    assert visitor.read[-1]["code"] == Code.TOO_FAST


async def test_a_spectator_that_does_not_read_is_disconnected_without_harm(served: Served) -> None:
    ann, ben, match = await begin(served)
    sleeper = await served.visitor()
    sleeper.connection.transport.pause_reading()
    cut = metrics.DISCONNECTIONS.labels("slow")
    cut_before = value_of(cut)
    async with asyncio.timeout(60):
        while value_of(cut) == cut_before:
            await sleeper.say("watch", match=match)
            await asyncio.sleep(0)
    await play_moves((ann, ben), match, "a7", "d7", "g7", "b6", "d6", "f6")
    assert value_of(cut) == cut_before + 1
    sleeper.connection.transport.resume_reading()
    with pytest.raises(ConnectionClosedError):
        await sleeper.hear_until("never")
