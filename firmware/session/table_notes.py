"""What a table notes in the journal beside its matches: which is open, who has joined, names, what was left.

After a restart everything is read from here. A match itself is never a note: it is replayed from its steps.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from companion.core.codes import BADGES
from companion.match.match import Terms
from companion.text.names import one_spelling
from companion.text.sentence import in_context, say
from firmware.display.glyphs import Font
from firmware.display.names import LABELS, fitting_name, label_of, short_name, shown_names
from firmware.history import players
from firmware.history.players import level_at, robot_number
from firmware.journal.errors import JournalError
from firmware.journal.rows import written
from firmware.journal.store import Journal
from firmware.journal.writes import Note
from firmware.session.state import StateStore
from firmware.text.translation import Translator

OPEN: Final = "open"
"""The number of the match in play."""

JOINING: Final = "joining"
GROUP: Final = "group"
SUSPENDED: Final = "away"
RESULT: Final = "result"
"""The number of the finished match that was left last."""

LAYOUTS: Final = "layouts"
"""The keyboard layout of each scanner that has shown one; empty for that of the US."""

_ORDER: Final = "order"
_SEAT_ORDER: Final = "seat_order"
_KEPT: Final = "kept"

JOINS: Final = "joins"
"""Who joins a match with its next deal, by its number: see `Joining`."""


class Joining(NamedTuple):
    """Who joins with the next deal, in which deal and after how many steps that was said; `Join.begins`."""

    badge: int
    deal: int
    steps: int
    begins: str = ""


class TableNotes:
    """The notes of a table. What writes raises `JournalError`, with nothing changed.

    `seat_order` says whether the configuration wants cards in seat order.
    """

    def __init__(self, journal: Journal, kept: StateStore, *, seat_order: bool) -> None:
        self._journal, self._kept, self._seat_order = journal, kept, seat_order

    def recall(self, what: str) -> object:
        """What is noted; None for none."""
        return self._kept.state.notes.get(what)

    def remember(self, what: str, value: object) -> None:
        """Note a JSON value; None for none."""
        self._kept.store(Note(what, json.loads(written(value))))

    @property
    def layouts(self) -> Mapping[str, str]:
        noted = self.recall(LAYOUTS)
        return noted if isinstance(noted, dict) else {}

    # who plays next

    def remember_joining(self, game: str, badges: tuple[int, ...], robots: tuple[str, ...] = ()) -> None:
        """Keep who has joined, so that a power cut before the first card costs nothing."""
        joining: dict[str, object] = {"game": game, "badges": list(badges)}
        self.remember(JOINING, {**joining, "robots": list(robots)} if robots else joining)

    def joining(self) -> tuple[str, tuple[int, ...]]:
        """The game and the badges that had joined when the device went off; empty if nobody had."""
        kept = self.recall(JOINING)
        return (kept["game"], tuple(kept["badges"])) if isinstance(kept, dict) else ("", ())

    def joining_robots(self) -> tuple[str, ...]:
        """The robots among those that have joined, as in `Terms.robots`."""
        kept = self.recall(JOINING)
        return tuple(kept.get("robots", ())) if isinstance(kept, dict) else ()

    def group(self) -> Terms | None:
        """The terms of the newest match; None before the first."""
        group = self.recall(GROUP)
        if not isinstance(group, dict):
            return None
        badges = tuple(group["badges"])
        robots = tuple(group.get("robots", ()))
        return Terms(group["game"], len(badges), group["options"], badges=badges, robots=robots)

    @property
    def game_names(self) -> tuple[str, ...]:
        """The names that people gave to games whose score they kept, the newest first."""
        return players.names_in(self.recall(players.GAMES_NOTE))

    # matches that were left

    def suspended(self, in_play: int | None) -> list[int]:
        """The numbers of the suspended matches without the one in play, the last one first."""
        kept = self.recall(SUSPENDED)
        return [number for number in kept if number != in_play] if isinstance(kept, list) else []

    def result_before(self, in_play: int | None) -> int | None:
        """The finished match that was left last; None if it is gone."""
        number = self.recall(RESULT)
        if type(number) is not int or number == in_play:
            return None
        try:
            return number if self._journal.reader.has(number) else None
        except JournalError:
            return None

    # the standings

    @property
    def by_seat(self) -> bool:
        """Whether the standings are in the order of the seats, not of the ranks."""
        return self.recall(_ORDER) == "seat"

    def toggle_order(self) -> None:
        """Show the standings in the other order from now on."""
        self.remember(_ORDER, None if self.by_seat else "seat")

    # the cards of the match in play

    @property
    def in_seat_order(self) -> bool:
        """Whether each card is taken for that of the next player in seat order.

        What a table chose counts until the configuration says something else.
        """
        kept = self.recall(_SEAT_ORDER)
        if isinstance(kept, dict) and kept.get("configured") is self._seat_order:
            return kept.get("chosen") is True
        return self._seat_order

    def toggle_seat_order(self) -> None:
        """Choose the other one."""
        self.remember(_SEAT_ORDER, {"configured": self._seat_order, "chosen": not self.in_seat_order})

    @property
    def kept_cards(self) -> tuple[str, ...]:
        """The kept cards in the order of their scans. A match that is suspended keeps its own."""
        return tuple(map(str, self._of_match(_KEPT)))

    def keep_cards(self, cards: Sequence[str]) -> None:
        """Keep these cards and no others: without any, all are forgotten."""
        self._note_of_match(_KEPT, cards)

    # who joins with the next deal

    @property
    def joins_noted(self) -> tuple[Joining, ...]:
        """Those who join the match in play with its next deal."""
        return tuple(Joining(*join) for join in self._of_match(JOINS))

    @property
    def joins_next(self) -> tuple[int, ...]:
        """The badges alone."""
        return tuple(join.badge for join in self.joins_noted)

    def join_next(self, joins: Sequence[Joining]) -> None:
        """Let these join with the next deal, and nobody else."""
        self._note_of_match(JOINS, joins)

    # what is noted of each match by its number

    def _of_match(self, key: str) -> Sequence[Any]:
        noted = self.recall(key)
        return noted.get(str(self._kept.state.match_id)) or () if isinstance(noted, dict) else ()

    def _note_of_match(self, key: str, values: Sequence[object]) -> None:
        noted, match = self.recall(key), str(self._kept.state.match_id)
        others = {} if not isinstance(noted, dict) else {of: it for of, it in noted.items() if of != match}
        self.remember(key, {**others, match: list(values)} if values else others or None)


@lru_cache(maxsize=2)
def _labels_in(t: Translator) -> tuple[str, ...]:
    # Translators: a player without a name, by the number of the badge, in as few letters as can be.
    label = in_context("a player without a name, in short", "P{badge}")
    return tuple(t.say(label.with_facts(badge=badge)) for badge in BADGES)


class PlayerNames:
    """The names by badge. `configured` are those of the configuration, from badge 1."""

    def __init__(self, notes: TableNotes, kept: StateStore, configured: tuple[str, ...]) -> None:
        self._notes, self._kept, self._configured = notes, kept, configured
        self._found: tuple[Mapping[str, object], tuple[str, ...]] | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """The names by badge, from badge 1: those given at the table, else those of the configuration."""
        notes = self._kept.state.notes
        if self._found is None or self._found[0] is not notes:
            names = players.named(self._configured, notes.get(players.NOTE))
            for renamed in self._kept.state.renaming:
                names = renamed(names, notes)
            self._found = (notes, names)
        return self._found[1]

    def of(self, badge: int) -> str:
        """The name that belongs to a badge, in capitals; its `label` where there is none to draw."""
        shown = shown_names(self._here, self._labels)
        return shown[badge - 1] if badge <= len(shown) else self.label(badge)

    def label(self, badge: int) -> str:
        """What the player of a badge is called without a name: P1 to P10."""
        return label_of(badge, self._labels)

    def short(self, badge: int, columns: int) -> str:
        """The name that belongs to a badge in at most `columns` letters of SMALL, unlike any other name."""
        return short_name(self._here, badge, columns, self._labels)

    def fitting(self, badge: int, width_px: int, font: Font) -> str:
        """The name that belongs to a badge, at most `width_px` wide, unlike any other name."""
        return fitting_name(self._here, badge, width_px, font, self._labels)

    def is_configured(self, badge: int) -> bool:
        """Whether the configuration has a name for a badge."""
        return badge <= len(self._configured)

    def is_free(self, badge: int, name: str) -> bool:
        """Whether the display can tell this name of a badge from those of all others."""
        others = [self.of(other) for other in BADGES if other != badge]
        return shown_names((*others, name))[-1] != LABELS[-1]

    def give(self, badge: int, name: str) -> None:
        """Call a badge by a name from now on; an empty one gives it back to the configuration.

        Raises `JournalError` with nothing changed.
        """
        given = players.given_names(self._kept.state.notes.get(players.NOTE))
        given.pop(badge, None)
        if name:
            given[badge] = one_spelling(name)
        self._kept.store(Note(players.NOTE, players.note_of(given)))

    @property
    def _labels(self) -> tuple[str, ...]:
        return _labels_in(self._kept.state.texts)

    @property
    def _here(self) -> tuple[str, ...]:
        """The names by badge at this table, where a robot may have the place of a badge."""
        match = self._kept.state.match
        if match is not None:
            robots, badges = match.terms.robots, match.terms.badges
        else:
            robots, badges = self._notes.joining_robots(), self._notes.joining()[1]
        if not any(robots):
            return self.all
        names, translate = [*self.all, *[""] * (len(BADGES) - len(self.all))], self._kept.state.texts
        for seat, badge in enumerate(badges):
            if level_at(robots, seat):
                number = robot_number(robots, seat)
                word = say("ROBOT {number}", number=number) if number else say("ROBOT")
                names[badge - 1] = translate.say(word)
        return tuple(names)
