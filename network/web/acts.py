"""What a paired phone does at the table: acts of a device, answered in the language of the page."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from companion.core import codes
from companion.core.codes import UnknownCode
from companion.text.sentence import say
from firmware.history.players import LONGEST
from network.web.answers import ACCEPTED, ActAnswer, refusal, table_answer
from network.web.cards import label_of, look_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from firmware.service.clock import Clock
    from firmware.table_socket.link import Link
    from network.web.site import TableSite

CLOCK_S: Final = 60.0
"""The program that sets the clock is started for it, and takes no offer that is older than this."""
_LOOK_S: Final = 0.1

MAX_CODES: Final = 12
"""In one photo: the cards of a turn are at most ten."""

_NO_NAME: Final = say("A name has up to {most} characters, at least one of them a letter.", most=LONGEST)
_ACTS: Final = ("scan", "see", "type", "key", "name", "answer", "play")


async def act(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    """Do one thing at the table."""
    return await _at_table(site.link, request, record)


async def _at_table(link: Link, request: Request, record: dict[str, Any]) -> ActAnswer:
    t = request.state.t
    if record.get("act") not in _ACTS:
        return refusal("malformed", t)
    try:
        answer = await link.act({**record, "sender": request.user.identity})
    except ConnectionError:
        return refusal("away", t)
    except ValueError:  # it is longer than the table reads, or is no text
        return refusal("malformed", t)
    if answer.why == "malformed":  # the table says that to who writes a program
        return refusal("malformed", t, _NO_NAME if record["act"] == "name" else None)
    return table_answer(answer, link, t)


async def scan(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    """Scan the `codes` of a photo, in any order. If one of them is not ours, nothing is scanned.

    `seen` are the codes of cards whose faces were read instead, unless such a card is among `codes`, or
    `beside` that were read just before. After the first that is refused no more are scanned.
    """
    t, box = request.state.t, site.setting.box
    found, seen, beside = (record.get(name, []) for name in ("codes", "seen", "beside"))
    if not all(_are_texts(part) for part in (found, seen, beside)):
        return refusal("malformed", t)
    known = {look_of(code, box) for code in (*found, *beside)}
    acts = [("scan", code) for code in found]
    acts += [("see", code) for code in seen if look_of(code, box) not in known]
    if seen and not acts:
        return {**ACCEPTED, "results": []}
    foreign = [
        text for _, text in acts if isinstance(codes.read(text, plain_numbers=False, box=box), UnknownCode)
    ]
    if foreign:
        says = say("A code does not belong to this game: {code}. Nothing was scanned.")
        fault = says.with_facts(code=foreign[0][:30])
    else:
        fault = say("Take a photo with 1 to {most} codes.", most=MAX_CODES)
    if foreign or not 0 < len(acts) <= MAX_CODES:
        return {**refusal("foreign", t, fault), "results": []}
    results: list[dict[str, Any]] = []
    for kind, code in acts:
        result = await _at_table(site.link, request, {"act": kind, "code": code})
        results.append({"code": code, "name": label_of(code, box, t), **result})
        if not result["accepted"] and result["why"] != "repeated":
            break
    last = results[-1]
    return {"accepted": last["accepted"], "fault": last["fault"], "fix": last["fix"], "results": results}


def _are_texts(found: object) -> TypeGuard[list[str]]:
    return isinstance(found, list) and all(isinstance(text, str) for text in found)


async def set_clock(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    """Offer the time of the phone to the box, and wait until the box has taken it or not."""
    clock, now_ms, t = site.setting.clock, record.get("now_ms"), request.state.t
    if type(now_ms) is not int or now_ms < 0:
        return refusal("malformed", t)
    if not clock.asks():
        return refusal("refused", t, say("The clock is set already."))
    began_s = clock.began_s
    if not await _is_taken(clock, now_ms / 1000):
        return refusal("refused", t, say("The clock could not be set."))
    if clock.asks():
        why = say("The box rejects this time: it is earlier than when the box was last switched off.")
        return refusal("refused", t, why)
    # How long each phone was quiet stays as it was, else they would be forgotten now.
    site.pairing.phones.move_times(clock.began_s - began_s)
    return ACCEPTED


async def _is_taken(clock: Clock, now_s: float) -> bool:
    """Offer the time, and wait until something has looked at it."""
    with suppress(OSError):
        clock.offer(now_s)
        for _ in range(round(CLOCK_S / _LOOK_S)):
            if not clock.is_offered():
                return True
            await asyncio.sleep(_LOOK_S)
        clock.withdraw()
    return False
