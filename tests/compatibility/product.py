"""What the tests of compatibility use of the product, and the only file of theirs that imports it.

When something in the product is renamed or moved, change the imports and the bodies here, never the samples
and never what a function gives: numbers, texts, lists and dicts, as JSON has them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from companion.core import codes, games
from companion.core.ask import AskKind, Gives, Wait
from companion.core.codec import decode, json_schema
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.match import log
from companion.match.match import OVER, UNDO, Match, Step, begin
from companion.protocol.messages import schema
from companion.protocol.referee import Referee
from companion.protocol.snapshot import state
from firmware.cli import main as cli
from firmware.config.configuration import BOARD_NAMES, SECTIONS, load, options_of, parse
from firmware.config.keys import keys_of
from firmware.history.played_match import read_match
from firmware.journal.store import Journal
from firmware.session.session import Session as TableSession
from firmware.text.translation import Translator
from hardware.registry import DRIVERS

V = TypeVar("V")


def plain(value: V) -> V:
    """A value as JSON gives it back: tuples are lists, numbers as names are texts."""
    read: V = json.loads(json.dumps(value))
    return read


# ------------------------------------------------------------------------------------------------- matches


def replayed(records: Iterable[Mapping[str, Any]]) -> Match:
    """The match that a log tells: a header, then steps. Raises an error for a log that cannot be read."""
    return log.replay(records)


def standing(match: Match) -> dict[str, Any]:
    """Where a match stands: score, table, who may do what now, and what can be taken back or brought back."""
    position = match.position
    finished = position.finished
    undo, redo = match.undo(), match.redo()
    return plain(
        {
            "steps": match.steps,
            "state": state(match),
            "players": match.players,
            "deals": position.score_sheet.deals,
            "finished": None if finished is None else match.game.view(finished),
            "over": position.over,
            "asks": questions(match),
            "undo_voids": undo.voids if isinstance(undo, Step) else None,
            "redo_redoes": redo.redoes if isinstance(redo, Step) else None,
        }
    )


def questions(match: Match) -> list[dict[str, Any]]:
    """The open questions without the sentences in which people are asked."""
    return [
        {
            "verb": ask.kind.value,
            "gives": ask.kind.gives.value,
            "wait": ask.wait.value,
            "seats": list(ask.seats),
            "choices": list(ask.choices),
            "card": ask.card,
            "have": list(ask.have),
            "need": ask.need,
        }
        for ask in match.asks
    ]


def written_again(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A log read and written again, record by record."""
    terms = log.read_header(records[0])
    game = begin(terms).game
    return plain(
        [log.header(terms), *(log.write_step(log.read_step(record, game)) for record in records[1:])]
    )


