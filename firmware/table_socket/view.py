"""What is handed over as the objects of the protocol. This is the only way out, and nothing hidden takes it.

For the thread of the server. What an object holds is described in docs/table-socket.md.
"""

from __future__ import annotations

import base64
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.match import commands as match_commands
from companion.match.log import write_step
from companion.match.match import OVER, UNDO
from companion.protocol.public_view import hides_cards, public_events, public_view
from companion.protocol.referee import state
from companion.text.codec import encode_text
from companion.text.sentence import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.core.ask import Ask
    from companion.core.board import Board, Line, Sign, Stack
    from companion.core.ruling import Because, Rule
    from companion.match.match import Match, Step
    from firmware.service.health import Issue
    from firmware.table_socket.seen import Seen, WasRefused

NEWEST_STEPS: Final = 12
"""Steps in a snapshot."""

_RULES: Final[Mapping[str, Rule]] = {rule.key: rule for rule in (*match_commands.RULES, UNDO, OVER)}
"""The rules of every match; those of a game are in the game."""


class View:
    """The objects for one table, in the language and with the names that it had when it was seen."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._match = seen.match
        self._telling = copy(seen.translate)  # the one of the table calls players by short names
        self._telling.naming = self._name_of_seat

    # ------------------------------------------------------------------------------------- the whole

    def snapshot(self, number: int) -> dict[str, Any]:
        """Everything; `number` is that of the newest event."""
        return {
            "kind": "snapshot",
            "number": number,
            **self.language(),
            "table": self.table(),
            "steps": self._newest(),
            "page": self.page(),
            "notice": self._seen.notice,
            "picture": self.picture(),
            "health": self.health(),
            **self._seen.parts,
        }

    def language(self) -> dict[str, Any]:
        """The language of what is said."""
        return {"language": self._seen.translate.language, "digits": self._seen.digits}

    def page(self) -> dict[str, Any]:
        """The page in front."""
        seen = self._seen
        return {
            "name": seen.page,
            "goes_on": seen.goes_on,
            "joined": None if seen.joined is None else list(seen.joined),
            "changes": [one._asdict() for one in seen.changes],
            "refusal": seen.refusal,
        }

    def picture(self) -> dict[str, Any]:
        """The picture of the display, with how bright it is."""
        bits = base64.b64encode(self._seen.bits).decode()
        return {"width": 128, "height": 64, "light": self._seen.light.value, "bits": bits}

    def health(self) -> list[dict[str, Any]]:
        """What is wrong with the device."""
        return [self._issue(one) for one in self._seen.issues]

    # ------------------------------------------------------------------------------------- the match

    def table(self) -> dict[str, Any] | None:
        """The match in play, as people at the table may see it."""
        match, seen = self._match, self._seen
        if match is None:
            return None
        position, board = match.position, match.board
        score_sheet = position.score_sheet
        badges = seen.badges()
        names = tuple(map(self._name, badges))
        players = [
            {"seat": seat, "badge": badge, "name": names[seat], "plays": seat in match.players}
            for seat, badge in enumerate(badges)
        ]
        return {
            "match": seen.match_id,
            "game": match.terms.game,
            "title": match.game.title,
            "over": position.over,
            "deal": position.deal,
            "steps": match.steps,
            "players": players,
            **self._board(board),
            "asks": [self._ask(ask) for ask in match.asks],
            "totals": list(match.totals),
            "points": list(match.points),
            "places": [
                {"rank": one.rank, "seats": list(one.seats), "total": one.total}
                for one in score_sheet.standings(match.players)
            ],
            "deals": [list(points) for points in score_sheet.deals],
            "winners": None if match.winners is None else list(match.winners),
            "outcome": [self._because(one) for one in (*match.why_scored, *match.why_next)],
            "state": public_view(state(match, names)),
        }

    def step(self, step: Step, match: Match) -> dict[str, Any]:
        """A step of this match."""
        if step.voids is not None:
            return write_step(step)
        record: dict[str, Any] = {"step": step.number}
        if step.redoes is not None:
            record["redoes"] = step.redoes
        hides = hides_cards(match.game, step)
        record["events"] = public_events(match.game, step)
        record["because"] = [
            # A sentence without facts was stored by a former version, and may name a hidden card.
            self._rule(one.rule, match)
            | ({} if hides and not one.says.facts else {"says": self._text(one.says)})
            for one in step.because
        ]
        return record

    def refused(self, refused: WasRefused) -> dict[str, Any]:
        """What was refused."""
        return {
            "rule": refused.rule or None,
            "fault": self._text(refused.fault),
            "fix": self._text(refused.fix),
        }

    # ------------------------------------------------------------------------------------- parts of it

    def _newest(self) -> list[dict[str, Any]]:
        """The newest steps of the match that were not undone, the oldest first."""
        found, at = list[dict[str, Any]](), self._match
        while at is not None and at.newest is not None and len(found) < NEWEST_STEPS:
            found.append(self.step(at.newest, at))
            at = at.before
        return found[::-1]

    def _board(self, board: Board) -> dict[str, Any]:
        return {
            "turn": board.turn,
            "turns": board.turns,
            "stacks": [self._stack(one) for one in board.stacks],
            "top": None if board.top is None else self._sign(board.top),
            "beats": [self._sign(one) for one in board.beats],
            "hint": self._text(board.hint),
            "facts": self._texts(board.facts),
            "hands": list(board.hands),
            "tallies": [
                {"label": self._text(one.label), "numbers": list(one.numbers)} for one in board.tallies
            ],
            "revealed": board.revealed,
            "lines": [self._line(one) for one in board.newest],
        }

    def _stack(self, stack: Stack) -> dict[str, Any]:
        """Of a covered pile nobody may see more than the last card, or know how many there are."""
        cards = stack.cards[-1:] if stack.covered else stack.cards
        return {
            "name": stack.name,
            "choice": stack.choice,
            "cards": [self._card(card) for card in cards],
            "room": stack.room,
            "heads": None if stack.covered else stack.heads,
            "fits": self._text(stack.fits),
            "covered": stack.covered,
        }

    def _line(self, line: Line) -> dict[str, Any]:
        return {
            **self._card(line.card),
            "outcome": self._text(line.outcome),
            "taker": line.taker,
            "takes": [] if line.covered else [self._card(card) for card in line.takes],
            "costs": None if line.covered else line.heads,
            "place": line.place,
            "covered": line.covered,
            "because": self._because(line.because),
        }

    def _card(self, card: str) -> dict[str, Any]:
        match = self._playing
        label = self._said(match.game.label(card))
        return {"card": card, "label": label, "heads": _heads(match.box, card)}

    @property
    def _playing(self) -> Match:
        if self._match is None:
            raise RuntimeError("no match is in play")
        return self._match

    def _sign(self, sign: Sign) -> dict[str, Any]:
        return {"symbol": sign.symbol, "word": self._text(sign.word)}

    def _ask(self, ask: Ask) -> dict[str, Any]:
        return {
            "verb": ask.kind.value,
            "says": self._text(ask.says),
            "gives": ask.kind.gives.value,
            "seats": list(ask.seats),
            "wait": ask.wait.value,
            "choices": list(ask.choices),
            "labels": self._texts(ask.labels),
            "card": ask.card or None,
            "have": list(ask.have),
            "need": ask.need,
        }

    def _because(self, because: Because) -> dict[str, Any]:
        cells = [
            [self._text(cell) if isinstance(cell, Text) else cell for cell in row] for row in because.cells
        ]
        return {
            **self._told(because.rule),
            "says": self._text(because.says),
            "cells": cells,
            "lit": because.lit,
        }

    def _rule(self, key: str, match: Match) -> dict[str, Any]:
        """The rule of that key; of one that this version does not know the key alone."""
        rule = match.game.rules.get(key) or _RULES.get(key)
        return {"rule": key} if rule is None else self._told(rule)

    def _told(self, rule: Rule) -> dict[str, Any]:
        return {
            "rule": rule.key,
            "title": self._text(rule.title),
            "sentence": self._text(rule.sentence),
            "source": rule.source,
        }

    def _issue(self, issue: Issue) -> dict[str, Any]:
        return {
            "id": issue.id,
            "part": issue.part,
            "severity": issue.severity.value,
            "says": self._text(issue.says),
            "fix": self._text(issue.fix),
            "link": issue.link,
        }

    # ------------------------------------------------------------------------------------- words

    def _texts(self, texts: Iterable[Text]) -> list[dict[str, Any]]:
        return [self._text(one) for one in texts]

    def _text(self, text: Text) -> dict[str, Any]:
        """The template with its facts, for every language, and the sentence in that of the table."""
        return {**encode_text(text), "says": self._said(text)}

    def _said(self, text: Text) -> str:
        return self._telling.say(text)

    def _name(self, badge: int) -> str:
        names = self._seen.names
        return names[badge - 1] if badge <= len(names) else f"P{badge}"

    def _name_of_seat(self, seat: int) -> str:
        badges = self._seen.badges()
        return self._name(badges[seat]) if seat < len(badges) else f"P{seat + 1}"


@lru_cache(maxsize=512)
def _heads(box: str, card: str) -> int | None:
    """The points that are printed on a card; None for what is no card of the game, such as a named joker."""
    module = games.module(box) if box else None
    return module.worth(card) if module is not None and card in module.DECK else None
