"""What a table notes in the journal beside its matches: which is open, who has joined, what was left.

After a restart everything is read from here. A match itself is never a note: it is replayed from its steps.
"""

import json
from typing import Final

from companion.match.match import Terms
from firmware.history import players
from firmware.journal.errors import JournalError
from firmware.journal.rows import written
from firmware.journal.store import Journal
from firmware.journal.writes import Note
from firmware.session.state import StateStore

OPEN: Final = "open"
"""The number of the match in play."""

JOINING: Final = "joining"
GROUP: Final = "group"
SUSPENDED: Final = "away"
RESULT: Final = "result"
"""The number of the finished match that was left last."""

_ORDER: Final = "order"


class TableNotes:
    """The notes of a table. What writes raises `JournalError`, with nothing changed."""

    def __init__(self, journal: Journal, kept: StateStore) -> None:
        self._journal, self._kept = journal, kept

    def recall(self, what: str) -> object:
        """What is noted; None for none."""
        return self._kept.state.notes.get(what)

    def remember(self, what: str, value: object) -> None:
        """Note a JSON value; None for none."""
        self._kept.store(Note(what, json.loads(written(value))))

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


_KEPT: Final = "kept"


class KeptCards:
    """The kept cards of the match in play; a match that is suspended keeps its own."""

    def __init__(self, notes: TableNotes, kept: StateStore) -> None:
        self._notes, self._kept = notes, kept

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, in the order in which they were scanned."""
        noted = self._notes.recall(_KEPT)
        cards = noted.get(str(self._kept.state.match_id)) if isinstance(noted, dict) else None
        return tuple(map(str, cards or ()))

    def keep(self, card: str) -> None:
        """Keep one more card. Raises `JournalError` with nothing changed."""
        self._note((*self.cards, card))

    def remove(self, card: str) -> None:
        """Forget a card: it was played, or is taken back. Raises `JournalError` with nothing changed."""
        self._note(tuple(one for one in self.cards if one != card))

    def clear(self) -> None:
        """Forget all cards. Raises `JournalError` with nothing changed."""
        self._note(())

    def _note(self, cards: tuple[str, ...]) -> None:
        match, noted = str(self._kept.state.match_id), self._notes.recall(_KEPT)
        others = (
            {} if not isinstance(noted, dict) else {key: one for key, one in noted.items() if key != match}
        )
        self._notes.remember(_KEPT, {**others, match: cards} if cards else others or None)


_SEAT_ORDER: Final = "seat_order"


class SeatOrder:
    """The choice of a table, kept in the journal. It counts until the configuration says something else."""

    def __init__(self, notes: TableNotes, configured: bool) -> None:  # noqa: FBT001 - it is what it is about
        self._notes, self._configured = notes, configured

    @property
    def on(self) -> bool:
        """Whether each card is taken for that of the next player in seat order."""
        kept = self._notes.recall(_SEAT_ORDER)
        if isinstance(kept, dict) and kept.get("configured") is self._configured:
            return kept.get("chosen") is True
        return self._configured

    def change(self) -> None:
        """Choose the other one. Raises `JournalError`, with nothing changed."""
        self._notes.remember(_SEAT_ORDER, {"configured": self._configured, "chosen": not self.on})