def judged_again(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The log that the same commands make when they are judged by the rules once more.

    A command that is refused now gives a record with `refused`, and the match goes on as the log tells.
    """
    match = begin(log.read_header(records[0]))
    made: list[dict[str, Any]] = [log.header(match.terms)]
    for record in records[1:]:
        if "voids" in record:
            step = match.undo()
        elif "redoes" in record:
            step = match.redo()
        else:
            step = match.propose(decode(record["do"], match.commands))
        if isinstance(step, Step):
            made.append(log.write_step(step))
        else:
            made.append({"refused": step.rule.key, "fault": str(step.fault)})
        match = match.then(log.read_step(record, match.game))
    return plain(made)


# ------------------------------------------------------------------------------------------------- journal


def stored(path: Path) -> list[dict[str, Any]]:
    """Every match of the journal, which is opened for writing as the device does; oldest first."""
    with _journal(path) as journal:
        return [
            {
                "id": entry.id,
                "uid": entry.uid,
                "started_at": entry.started_at,
                "records": [entry.header, *journal.reader.steps(entry.id)],
                "times": [at for _, at in journal.reader.timed_steps(entry.id)],
            }
            for entry in journal.reader.matches()
        ]


def notes(path: Path, keys: Iterable[str]) -> dict[str, Any]:
    """What the journal remembers across matches, by key; None where it has nothing under a key."""
    with closing(Journal.read(path)) as reader:
        return {key: reader.recall(key) for key in keys}


def told(path: Path, names: list[str]) -> list[dict[str, Any]]:
    """Every match as the commands about played matches tell it: people, deals, when it began and ended."""
    with closing(Journal.read(path)) as reader:
        return [_told(read_match(reader, entry, names)) for entry in reader.matches()]


def _told(past: Any) -> dict[str, Any]:
    return plain(
        {
            # What somebody without a badge is called is a word for people.
            "people": [
                [one.seat, one.badge, one.name if one.badge else "", one.joined] for one in past.people
            ],
            "winners": [one.seat for one in past.winners],
            "deals": [
                {
                    "number": deal.number,
                    "points": deal.points,
                    "totals": deal.totals,
                    "players": deal.players,
                    "places": [[place.rank, place.seats, place.total] for place in deal.places],
                    "verified": deal.verified.value,
                }
                for deal in past.deals
            ],
            "begun": past.begun and past.begun.isoformat(),
            "ended": past.ended and past.ended.isoformat(),
            "minutes": past.minutes,
        }
    )


@contextmanager
def _journal(path: Path) -> Iterator[Journal]:
    journal, report = Journal.open(path, wall=lambda: "2030-01-01T00:00:00Z")
    with closing(journal):
        assert report.fault is None, report.fault
        yield journal


class Session:
    """The match at the table of a device that is switched on with this journal; from `Session.on`."""

    def __init__(self, session: TableSession) -> None:
        self._session = session

    @classmethod
    @contextmanager
    def on(cls, path: Path) -> Iterator[Session]:
        """The device is on; the match that was open is open again."""
        with _journal(path) as journal:
            session = TableSession(journal, load(None), Translator())
            fault = session.resume()
            assert fault is None, fault
            yield cls(session)

    @property
    def match(self) -> Match | None:
        """The match at the table."""
        return self._session.match

    @property
    def match_id(self) -> int | None:
        """Its number in the journal."""
        return self._session.match_id

    def suspended(self) -> list[int]:
        """The numbers of the matches that can be resumed, the last one first."""
        return [entry.id for entry in self._session.suspended()]

    def resume(self, number: int) -> None:
        """Go on with a suspended match."""
        self._session.resume_match(number)

    def suspend(self) -> None:
        """Suspend the match at the table."""
        self._session.suspend()

    def joining(self) -> dict[str, Any]:
        """The game and the badges of those who had said that they play it; no game where nobody had."""
        game, badges = self._session.notes.joining()
        return {"game": game, "badges": list(badges)}

    def group(self) -> dict[str, Any] | None:
        """Game, badges and options of the match that began last."""
        terms = self._session.notes.group()
        if terms is None:
            return None
        return plain({"game": terms.game, "badges": terms.badges, "options": terms.options})

    def names(self) -> list[str]:
        """What the players of the match are called on the display, by seat."""
        return [self._session.name(seat) for seat in self._session.playing.players]

    def undo(self) -> None:
        """Undo the newest step."""
        assert isinstance(self._session.undo(), Step)

    def redo(self) -> None:
        """Bring back the step that was taken back."""
        assert isinstance(self._session.redo(), Step)

    def do(self, record: Mapping[str, Any]) -> None:
        """Carry out a command; it must be allowed."""
        match = self._session.playing
        step = self._session.propose(decode(record, match.commands))
        assert isinstance(step, Step), str(step.fault)


def command(*words: str) -> int:
    """Run `nimmt` with these words: its exit status. It prints as it does in a terminal."""
    return cli.main(words)


# ------------------------------------------------------------------------------------------------ protocol


def protocol_schema() -> dict[str, Any]:
    """The JSON Schema of requests and answers, as the request `{"schema": true}` gives it."""
    return plain(schema())


def referee() -> Callable[[bytes], dict[str, Any]]:
    """A referee without a match: it answers one line of the protocol at a time."""
    return Referee().answer


# ----------------------------------------------------------------------------------- words that must not go


def questions_and_waits() -> dict[str, list[str]]:
    """What the protocol calls the questions, how many must answer, and what an answer names."""
    return {
        "verb": [one.value for one in AskKind],
        "wait": [one.value for one in Wait],
        "gives": [one.value for one in Gives],
    }


def game_keys() -> list[str]:
    """The names of the games in options, logs and the protocol."""
    return list(games.GAMES)


def box_of(key: str) -> dict[str, Any]:
    """What is printed for a game: its numbers of seats, the characters that begin its codes, its cards."""
    module = games.module(key)
    return {"seats": [module.SEATS[0], module.SEATS[-1]], "code": module.CODE, "deck": list(module.DECK)}


def kinds_of(key: str) -> dict[str, dict[str, Any]]:
    """The commands and events that a match of a game can have, each kind with its fields.

    `fields` are all fields of a record with their types in JSON Schema, `required` those without a default.
    """
    made = games.module(key).make(games.module(key).SEATS[0], {})
    commands: tuple[type[Any], ...] = (*made.commands, *match_commands.COMMANDS)
    events: tuple[type[Any], ...] = (*made.events, DealScored, *match_commands.EVENTS)
    return {
        "commands": {one.KIND: _fields(one) for one in commands},
        "events": {one.KIND: _fields(one) for one in events},
    }


def _fields(cls: type[Any]) -> dict[str, Any]:
    found = json_schema(cls)
    shapes = {name: shape for name, shape in found["properties"].items() if name != "kind"}
    return {"fields": shapes, "required": [name for name in found["required"] if name != "kind"]}


def rules_of(key: str) -> list[str]:
    """The keys of every rule that a match of a game can name, those about the score included."""
    made = games.module(key).make(games.module(key).SEATS[0], {})
    return [*made.rules, *(rule.key for rule in (*match_commands.RULES, OVER, UNDO))]


def options_schema(key: str) -> dict[str, Any]:
    """The JSON Schema of the options of a game."""
    return plain(games.module(key).options_schema())


def position_schema(key: str) -> dict[str, Any]:
    """The JSON Schema of a table of this game that can be taken over."""
    made = games.module(key).make(games.module(key).SEATS[0], {})
    return next(plain(json_schema(cls, tagged=False)) for cls in made.commands if cls.KIND == "adopt")


def controls() -> list[str]:
    """The text of every code on the control sheet."""
    return [codes.PREFIX + one.value for one in codes.Control]


def meaning(text: str, *, box: int = 1) -> list[Any]:
    """What a scanned text means: a card, a badge, a control, or nothing of ours.

    ["card", game, number], ["badge", number], ["control", word] or ["foreign"].
    """
    match codes.read(text, box=box):
        case codes.CardCode(game, card):
            return ["card", game, card]
        case codes.BadgeCode(number):
            return ["badge", number]
        case codes.ControlCode(control):
            return ["control", control.value]
        case _:
            return ["foreign"]


def card_code(game: str, number: int, box: int = 1) -> str:
    """The text that is printed on a card; `game` is the two characters."""
    return codes.card_code(game, number, box)


def badge_code(number: int) -> str:
    """The text that is printed on a badge."""
    return codes.badge_code(number)


# ------------------------------------------------------------------------------------ options of the command


def command_line() -> dict[str, list[dict[str, Any]]]:
    """Every word that can be typed behind `nimmt COMMAND`, by command.

    `names` are the ways to write an option; what has none stands by its place. `value` says whether
    a value follows, `choices` which ones will do (empty: any).
    """
    found: dict[str, list[dict[str, Any]]] = {"": _words(cli.parser())}
    for action in cli.parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {name: _words(parser) for name, parser in action.choices.items()}
    return found


def _words(parser: argparse.ArgumentParser) -> list[dict[str, Any]]:
    return [
        {
            "names": list(action.option_strings),
            "value": action.nargs != 0,
            "optional": action.nargs == "?" or bool(action.option_strings),
            "choices": [str(one) for one in action.choices or ()],
        }
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction)
    ]


def understood(words: list[str]) -> bool:
    """Whether `nimmt` understands these words; they are not carried out."""
    try:
        _parser().parse_args(words)
    except SystemExit as end:
        return end.code == 0  # --help and --version end the program, too
    return True


@cache
def _parser() -> argparse.ArgumentParser:
    return cli.parser()


# ------------------------------------------------------------------------------------------- configuration


def configured(text: str) -> dict[str, Any]:
    """A configuration as sections, keys and values. Raises an error for one that cannot be used."""
    config = parse(text, "a stored configuration")
    devices = {
        port: {"driver": chosen.driver, **_values(chosen.options)}
        for port in DRIVERS
        if (chosen := getattr(config, port))
    }
    sections = {name: _values(getattr(config, name)) for name in SECTIONS}
    return plain({"board": config.board, "rules": config.rules, **devices, **sections})


def _values(options: object) -> dict[str, Any]:
    return {key.name: getattr(options, key.name) for key in keys_of(type(options))}


def configuration_keys() -> dict[str, dict[str, Any]]:
    """Every key of the configuration by section, and of each driver under `display.oled` and so on."""
    found: dict[str, dict[str, Any]] = {name: _keys(options) for name, options in SECTIONS.items()}
    for port, drivers in DRIVERS.items():
        found |= {f"{port}.{name}": _keys(options_of(port, name)) for name in drivers}
    return plain(found)


def _keys(options: type[Any]) -> dict[str, Any]:
    return {
        key.name: {"among": list(key.among), "low": key.low, "high": key.high, "required": key.required}
        for key in keys_of(options)
    }


def boards() -> list[str]:
    """The boards that the configuration knows by name."""
    return list(BOARD_NAMES)
