"""What the parts of a table cost, in this process: a scan, the wire, the rules, a robot, the camera.

A table here is the product's own loop, pages, journal and display driver over the real luma and a simulated
bus. It never waits, because its clock is simulated. Players are scripted, with a fixed random seed.
"""

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

from companion.core import games
from companion.core.ask import Answer
from companion.core.cards import Seat
from companion.core.codec import encode
from companion.match import log
from companion.match.dealer import Dealer, Group, Hand, players_by_chance
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.referee import Referee
from companion.values import replace
from firmware.commands.players import Act, SimulatedGroup
from firmware.config.configuration import Config, choose, load
from firmware.loop.app import App
from firmware.loop.react import handle_message
from firmware.loop.runtime import Runtime
from hardware.drivers.luma_oled import Oled, Options
from hardware.panel.partial_update import pack
from hardware.ports import Scanned
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from tools.bench import Figure, processor_s
from tools.bench.simulated_box import BUS_HZ

MEMORY: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - for private folders
"""A file system without a disk, where a sync costs nothing."""

_APART_S: Final = 3.0
"""Between two acts; pages that close by themselves do so in between."""

_DOCUMENT: Final[dict[str, Any]] = {
    "rows": [[seat * 10 + place for place in range(5)] for seat in range(4)],
    "taken": [list(range(seat, 104, 4)) for seat in range(4)],
    "shown": [{"card": card, "seat": card % 4, "rule": "lowest-card"} for card in range(12)],
}
"""A table of fixed size, as what can be compared with on any machine."""


class BenchTable:
    """A device at which people play; its clock is in our hands. For one thread; a context manager."""

    def __init__(self, config: Config, oled: Options, folder: Path | None = None) -> None:
        self.now_s = 0.0
        self.panel = SimulatedPanel("ssd1306")
        self.bus = SimulatedI2cBus(self.panel, bus_hz=BUS_HZ, real_time=False)
        self._own = TemporaryDirectory(dir=MEMORY, prefix="nimmt-bench-")
        self.folder = folder or Path(self._own.name)
        devices = {port: choose(port, "none") for port in ("display", "scanner", "buttons", "buzzer")}
        # Nobody shows a card twice here, and a new deal may begin with the card that ended the old one.
        config = replace(config, **devices, table=replace(config.table, duplicate_s=0.0))
        self.runtime = Runtime(config, self.folder / "journal.sqlite", lambda: 0.0)
        self.table = self.runtime.app.table
        self._display = Oled(oled, now_s=lambda: self.now_s)
        self._app = App(self.table, self._display, lambda: self.now_s)

    def __enter__(self) -> Self:
        self.bus.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.bus.__exit__(None, None, None)
        self.runtime.close()
        self._own.cleanup()
        if self.panel.complaints:
            raise RuntimeError(f"the panel was sent wrong bytes: {self.panel.complaints[0]}")

    def act(self, action: Act) -> None:
        """What the thread of the game does for an act, with its picture; the panel has not got it yet."""
        self.now_s += _APART_S
        handle_message(self.table, action, self.now_s)
        self._app.refresh()

    def show(self) -> None:
        """Draw, and send what the panel lacks, without its thread. Raises `RuntimeError` for a fault."""
        self._app.refresh()
        while self._display.work(self._app.post) == 0.0:
            pass
        if self._app.waiting:
            raise RuntimeError("the display reports a fault")


def _still() -> BenchTable:
    """A table whose picture changes for what people do and for nothing else."""
    config = load(None)
    screen = replace(config.screen, heartbeat_s=0.0, shift_every_s=0.0)
    return BenchTable(replace(config, screen=screen), Options(refresh_s=0.0))


def people(seed: int) -> SimulatedGroup:
    return SimulatedGroup(games.first(), 4, random.Random(seed))


def scan(most: int) -> Figure:
    """The game thread's part of a card: rules, journal, page, as a multiple of a table as JSON."""
    cards, times = min(60, most), min(12, most)
    runs = [list(_cards_s(cards)) for _ in range(times)]
    card_s = sum(map(min, zip(*runs, strict=True))) / cards
    json_s = [processor_s(lambda: json.loads(json.dumps(_DOCUMENT))) for _ in range(cards * times)]
    floor_s = sum(sorted(json_s)[:cards]) / cards
    return Figure(card_s / floor_s, "x JSON", 18, 1, f"{1000 * card_s:.2f} ms a card")


def _cards_s(cards: int) -> Iterator[float]:
    """How long each of the first cards of a match takes that are neither first nor last of a turn."""
    with _still() as table:
        group = people(7)
        while cards and (action := group.next(table.table)) is not None:
            page = table.table.front.NAME
            took_s = processor_s(partial(table.act, action))
            table.show()
            if isinstance(action, Scanned) and page == table.table.front.NAME == "collecting":
                cards -= 1
                yield took_s


def wire(most: int) -> Figure:
    """The bytes on the wire for an act that changes the picture, beside those that differ."""
    acts = list(islice(chain.from_iterable(map(_sent, range(6, 9))), 20 * most))
    sent, differing = (sum(acts_of_all) for acts_of_all in zip(*acts, strict=True))
    return Figure(sent / differing, "x changed", 1.45, 1, f"{sent / len(acts):.0f} bytes in the mean")


