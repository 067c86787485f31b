"""`nimmt status`: the state of the running service, from its status file."""

import argparse
import json
import os
from collections.abc import Mapping
from typing import Any

from firmware.commands.declared import Command, counted, flag, path
from firmware.service import status

NOT_RUNNING = 3
"""What `systemctl status` gives for a service that is not running."""


def run(args: argparse.Namespace) -> int:
    """Print it; 0 no problems, 1 problems, 3 not running."""
    seen = status.seen(args.file) if args.file else status.of_this_machine(os.environ)
    if seen is None:
        if args.json:
            print(json.dumps({"running": False}))
        else:
            print("not running: this command asks the installed service")
            print("  Only the user who started a game in a terminal can see it.")
        return NOT_RUNNING
    loud = [issue for issue in seen.said["issues"] if issue["severity"] != "note"]
    if args.json:
        print(json.dumps({"running": True, "hangs": seen.hangs, **seen.said}, indent=2))
    else:
        _print_status(seen.said, hangs=seen.hangs, age_s=seen.age_s)
    return 1 if seen.hangs or loud else 0


def _journal(state: Mapping[str, Any]) -> str:
    """How large the journal is, what it grows by, and how much of it was checked."""
    matches, used = state["matches"], state["bytes"]
    size = f"journal: {counted(matches, 'match', 'matches')}, {used / 1e6:.1f} MB"
    if matches and used:
        each = used / matches
        room = int(state["free_bytes"] / each)
        size += f" ({round(each / 1000)} kB a match, room for about {room} more)"
    if state["damaged"]:
        return f"{size}, {state['damaged']} damaged"
    checked = "all" if state["all_checked"] else state["checked"]
    return f"{size}, {checked} checked{'' if state['all_checked'] else ' so far'}"


def _kiosk(said: Mapping[str, Any]) -> list[str]:
    """What visitors did, and whether the box is open."""
    today, in_all = said["today"], said["in_all"]
    state = f"kiosk: {'open' if said['open'] else 'closed'}"
    if not said["clock_is_set"]:
        state = "kiosk: open: the clock is not set, so opening hours do not count"
    return [
        state,
        f"visitors: {today['visitors']} today, {in_all['visitors']} in all",
        f"lessons: {in_all['lessons_begun']} begun, {in_all['lessons_finished']} finished",
        f"deals: {in_all['deals_begun']} begun, {in_all['deals_finished']} finished",
        f"scans: {in_all['scans']} good, {in_all['bad_scans']} bad",
        *([f"stuck keys: {', '.join(said['stuck_keys'])}"] if said["stuck_keys"] else []),
    ]


def _running(said: Mapping[str, Any], *, hangs: bool, age_s: float) -> str:
    version = said["version"]
    running = f"nimmt {version} is running"
    if said["mode"] == "safe":
        running = f"nimmt {version} is running, in SAFE MODE"
    if not hangs:
        return running
    return f"{running}, but has not responded for {round(age_s)} s"


def _match(match: Mapping[str, Any] | None) -> str:
    """What is played; a kind of question that is not known is said as it is."""
    if match is None:
        return "no match"
    players = counted(match["players"], "player")
    turn = f"deal {match['deal']}, turn {match['turn']}"
    played = f"match {match['id']} of {match['game']}, {players}, {turn}"
    if match["over"]:
        return f"{played}, over"
    return f"{played}, waiting for: {', '.join(match['asks'])}"


def _print_status(said: Mapping[str, Any], *, hangs: bool, age_s: float) -> None:
    lines = [_running(said, hangs=hangs, age_s=age_s), _match(said["match"])]
    if said.get("kiosk") is not None:
        lines += _kiosk(said["kiosk"])
    if said.get("journal") is not None:
        lines.append(_journal(said["journal"]))
    for line in lines:
        print(line)
    for issue in said["issues"]:
        part = f" ({issue['part']})" if issue["part"] else ""
        print(f"{issue['severity']:8} {issue['id']}{part}: {issue['says']}")
        print(f"{'':8} fix: {issue['fix']}; see {issue['link']}")
    if not said["issues"]:
        print("no problems")


COMMAND = Command(
    help="show the state of the running service",
    run=run,
    options=(
        flag("--json", help="print everything as JSON"),
        path("--file", help="read this status file instead"),
    ),
    games=False,
)
