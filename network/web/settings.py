"""The page of settings: every key of the game's configuration as a field, for a paired phone.

The game's own process reads the file, checks what is changed, and writes it; this one only asks it to. What a
field holds is text; what kind of value that is, the description of its key says.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool

from companion.text.digits import in_latin_digits
from companion.text.sentence import Text, in_context, say
from firmware.config.keys import plain
from firmware.table_socket.messages import SettingsAnswer
from firmware.text.translation import Translator, text_of
from network.web import hosting
from network.web.frame import ANSWER, words
from network.web.pages import SETTINGS

if TYPE_CHECKING:
    from firmware.config.editing import DescribedKey, Section
    from firmware.table_socket.link import Link

TITLES: Final[Mapping[str, Text]] = {
    "": say("The box"),
    "display": say("The display"),
    "buttons": say("Keys and knob"),
    "scanner": say("Scanner"),
    "buzzer": say("Buzzer"),
    "journal": say("Stored matches"),
    "table": say("Players and time limits"),
    "screen": say("Language and look of the display"),
    "sound": say("Sound"),
    "codes": say("How codes are read"),
    "kiosk": say("Kiosk for visitors"),
    "socket": say("Other programs of this machine"),
    "web": say("This page"),
    "mqtt": say("Reports to a broker (MQTT)"),
    "hub": say("The hub"),
}
"""What the sections are called on the page; one that is not here has the name that it has in the file."""

_IN_FILE: Final = say("It can only be changed in the file itself.")

_ADDRESS: Final = "address"
"""The key that people write in hexadecimal."""


async def changed(link: Link, body: dict[str, Any], t: Translator) -> dict[str, Any]:
    """Change keys, or start the game again; says what came of it."""
    try:
        if body.get("restart") is True:
            return _told(await link.settings({"restart": True}), t)
        known = await link.settings({})
        if not known.accepted:
            return _told(known, t)
        changes = await run_in_threadpool(_values, body.get("set"), known.text or "")
        if not changes:
            return hosting.refused("malformed", t)
        return _told(await link.settings({"of": body.get("of"), "set": changes}), t)
    except ConnectionError:
        return hosting.refused("away", t)
    except ValueError:
        return hosting.refused("malformed", t, say("That is too much at once. Save fewer changes at a time."))


def _told(answer: SettingsAnswer, t: Translator) -> dict[str, Any]:
    if answer.accepted:
        return {
            "accepted": True,
            "of": answer.of,
            "in_use": answer.in_use,
            "can_restart": answer.can_restart,
        }
    if answer.why == "changed":
        fault = say("The file has changed in the meantime. Load this page again.")
        return hosting.refused("changed", t, fault)
    return {**hosting.refusal(answer, t), "problems": _listed(answer)}


def _listed(answer: SettingsAnswer) -> list[dict[str, str]]:
    """What is wrong with a file: the key, its value, and a sentence about it."""
    found = []
    for one in answer.problems or ():
        place = " = ".join(filter(None, (one.path, one.came)))
        found.append({"path": one.path, "place": place, "says": f"{one.fault} ({one.fix})"})
    return found


# ------------------------------------------------------------------------------------ values


def _values(given: object, text: str) -> dict[str, dict[str, Any]]:
    """The fields that were sent as values; none for what makes no sense. Blocks: drivers are imported."""
    from firmware.config.editing import described  # only who opens the settings waits for every driver

    if not isinstance(given, dict):
        return {}
    known = {(one.name, setting.key.name): setting for one in described(text) for setting in one.settings}
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
    if key.name == _ADDRESS and isinstance(value, int):
        return f"0x{value:02X}"
    return value if isinstance(value, str) else plain(value)


# ------------------------------------------------------------------------------------ as HTML


def form(known: SettingsAnswer, translate: Translator) -> str:
    """The whole page; `known` is what the game has said of its file. Blocks: drivers are imported."""
    from firmware.config.editing import described

    t = translate
    title = f"<h1>{words(t, SETTINGS.title)}</h1>"
    if not known.accepted:
        told = _told(known, t)
        return f"{title}<p>{escape(told['fault'])}</p><p>{escape(told['fix'])}</p>"
    problems = _listed(known)
    try:
        sections = described(known.text or "")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as bad:
        fault = words(t, say("The file cannot be read. Correct it with an editor."))
        why = _faults(problems, t) or f'<p class="soft" lang="en" dir="ltr">{escape(str(bad))}</p>'
        return f"{title}<p>{fault}</p>{why}"
    about = say(
        "All of it is in one file of the box. What is empty has its default. What cannot be used is not "
        "saved."
    )
    waits = "" if known.in_use or problems else " data-waits"
    can = " data-can-restart" if known.can_restart else ""
    of = f' data-of="{escape(known.of or "")}"'
    return (
        f"{title}{_faults(problems, t)}<p>{words(t, about)}</p>"
        f'<p class="soft"><code dir="ltr">{escape(known.file or "")}</code></p>'
        f'<form id="settings" class="settings" autocomplete="off"{of}{waits}{can}>'
        f"{''.join(_section(one, t) for one in sections if one.settings)}"
        f'<div class="saving">{ANSWER}<ul id="problems" class="problems"></ul>'
        f'<button class="main">{words(t, say("Save"))}</button>'
        f'<button type="button" id="restart" hidden>{words(t, say("Start the game again now"))}</button>'
        "</div></form>"
    )


def _faults(problems: Sequence[Mapping[str, str]], t: Translator) -> str:
    """Why the game does not use the file as it is; empty if it does."""
    if not problems:
        return ""
    fault = say("The game cannot use this file. It uses the last one that was good, until this is corrected:")
    lines = "".join(
        f'<li><bdi dir="ltr"><code>{escape(one["place"])}</code> {escape(one["says"])}</bdi></li>'
        for one in problems
    )
    return f'<div class="told bad" role="status"><p>{words(t, fault)}</p><ul>{lines}</ul></div>'


def _section(section: Section, t: Translator) -> str:
    name = f"[{section.name}]" if section.name else ""
    title = TITLES.get(section.name)
    if title is None and section.name.startswith("rules."):
        title = say("House rules: {game}", game=t.title(_game(section.name)))
    called = words(t, title) if title is not None else escape(section.name)
    count = sum(one.given is not None for one in section.settings)
    mark = f'<span class="count">{t.number(count)}</span>' if count else ""
    fields = "".join(_field(section.name, one, t) for one in section.settings)
    return (
        f'<details><summary><span>{called}</span> <code dir="ltr">{escape(name)}</code>{mark}</summary>'
        f"{fields}</details>"
    )


def _game(section: str) -> str:
    from companion.core import games

    return games.module(section.partition(".")[2]).TITLE


def _field(section: str, setting: DescribedKey, t: Translator) -> str:
    key = setting.key
    name = f"{section}.{key.name}" if section else key.name
    given, usual = shown(setting, setting.given), shown(setting, setting.usual)
    about = _about(setting, t)
    if setting.is_locked:
        about = f"{about} {t.say(_IN_FILE)}"
    about = f'<p class="soft" id="{escape(name)}-about">{escape(about)}</p>'
    described = f' aria-describedby="{escape(name)}-about"'
    what = f' id="{escape(name)}" data-section="{escape(section)}" data-key="{escape(key.name)}"{described}'
    what += " disabled" if setting.is_locked else ""
    return (
        f'<div class="setting"><label for="{escape(name)}"><code dir="ltr">{escape(key.name)}</code></label>'
        f"{_input(setting, what, given, usual, t)}{about}</div>"
    )


def _about(setting: DescribedKey, t: Translator) -> str:
    """The text and the limits of a key, as sentences."""
    key = setting.key
    limits = key.limits()
    allowed = None if key.among or key.item in (bool, dict) else key.kind()
    if allowed is not None and limits is not None:
        allowed = say("{kind}, {limits}", kind=allowed, limits=limits)
    about = text_of(key.about) if key.about else None
    said = [t.say(one) for one in (about, allowed or limits) if one is not None]
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in said)


def _input(setting: DescribedKey, what: str, given: str, usual: str, t: Translator) -> str:
    key = setting.key
    if key.shape is object and (key.among or key.item is bool):
        values = [shown(setting, one) for one in key.among] if key.among else ["true", "false"]
        if given and given not in values:
            values.append(given)  # what the file has, although it cannot be used
        default = t.say(in_context("of a setting", "default: {value}", value=usual or "–"))
        options = [f'<option value="">{escape(default)}</option>'] + [
            f'<option value="{escape(one)}"{" selected" if one == given else ""}>{escape(one)}</option>'
            for one in values
            if one
        ]
        return f"<select{what}>{''.join(options)}</select>"
    if key.shape is tuple and key.item is str:
        rows = max(2, given.count("\n") + 2)
        what = f'{what} rows="{rows}" dir="auto" placeholder="{escape(usual)}"'
        return f"<textarea{what}>{escape(given)}</textarea>"
    mode = ' inputmode="decimal"' if key.item in (int, float) else ""
    value = f' value="{escape(given)}" placeholder="{escape(usual)}"'
    return f'<input{what}{mode} dir="auto" spellcheck="false"{value}>'
