"""Work that takes a while: it waits for its turn, rests, and ends with whoever wanted it."""

import asyncio
import threading
import time
from collections.abc import Generator

import pytest
from starlette.types import Message

from firmware.history.portions import Portions
from network.web.job_queue import MAX_OF_A_SENDER, MAX_WAITING, BusyError, Download, JobQueue
from tests.network.web.asking import ask
from tests.patience import PATIENCE_S, comes


def waits(event: threading.Event) -> Portions[bool]:
    yield
    return event.wait()


def test_a_thread_rests_as_long_as_its_share_of_a_core_needs() -> None:
    rests = list[float]()
    turns = JobQueue(0.25, rests.append)

    def work() -> Portions[list[float]]:
        used_s = list[float]()
        for _ in range(2):
            if used_s:
                yield
            began_s = time.thread_time()
            while time.thread_time() < began_s + 0.01:
                pass
            used_s.append(time.thread_time() - began_s)
        return used_s

    used_s = asyncio.run(turns.do(work()))
    assert comes(lambda: len(rests) == 2)
    assert all(3 * used <= rest for used, rest in zip(used_s, rests, strict=True))
    turns.close()


def test_who_has_too_much_waiting_is_told_to_come_again_and_others_have_room() -> None:
    go_on, turns = threading.Event(), JobQueue()

    async def crowd() -> list[object]:
        senders = [str(number // MAX_OF_A_SENDER) for number in range(MAX_WAITING)]
        waiting = [asyncio.create_task(turns.do(waits(go_on), sender)) for sender in senders[:-1]]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await turns.do(waits(go_on), senders[0])
        waiting.append(asyncio.create_task(turns.do(waits(go_on), "another")))
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await turns.do(waits(go_on), "one more")
        go_on.set()
        return [*await asyncio.gather(*waiting), await turns.do(waits(go_on), senders[0])]

    assert asyncio.run(crowd()) == [True] * (MAX_WAITING + 1)
    turns.close()


def test_others_have_their_turn_between_the_portions_of_long_work() -> None:
    turns, done = JobQueue(), list[str]()

    def work(name: str, portions: int) -> Portions[str]:
        for _ in range(portions):
            done.append(name)
            yield
        done.append(f"{name} ends")
        return name

    async def all_of_them() -> list[str]:
        names = {"long": 3, "short": 1, "later": 2}
        return await asyncio.gather(*(turns.do(work(name, count)) for name, count in names.items()))

    assert asyncio.run(all_of_them()) == ["long", "short", "later"]
    assert done[:3] == ["long", "short", "long"]
    assert done.index("short ends") < done.index("later"), "two are in memory, of however many that wait"
    turns.close()


def test_work_that_fails_or_that_nobody_waits_for_is_ended() -> None:
    turns, began, ended = JobQueue(), threading.Event(), threading.Event()

    def endless(*, fails: bool) -> Portions[None]:
        try:
            while True:
                began.set()
                yield
                if fails:
                    raise LookupError
        finally:
            ended.set()

    async def leaving() -> None:
        with pytest.raises(LookupError):
            await turns.do(endless(fails=True))
        assert ended.is_set()
        began.clear()
        ended.clear()
        left = asyncio.create_task(turns.do(endless(fails=False)))
        await asyncio.to_thread(began.wait, PATIENCE_S)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        await turns.do(waits(ended))

    asyncio.run(leaving())
    turns.close()


def test_the_making_of_a_file_ends_with_the_client_and_then_another_may_begin() -> None:
    ended, turns = threading.Event(), JobQueue()

    def endless() -> Generator[bytes]:
        try:
            while True:
                yield b"x" * 100_000
        finally:
            ended.set()

    for _ in range(2):
        file = Download(turns, endless(), "text/csv", {})
        with pytest.raises(BusyError):
            Download(turns, endless(), "text/csv", {})
        ask(file, "/", leaves=True)
        asyncio.run(turns.do(waits(ended)))  # what comes after the end of the file
        ended.clear()
    turns.close()


def test_a_file_is_sent_while_it_is_made() -> None:
    turns, seen, sizes = JobQueue(), threading.Event(), list[int]()

    def parts() -> Generator[bytes]:
        yield b"x" * 100_000
        seen.wait()  # nothing more is made before the first piece was seen
        yield b"end"

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            sizes.append(len(message["body"]))
            seen.set()

    scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
    asyncio.run(Download(turns, parts(), "text/csv", {})(scope, asyncio.Future[Message], send))
    assert sizes == [100_000, 3, 0]
    turns.close()
