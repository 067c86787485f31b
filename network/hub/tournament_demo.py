"""A tournament without people: a director who does what is due, and tables that play where they are told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from companion.match.match import Terms
from companion.text.sentence import Text, say
from companion.tournament import acts
from companion.tournament.standing import standing

if TYPE_CHECKING:
    from companion.tournament.course import Round
    from network.hub.evening import TablesNow
    from network.hub.simulated import SimulatedBox
    from network.hub.tournament import Conductor
    from network.mqtt.payloads import Seats

WHO: Final = "demo"
_AT_A_TABLE: Final = 4
_LOOK_S: Final = 0.3


def rules(seed: int, rounds: int) -> acts.Opened:
    # Translators: the names of people and of a tournament in a demonstration.
    return acts.Opened("Demo", f"{seed}", rounds, options={"end": {"deals": 1}})


def people(tables: int, names: Sequence[str]) -> list[acts.Registered]:
    """Four players for each table; the second with a name is called by a number too."""
    found = []
    for at in range(tables * _AT_A_TABLE):
        again, name = divmod(at, len(names))
        found.append(acts.Registered(at + 1, f"{names[name]} {again + 1}" if again else names[name]))
    return found


def direct(conductor: Conductor, opened: acts.Opened, players: Sequence[acts.Registered]) -> bool:
    """Do what a director would do now; False once the tournament is over."""
    held = conductor.now()
    if held is None:
        conductor.act(opened, WHO)
        for player in players:
            conductor.act(player, WHO)
        return True
    state, round_ = held.state, held.state.open_round
    if state.finished:
        return False
    if round_ is not None:
        if all(table.is_confirmed for table in round_.tables):
            conductor.act(acts.Closed(round_.number), WHO)
    elif state.rounds and state.rounds[-1].final:
        conductor.act(acts.Finished(), WHO)
    else:
        conductor.draw(WHO)
    return True


def play(box: SimulatedBox, seats: Seats | None) -> None:
    """Let one table do the next thing: begin where people are seated, play, tell the result."""
    if seats is None or not seats.players:
        return
    uid = f"{box.name}-{seats.round}"
    if not box.matches or box.matches[-1].uid != uid:
        badges = tuple(player.badge for player in seats.players)
        names = tuple(player.name for player in seats.players)
        box.begin(Terms(seats.game, len(badges), dict(seats.options), badges=badges), uid, names)
    elif box.matches[-1].match.asks and not box.step():
        raise RuntimeError("a match that asks cannot go on")
    elif not box.matches[-1].match.asks:
        box.tell_result(seats.round, tuple(player.badge for player in seats.players))


class Director:
    """A director in a thread of their own, until `stop`. `tell` hears how the tournament goes on."""

    def __init__(
        self,
        conductor: Conductor,
        evening: TablesNow,
        opened: acts.Opened,
        players: Sequence[acts.Registered],
        tell: Callable[[Text], None],
    ) -> None:
        self._tell = tell
        self._conductor, self._evening = conductor, evening
        self._opened, self._players = opened, players
        self._drawn = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._direct, name="director")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Leave the tournament as it is."""
        self._stopped.set()
        self._thread.join()

    def _direct(self) -> None:
        while not self._stopped.wait(_LOOK_S):
            there = sum(box.online for box in self._evening.boxes())
            if there * _AT_A_TABLE < len(self._players):
                continue
            goes_on = direct(self._conductor, self._opened, self._players)
            held = self._conductor.now()
            if held is not None and len(held.state.rounds) > self._drawn:
                self._tell(_drawn(held.state.rounds[-1]))
                self._drawn = len(held.state.rounds)
            if not goes_on:
                if held is not None:
                    first = standing(held.state)[0].name
                    self._tell(say("The tournament is over. First: {name}", name=first))
                return


def _drawn(round_: Round) -> Text:
    if round_.final:
        return say("The final is drawn.")
    return say("Round {round} is drawn: {tables} tables.", round=round_.number, tables=len(round_.tables))
