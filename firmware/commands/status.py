"""`nimmt status`: the state of the running service, from its status file."""

import argparse
import json
import os
from collections.abc import Mapping
from typing import Any, Final

from companion.text.sentence import Decimals, Text, count, say
from firmware.commands.declared import Command, Example, flag, path
from firmware.commands.language import spoken
from firmware.service import status
from firmware.service.health import texts_of
from firmware.text.translation import Translator

NOT_RUNNING = 3
"""What `systemctl status` gives for a service that is not running."""


def run(args: argparse.Namespace) -> int:
    """Print it; 0 no problems, 1 problems, 3 not running."""
    seen = status.seen(args.file) if args.file else status.of_this_machine(os.environ)
    t = spoken(args.config)
    if seen is None:
        if args.json:
            print(json.dumps({"running": False}))
        else:
            print(t("not running: this command asks the installed service"))
            print("  " + t("Only the user who started a game in a terminal can see it."))
        return NOT_RUNNING
    loud = [issue for issue in seen.said["issues"] if issue["severity"] != "note"]
    if args.json:
        print(json.dumps({"running": True, "hangs": seen.hangs, **seen.said}, indent=2))
    else:
        _tell(seen.said, t, hangs=seen.hangs, age_s=seen.age_s)
    return 1 if seen.hangs or loud else 0


_ASKED: Final[Mapping[str, Text]] = {
    "lay four rows": say("lay four rows"),
    "turn up a card": say("turn up a card"),
    "pick a card": say("pick a card"),
    "scan a hand": say("scan a hand"),
    "play a card": say("play a card"),
    "win the race": say("win the race"),
    "give a card": say("give a card"),
    "count a hand": say("count a hand"),
    "choose a row": say("choose a row"),
    "take a pile": say("take a pile"),
    "who played it": say("who played it"),
    "choose a player": say("choose a player"),
    "decide": say("decide"),
    "draw": say("draw"),
    "end the move": say("end the move"),
}
"""What a match waits for: the words of `companion.core.ask.AskKind`, which are those of the protocol."""


def _journal(state: Mapping[str, Any]) -> Text:
    """How large the journal is, what it grows by, and how much of it was checked."""
    matches, used = state["matches"], state["bytes"]
    facts: dict[str, object] = {"size": Decimals(used / 1e6, 1)}
    size = count("journal: {count} match, {size} MB", "journal: {count} matches, {size} MB", matches, **facts)
    if matches and used:
        each = used / matches
        size = say(
            "{journal} ({each} kB a match, room for about {more} more)",
            journal=size,
            each=round(each / 1000),
            more=int(state["free_bytes"] / each),
        )
    if state["damaged"]:
        return say("{journal}, {damaged} damaged", journal=size, damaged=state["damaged"])
    if state["all_checked"]:
        return say("{journal}, all checked", journal=size)
    return say("{journal}, {checked} checked so far", journal=size, checked=state["checked"])


def _kiosk(said: Mapping[str, Any]) -> list[Text]:
    """What visitors did, and whether the box is open."""
    today, in_all, stuck = said["today"], said["in_all"], tuple(said["stuck_keys"])
    state = say("kiosk: open" if said["open"] else "kiosk: closed")
    if not said["clock_is_set"]:
        state = say("kiosk: open: the clock is not set, so opening hours do not count")
    return [
        state,
        say("visitors: {today} today, {all} in all", today=today["visitors"], all=in_all["visitors"]),
        say(
            "lessons: {begun} begun, {finished} finished",
            begun=in_all["lessons_begun"],
            finished=in_all["lessons_finished"],
        ),
        say(
            "deals: {begun} begun, {finished} finished",
            begun=in_all["deals_begun"],
            finished=in_all["deals_finished"],
        ),
        say("scans: {good} good, {bad} bad", good=in_all["scans"], bad=in_all["bad_scans"]),
        *([say("stuck keys: {keys}", keys=stuck)] if stuck else []),
    ]


def _running(said: Mapping[str, Any], *, hangs: bool, age_s: float) -> Text:
    version = said["version"]
    running = say("nimmt {version} is running", version=version)
    if said["mode"] == "safe":
        running = say("nimmt {version} is running, in SAFE MODE", version=version)
    if not hangs:
        return running
    return say("{running}, but has not responded for {seconds} s", running=running, seconds=round(age_s))


def _match(match: Mapping[str, Any] | None) -> Text:
    """What is played; a kind of question that is not known is said as it is."""
    if match is None:
        return say("no match")
    facts = {"id": match["id"], "game": match["game"], "deal": match["deal"], "turn": match["turn"]}
    played = count(
        "match {id} of {game}, {count} player, deal {deal}, turn {turn}",
        "match {id} of {game}, {count} players, deal {deal}, turn {turn}",
        match["players"],
        **facts,
    )
    if match["over"]:
        return say("{match}, over", match=played)
    asks = tuple(_ASKED.get(ask, ask) for ask in match["asks"])
    return say("{match}, waiting for: {asks}", match=played, asks=asks)


def _tell(said: Mapping[str, Any], t: Translator, *, hangs: bool, age_s: float) -> None:
    lines = [_running(said, hangs=hangs, age_s=age_s), _match(said["match"])]
    if said.get("kiosk") is not None:
        lines += _kiosk(said["kiosk"])
    if said.get("journal") is not None:
        lines.append(_journal(said["journal"]))
    for line in lines:
        print(t.say(line))
    for issue in said["issues"]:
        part = f" ({issue['part']})" if issue["part"] else ""
        says, fix = texts_of(issue)
        print(f"{issue['severity']:8} {issue['id']}{part}: {t.say(says)}")
        print(f"{'':8} {t('fix: {fix}; see {page}', fix=fix, page=issue['link'])}")
    if not said["issues"]:
        print(t("no problems"))


COMMAND = Command(
    help="show the state of the running service",
    run=run,
    options=(
        flag("--json", help="print everything as JSON"),
        path("--file", help="read this status file instead"),
    ),
    config=True,
    games=False,
    examples=(Example("nimmt status", given=("--file", "status.json")),),
)
