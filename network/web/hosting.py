"""What a paired phone does at the table: acts of a device, told back in the language of the page."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from starlette.concurrency import run_in_threadpool

from companion.core import codes
from companion.core.codes import UnknownCode
from companion.text.sentence import Text, in_sentences, say
from firmware.extensions.phones import paired_phones
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.history.played_match import replayed
from firmware.journal.copies import back_up
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.table_socket.as_text import told_in
from network.web.cards import label_of, look_of

if TYPE_CHECKING:
    from firmware.service.clock import Clock
    from firmware.table_socket.link import Link
    from firmware.table_socket.messages import Answer, SettingsAnswer
    from firmware.text.translation import Translator
    from network.web.pairing import Phones

CLOCK_S: Final = 60.0
"""The program that sets the clock is started for it, and takes no offer that is older than this."""
_LOOK_S: Final = 0.1

_PART: Final = 65_536

MOST_CODES: Final = 12
"""In one photo: the cards of a turn are at most ten."""

_ACTS: Final = ("scan", "see", "type", "key", "name", "answer")

_WHY: Final[dict[str, Text]] = {
    "changed": say("Somebody else was faster: the table has changed."),
    "repeated": say("That was scanned just now."),
    "busy": say("That was too fast. Try again."),
    "not allowed": say("This page may not act at the table."),
    "host": say("That needs the phone of a host."),
    "malformed": say("That is neither a card nor a key."),
    "refused": say("That is not possible now."),
    "away": say("The game does not answer."),
}


async def act(link: Link, record: dict[str, Any], t: Translator) -> dict[str, Any]:
    """Do one thing at the table, and say what came of it."""
    if record.get("act") not in _ACTS:
        return refused("malformed", t)
    try:
        answer = await link.act(record)
    except ConnectionError:
        return refused("away", t)
    except ValueError:  # it is longer than the table reads, or is no text
        return refused("malformed", t)
    return told(answer, link, t)


async def scan(link: Link, box: int, record: dict[str, Any], t: Translator) -> dict[str, Any]:
    """Scan the `codes` of a photo, in any order. If one of them is not ours, nothing is scanned.

    `seen` are the codes of cards whose faces were read instead, unless such a card is among `codes`, or
    `beside` that were read just before. After the first that is refused no more are scanned.
    """
    found, seen, beside = (record.get(name, []) for name in ("codes", "seen", "beside"))
    if not all(_are_texts(one) for one in (found, seen, beside)):
        return refused("malformed", t)
    known = {look_of(code, box) for code in (*found, *beside)}
    acts = [("scan", code) for code in found]
    acts += [("see", code) for code in seen if look_of(code, box) not in known]
    if seen and not acts:
        return {"accepted": True, "fault": "", "fix": "", "results": []}
    foreign = [
        text for _, text in acts if isinstance(codes.read(text, plain_numbers=False, box=box), UnknownCode)
    ]
    if foreign:
        fault = say(
            "There is a code that is not from this game: {code}. Nothing was scanned.", code=foreign[0][:30]
        )
    else:
        fault = say("Take a photo with 1 to {most} codes.", most=MOST_CODES)
    if foreign or not 0 < len(acts) <= MOST_CODES:
        return {**refused("foreign", t, fault), "results": []}
    results: list[dict[str, Any]] = []
    for kind, code in acts:
        result = await act(link, {"act": kind, "code": code}, t)
        results.append({"code": code, "name": label_of(code, box, t), **result})
        if not result["accepted"] and result["why"] != "repeated":
            break
    last = results[-1]
    return {"accepted": last["accepted"], "fault": last["fault"], "fix": last["fix"], "results": results}


def _are_texts(found: object) -> TypeGuard[list[str]]:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def told(answer: Answer, link: Link, t: Translator) -> dict[str, Any]:
    if answer.accepted:
        return {"accepted": True, "why": "", "fault": "", "fix": "", "steps": answer.steps}
    if link.snapshot is not None and link.snapshot.table is not None:
        _, t = told_in(link.snapshot.table, t)
    return refusal(answer, t)


def refusal(answer: Answer | SettingsAnswer, t: Translator) -> dict[str, Any]:
    """Why the game has not done something, in its own words if it has said any."""
    if not answer.fault:
        return refused(answer.why or "away", t)
    fix = in_sentences(t.say(answer.fix.as_text)) if answer.fix else ""
    fault = in_sentences(t.say(answer.fault.as_text))
    return {"accepted": False, "why": answer.why or "", "fault": fault, "fix": fix}


def refused(why: str, t: Translator, fault: Text | None = None) -> dict[str, Any]:
    """An answer that says why something was not done; `fault` says it more exactly."""
    return {"accepted": False, "why": why, "fault": t.say(fault or _WHY.get(why, _WHY["refused"])), "fix": ""}


async def set_clock(clock: Clock, phones: Phones, now_ms: object, t: Translator) -> dict[str, Any]:
    """Offer the time of a phone, and wait until the box has taken it or not."""
    if type(now_ms) is not int or now_ms < 0:
        return refused("malformed", t)
    if not clock.asks():
        return refused("refused", t, say("The clock is set already."))
    began_s = clock.began_s
    if not await run_in_threadpool(_is_dealt_with, clock, now_ms / 1000):
        return refused("refused", t, say("The clock could not be set."))
    if clock.asks():
        why = say("The box rejects this time: it is earlier than when the box was last switched off.")
        return refused("refused", t, why)
    # How long each phone was quiet stays as it was, else they would be forgotten now.
    phones.later(clock.began_s - began_s)
    return {"accepted": True, "why": "", "fault": "", "fix": ""}


def _is_dealt_with(clock: Clock, now_s: float) -> bool:
    """Offer the time, and wait until something has looked at it. Blocks."""
    pause, ends_s = threading.Event(), time.monotonic() + CLOCK_S
    try:
        clock.offer(now_s)
        while clock.is_offered():
            if time.monotonic() > ends_s:
                clock.withdraw()
                return False
            pause.wait(_LOOK_S)
    except OSError:
        return False
    return True


def notes(journal: Path) -> PhoneNotes | None:
    """Which phones were forgotten at the display, and which host; None while nobody can tell. Blocks."""
    if not journal.exists():
        return PhoneNotes()  # nobody has forgotten one yet
    try:
        with closing(Journal.read(journal)) as reader:
            return paired_phones.read(reader.notes().get)
    except JournalError:
        return None


def backup(journal: Path) -> Generator[bytes]:
    """A copy of the whole journal, with every match in it replayed, in parts. Raises `CompanionError`."""
    with tempfile.TemporaryDirectory(prefix="nimmt-backup-") as folder:
        to = Path(folder) / "journal.sqlite"
        back_up(journal, to, replayed)
        with to.open("rb") as file:
            while part := file.read(_PART):
                yield part
