"""`nimmt doctor`: open every configured device once and say what answered, or what to do."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from firmware.config import load
from firmware.journal import Journal, JournalError
from hardware.errors import HardwareError
from hardware.registry import driver

if TYPE_CHECKING:
    import argparse

    from firmware.config import Config


def run(words: argparse.Namespace) -> int:
    """One line a device; 0 if all is well, 1 if anything is not."""
    config = load(words.config)
    found = [_device(config, port) for port in ("display", "buttons", "scanner", "buzzer")]
    found.append(_journal(config))
    if words.json:
        print(json.dumps(found, indent=2))
    else:
        for one in found:
            print(f"{one['device']:8} {'ok' if one['ok'] else '!!'}  {one['says']}")
            if not one["ok"]:
                print(f"{'':12} do: {one['fix']}")
    return 0 if all(one["ok"] for one in found) else 1


def _device(config: Config, port: str) -> dict[str, Any]:
    chosen = getattr(config, port)
    try:
        says = driver(port, chosen.driver)(chosen.options).check()
    except HardwareError as bad:
        return {"device": port, "driver": chosen.driver, "ok": False, "says": bad.fault, "fix": bad.check}
    return {"device": port, "driver": chosen.driver, "ok": True, "says": says, "fix": ""}


def _journal(config: Config) -> dict[str, Any]:
    path = config.journal.place(os.environ)
    if not path.exists():
        says = f"{path} will be made when the first match begins"
        return {"device": "journal", "driver": "sqlite", "ok": True, "says": says, "fix": ""}
    try:
        journal = Journal.read(path)
        try:
            says = f"{path} holds {len(journal.matches())} matches"
        finally:
            journal.close()
    except JournalError as bad:
        return {"device": "journal", "driver": "sqlite", "ok": False, "says": bad.fault, "fix": bad.fix}
    return {"device": "journal", "driver": "sqlite", "ok": True, "says": says, "fix": ""}
