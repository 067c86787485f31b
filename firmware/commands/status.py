"""`nimmt status`: the state of the running service, from its status file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from firmware.service import status

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

NOT_RUNNING = 3
"""What `systemctl status` gives for a service that is not running."""

_NOBODY = """not running: this command asks the installed service
  A game in a terminal is only visible to the login that started it."""


def run(args: argparse.Namespace) -> int:
    """Print it; 0 no problems, 1 problems, 3 not running."""
    seen = status.seen(args.file) if args.file else status.of_this_machine(os.environ)
    if seen is None:
        print(json.dumps({"running": False}) if args.json else _NOBODY)
        return NOT_RUNNING
    loud = [issue for issue in seen.said["issues"] if issue["severity"] != "note"]
    if args.json:
        print(json.dumps({"running": True, "hangs": seen.hangs, **seen.said}, indent=2))
    else:
        _tell(seen.said, hangs=seen.hangs, age_s=seen.age_s)
    return 1 if seen.hangs or loud else 0


def _journal(state: Mapping[str, Any]) -> str:
    """How large the journal is, what it grows by, and how much of it was checked."""
    matches, used = state["matches"], state["bytes"]
    each = used / matches if matches else 0
    size = f"journal: {matches} matches, {used / 1e6:.1f} MB"
    if each:
        size += f" ({each / 1000:.0f} kB a match, room for about {int(state['free_bytes'] / each)} more)"
    if state["damaged"]:
        return f"{size}, {state['damaged']} damaged"
    return f"{size}, all checked" if state["all_checked"] else f"{size}, {state['checked']} checked so far"


def _kiosk(said: Mapping[str, Any]) -> str:
    """What visitors did, and whether the box is open."""
    today, in_all, stuck = said["today"], said["in_all"], ", ".join(said["stuck_keys"])
    state = "open" if said["open"] else "closed"
    if not said["clock_is_set"]:
        state = "open: the clock is not set, so opening hours do not count"
    lines = [f"kiosk: {state}", f"visitors: {today['visitors']} today, {in_all['visitors']} in all"]
    lines += [
        f"{name}: {in_all[f'{name}_begun']} begun, {in_all[f'{name}_finished']} finished"
        for name in ("lessons", "deals")
    ]
    lines.append(f"scans: {in_all['scans']} good, {in_all['bad_scans']} bad")
    return "\n".join([*lines, *([f"stuck keys: {stuck}"] if stuck else [])])


def _tell(said: Mapping[str, Any], *, hangs: bool, age_s: float) -> None:
    mode = ", in SAFE MODE" if said["mode"] == "safe" else ""
    print(
        f"nimmt {said['version']} is running{mode}"
        + (f", but has not responded for {age_s:.0f} s" if hangs else "")
    )
    match = said["match"]
    if match is None:
        print("no match")
    else:
        asks = "over" if match["over"] else "waiting for: " + ", ".join(match["asks"])
        print(
            f"match {match['id']} of {match['game']}, {match['players']} players, "
            f"deal {match['deal']}, turn {match['turn']}, {asks}"
        )
    if said.get("kiosk") is not None:
        print(_kiosk(said["kiosk"]))
    if said.get("journal") is not None:
        print(_journal(said["journal"]))
    for issue in said["issues"]:
        part = f" ({issue['part']})" if issue["part"] else ""
        print(f"{issue['severity']:8} {issue['id']}{part}: {issue['says']}")
        print(f"{'':8} fix: {issue['fix']}; see {issue['link']}")
    if not said["issues"]:
        print("no problems")
