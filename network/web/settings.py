"""The page of settings: every key of the game's configuration as a field, for a paired phone.

The game's own process reads the file, checks what is changed, and writes it; this one only asks it to. What a
field holds is text; what kind of value that is, the description of its key says.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from companion.core import games
from companion.text.digits import in_latin_digits
from companion.text.sentence import say
from firmware.config.keys import plain
from firmware.table_socket.messages import SettingsAnswer
from firmware.text.translation import Translator, text_of
from network.web.answers import ActAnswer, refusal, table_refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from firmware.config.editing import DescribedKey
    from network.web.site import TableSite


async def page(site: TableSite, request: Request) -> Response:
    try:
        known = await site.link.settings({})
    except ConnectionError:
        known = SettingsAnswer("", accepted=False)
    shown_facts = await run_in_threadpool(facts, known, request.state.t)
    return site.respond(request, "settings.html", **shown_facts)


async def change(site: TableSite, request: Request, record: dict[str, Any]) -> ActAnswer:
    """Change keys, or start the game again."""
    link, t = site.link, request.state.t
    try:
        if record.get("restart") is True:
            return _answer(await link.settings({"restart": True}), t)
        known = await link.settings({})
        if not known.accepted:
            return _answer(known, t)
        changes = await run_in_threadpool(_values, record.get("set"), known.text or "")
        if not changes:
            return refusal("malformed", t)
        return _answer(await link.settings({"of": record.get("of"), "set": changes}), t)
    except ConnectionError:
        return refusal("away", t)
    except ValueError:
        return refusal("malformed", t, say("That is too much at once. Save fewer changes at a time."))


def _answer(answer: SettingsAnswer, t: Translator) -> ActAnswer:
    if answer.accepted:
        known = {"of": answer.of, "in_use": answer.in_use, "can_restart": answer.can_restart}
        return {"accepted": True, **known}
    if answer.why == "changed":
        return refusal("changed", t, say("The file has changed in the meantime. Load this page again."))
    return {**table_refusal(answer, t), "problems": _listed(answer)}


def _listed(answer: SettingsAnswer) -> list[dict[str, str]]:
    """What is wrong with a file: the key, its value, and a sentence about it."""
    return [
        {
            "path": problem.path,
            "place": " = ".join(filter(None, (problem.path, problem.came))),
            "says": f"{problem.fault} ({problem.fix})",
        }
        for problem in answer.problems or ()
    ]


# ------------------------------------------------------------------------------------ values


def _values(given: object, text: str) -> dict[str, dict[str, Any]]:
    """The fields that were sent as values; none for what makes no sense. Blocks: drivers are imported."""
    from firmware.config.editing import described  # only who opens the settings waits for every driver

    if not isinstance(given, dict):
        return {}
    known = {(part.name, setting.key.name): setting for part in described(text) for setting in part.settings}
    found: dict[str, dict[str, Any]] = {}
    for section, fields in given.items():
        for name, field in fields.items() if isinstance(fields, dict) else ():
            setting = known.get((section, name))
            if setting is None or not isinstance(field, str):
                return {}
            found.setdefault(section, {})[name] = value_of(setting, field)
    return found


def value_of(setting: DescribedKey, field: str) -> Any:  # noqa: ANN401 - a value of TOML
    """What a field stands for; None: nothing, so the default counts.

    What it cannot be is left a text, so that it is refused with the words that the file has for it.
    """
    key, text = setting.key, field.strip()
    if not text:
        return None
    if key.item is str and key.shape is tuple:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if key.item is str and key.shape is not dict:
        return text
    text = in_latin_digits(text)
    literal = f"[{', '.join(text.replace(',', ' ').split())}]" if key.shape is tuple else text
    try:
        return tomllib.loads(f"value = {literal}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


def shown(setting: DescribedKey, value: object) -> str:
    """A value as the text of its field."""
    if value is None:
        return ""
    key = setting.key
    if isinstance(value, (list, tuple)) and key.shape is tuple:
        return ("\n" if key.item is str else ", ").join(map(str, value))
    if key.name == "address" and isinstance(value, int):  # people write it in hexadecimal
        return f"0x{value:02X}"
    return value if isinstance(value, str) else plain(value)


# ------------------------------------------------------------------------------------ for the template


def facts(known: SettingsAnswer, t: Translator) -> dict[str, Any]:
    """What the template shows; `known` is what the game says of its file. Blocks: drivers are imported."""
    from firmware.config.editing import described

    if not known.accepted:
        return {"refused": _answer(known, t)}
    shared = {"refused": None, "problems": _listed(known), "unreadable": ""}
    try:
        sections = described(known.text or "")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as bad:
        return {**shared, "unreadable": str(bad)}
    return {**shared, "known": known, "sections": sections, "games": games, "field_of": _field}


def _field(section: str, setting: DescribedKey, t: Translator) -> dict[str, Any]:
    """A key as a field: of `choices`, of several `lines`, or of one."""
    key, given = setting.key, shown(setting, setting.given)
    choices: list[str] = []
    if key.shape is object and (key.among or key.item is bool):
        choices = [shown(setting, value) for value in key.among] if key.among else ["true", "false"]
        if given not in choices:
            choices.append(given)  # what the file has, although it cannot be used
    return {
        "id": f"{section}.{key.name}" if section else key.name,
        "section": section,
        "key": key.name,
        "about": _about(setting, t),
        "is_locked": setting.is_locked,
        "given": given,
        "default": shown(setting, setting.usual),
        "choices": [choice for choice in choices if choice],
        "lines": max(2, given.count("\n") + 2) if key.shape is tuple and key.item is str else 0,
        "is_number": key.item in (int, float),
    }


def _about(setting: DescribedKey, t: Translator) -> str:
    """The text and the limits of a key, as sentences."""
    key = setting.key
    limits = key.limits()
    allowed = None if key.among or key.item in (bool, dict) else key.kind()
    if allowed is not None and limits is not None:
        allowed = say("{kind}, {limits}", kind=allowed, limits=limits)
    about = text_of(key.about) if key.about else None
    texts = [t.say(text) for text in (about, allowed or limits) if text is not None]
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts)
