"""The page for phones on the virtual Pi: it starts when somebody looks, and the game does not need it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.packaging.virtual_pi.machine import NotUp
from tests.systemd.pace import PACE
from tests.whole.table import Lost, Table

if TYPE_CHECKING:
    from tests.packaging.virtual_pi.box import Box
    from tests.packaging.virtual_pi.place import Place
    from tests.systemd.report import Report

SEED: Final = 12
PLAYED: Final = 30
APART: Final = 10
START_S: Final = 20.0
STOP_S: Final = 2.0
WATCHERS: Final = 10
_LOOK: Final = """\
import http.client, json, time
began_s = time.monotonic()
server = http.client.HTTPConnection("127.0.0.1", 8066, timeout=600)
server.request("GET", "/live?language=en")
lines = server.getresponse()
view = {"away": True}
while view["away"]:
    while not (line := lines.readline()).startswith(b"data: {"):
        assert line
    view = json.loads(line[6:])
print(json.dumps({"after_s": time.monotonic() - began_s, "step": view["step"]}))
"""
"""The first view of the table that the page sends, and how long it took, by the clock inside. Before it has
heard of the table it says that the table is away."""

_STOP: Final = f"""\
import http.client, subprocess, time
watchers = []
for _ in range({WATCHERS}):
    one = http.client.HTTPConnection("127.0.0.1", 8066, timeout=600)
    one.request("GET", "/live?language=en")
    lines = one.getresponse()
    assert lines.readline()
    watchers.append(lines)
began_s = time.monotonic()
subprocess.run(["systemctl", "--quiet", "stop", "nimmt-web.service"], check=True, stderr=subprocess.DEVNULL)
print(time.monotonic() - began_s)
"""


def page(place: Place, report: Report) -> None:
    """Look at it, kill it, stop it, pull the plug: the game goes on, and the page shows what is played."""
    with place.box(SEED) as (box, plan):
        table = Table(box, plan)
        table.sit_down()
        table.play(PLAYED)
        before = box.machine.run("systemctl", "is-active", "nimmt-web.service")[1].strip()
        seen = _seen(box, table)
        report.did(
            "the page, for the first who looks", f"{before} before; {seen['after_s']:.1f} s after that"
        )
        _not_slower(seen["after_s"], START_S, "the page starts")
        again = _seen(box, table)
        memory = int(box.machine.must("systemctl", "show", "-P", "MemoryCurrent", "nimmt-web.service"))
        report.did("for the next one", f"{again['after_s']:.1f} s; it needs {memory / 1e6:.0f} MB")
        place.look_at_clock()
        box.machine.must("systemctl", "kill", "--signal=KILL", "nimmt-web.service")
        table.play(APART)
        report.did(
            "the page is killed, and played on", f"shown again after {_seen(box, table)['after_s']:.1f} s"
        )
        stopped_s = float(box.machine.must("python3", "-c", _STOP, within_s=300.0))
        report.did(f"the page is stopped while {WATCHERS} watch", f"it has ended after {stopped_s:.1f} s")
        _not_slower(stopped_s, STOP_S, "the page ends")
        table.play(APART)
        box.kill()
        table.look_at_disk()
        table.sit_down()
        _seen(box, table)
        report.did("the plug is pulled", "the page shows the match that goes on")


def _seen(box: Box, table: Table) -> dict[str, Any]:
    """What somebody sees who looks now: the step that the table is at. Raises `Lost` and `NotUp`."""
    try:
        found: dict[str, Any] = json.loads(box.machine.must("python3", "-c", _LOOK, within_s=300.0))
    except NotUp as late:
        why = box.machine.run("systemctl", "status", "--no-pager", "--full", "nimmt-web.service")[1]
        raise NotUp(f"the page shows nothing:\n{why}") from late
    place = table.plan.moments[table.at].place
    if found["step"] != place[2]:
        raise Lost(f"the page shows step {found['step']}, and the table is at {place}")
    return found


def _not_slower(took_s: float, limit_s: float, what: str) -> None:
    if took_s > PACE.patient_s(limit_s):
        raise NotUp(f"{what} after {took_s:.1f} s, and may need {limit_s:.0f} s")