def _sent(seed: int) -> Iterator[tuple[int, int]]:
    """Of each act of a match the bytes that were sent, with addresses and commands, and those that differ."""
    with _still() as table:
        group = people(seed)
        while (action := group.next(table.table)) is not None:
            table.show()
            before, traffic = pack(table.panel.held()), table.bus.traffic
            table.act(action)
            table.show()
            differing = sum(a != b for a, b in zip(before, pack(table.panel.held()), strict=True))
            if differing:
                yield (table.bus.traffic - traffic).bytes_on_wire, differing


# ------------------------------------------------------------------------------------------------- the rules


def steps_of(terms: Terms, most: int, group: Group | None = None) -> Iterator[Step]:
    """The first steps of a match, which a group plays, or chance does."""
    match, players = begin(terms), group or players_by_chance(terms.game, random.Random(3))
    while match.asks and match.steps < most:
        answer = players.answer(match)
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        if not isinstance(step, Step):
            raise TypeError(f"the scripted players of {terms.game} made an illegal move: {step.fault}")
        yield step
        match = match.then(step)


def replay(most: int) -> Figure:
    """A long match from its log, as a multiple of reading that log as JSON, in the slowest game."""
    return _slowest(_replay, min(400, most), 8)


def _replay(game: str, most: int) -> float:
    records = [log.header(Terms(game, 4))]
    records += [log.write_step(step, sentences=False) for step in steps_of(Terms(game, 4), most)]
    lines = [json.dumps(record) for record in records]
    return _ratio(lambda: log.replay(map(json.loads, lines)), lambda: list(map(json.loads, lines)))


def referee(most: int) -> Figure:
    """What the referee answers, as a multiple of reading and writing it as JSON, in the slowest game."""
    return _slowest(_referee, min(300, most), 4)


def _referee(game: str, most: int) -> float:
    lines = []
    for seats in {games.module(game).SEATS[place] for place in (0, -1)}:
        lines.append(json.dumps({"new": game, "seats": seats}).encode())
        steps = steps_of(Terms(game, seats), most)
        lines += [json.dumps({"do": encode(step.command)}).encode() for step in steps]
    answers = _answers(lines)
    if not all(json.loads(answer)["ok"] for answer in answers):
        raise RuntimeError(f"the referee refuses a legal command of {game}")
    return _ratio(lambda: _answers(lines), lambda: [json.dumps(json.loads(answer)) for answer in answers])


def _answers(lines: list[bytes]) -> list[bytes]:
    judge = Referee()
    return [judge.reply(line) for line in lines]


def _ratio(one: Callable[[], object], other: Callable[[], object]) -> float:
    """How many times as long the one takes; each is tried five times, in turn, and the shortest counts."""
    times = [(processor_s(one), processor_s(other)) for _ in range(5)]
    return min(one_s for one_s, _ in times) / min(other_s for _, other_s in times)


def _slowest(ratio: Callable[[str, int], float], most: int, limit: float) -> Figure:
    ratios = {game: ratio(game, most) for game in games.GAMES}
    game = max(ratios, key=ratios.__getitem__)
    return Figure(ratios[game], "x JSON", limit, 1, f"the slowest is {game}")


# ------------------------------------------------------------------------------------- robots and the camera


def robot(most: int) -> Figure:
    """The slowest move of a hard robot of 6 nimmt!, each the shortest of three times."""
    from companion.robots.levels import Decision, Level, answer

    times_s: list[float] = []

    def think(match: Match, seat: Seat, hand: Hand) -> Answer | None:
        question = Decision(match, seat, hand, Level.HARD, seat)
        times_s.append(min(processor_s(partial(answer, question)) for _ in range(3)))
        return answer(question)

    for _ in steps_of(Terms("six", 4), min(80, most), Dealer(random.Random(9), think)):
        pass
    mean_ms = 1000 * sum(times_s) / len(times_s)
    return Figure(1000 * max(times_s), "ms", 115, note=f"{mean_ms:.0f} ms in the mean")


def camera(most: int) -> Figure:
    """What a card costs in a photo of ten, in the slowest deck; decks and photos are those of the tests."""
    import cv2

    from tests.firmware.extensions.camera.drawn_decks import DECKS
    from tests.firmware.extensions.camera.photos import grid, photo, teach

    cv2.setNumThreads(1)
    slowest_s, read = 0.0, 0
    decks = DECKS[: max(1, most // 10)]
    for drawn in decks:
        numbers = random.Random(1).sample(list(drawn.kinds), 10)
        deck = teach(drawn, numbers if most < 10 else None)
        shown = photo(grid(numbers, 1, 180), 1, drawn.face)
        read += len({card.code for card in deck.read(shown.picture)} & set(map(drawn.code, numbers)))
        times_s = [processor_s(partial(deck.read, shown.picture)) for _ in range(min(6, most // 2))]
        slowest_s = max(slowest_s, min(times_s))
    return Figure(100 * slowest_s, "ms a card", 100, note=f"{read} of {10 * len(decks)} cards are read")
