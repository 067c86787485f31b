"""Work that takes a while: it waits for its turn, rests, and ends with whoever wanted it."""

import asyncio
import threading
import time
from collections.abc import Generator

import pytest

from network.web.in_turn import MOST_WAITING, BusyError, InTurn
from tests.patience import comes


def test_a_thread_rests_as_long_as_its_share_of_a_core_needs() -> None:
    rests = list[float]()
    turns = InTurn(0.25, rests.append)

    def work() -> float:
        began_s = time.thread_time()
        while time.thread_time() < began_s + 0.01:
            pass
        return time.thread_time() - began_s

    used_s = asyncio.run(turns.do(work))
    assert comes(lambda: len(rests) == 1)
    assert 3 * used_s <= rests[0]
    turns.close()


def test_who_finds_too_many_waiting_is_told_to_come_again() -> None:
    go_on, turns = threading.Event(), InTurn()

    async def crowd() -> list[object]:
        waiting = [asyncio.create_task(turns.do(go_on.wait)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await turns.do(go_on.wait)
        go_on.set()
        return [*await asyncio.gather(*waiting), await turns.do(go_on.wait)]

    assert asyncio.run(crowd()) == [True] * (MOST_WAITING + 1)
    turns.close()


def test_the_making_of_a_file_ends_with_the_client_and_then_another_may_begin() -> None:
    made, ended, turns = list[int](), threading.Event(), InTurn()

    def endless() -> Generator[bytes]:
        try:
            while True:
                made.append(1)
                yield b"x" * 100_000
        finally:
            ended.set()

    async def leaving() -> None:
        for _ in range(2):
            file = turns.export(endless)
            with pytest.raises(BusyError):
                turns.export(endless)
            assert len(await anext(aiter(file))) == 100_000
            file.close()
            await turns.do(ended.wait)  # what comes after the end of the file
            ended.clear()

    asyncio.run(leaving())
    assert len(made) == 2
    turns.close()


def test_a_file_is_sent_while_it_is_made() -> None:
    turns, seen = InTurn(), threading.Event()

    def parts() -> Generator[bytes]:
        yield b"x" * 100_000
        seen.wait()  # nothing more is made before the first piece was seen
        yield b"end"

    async def reading() -> list[int]:
        sizes = []
        async for piece in turns.export(parts):
            sizes.append(len(piece))
            seen.set()
        return sizes

    assert asyncio.run(reading()) == [100_000, 3]
    turns.close()
