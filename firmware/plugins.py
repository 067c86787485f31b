"""Games that are installed beside the product, and join the built-in ones.

A distribution offers a game by an entry point of the group `nimmt.games`:

    [project.entry-points."nimmt.games"]
    highest = "nimmt_highest"

On the left is the key of the game, its name in options, logs and the protocol; on the right
the module that offers what `companion.core.games.GameModule` asks for. `companion` does no input or
output, so the program looks for them, once and before the command. A game that will not do is
left out and reported; all others play.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Final

from companion.core import games
from companion.text.errors import CompanionError
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from companion.text.sentence import Text

GROUP: Final = "nimmt.games"
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,19}")
_CODE: Final = re.compile(r"[0-9A-Z]{2}")
_TAKEN: Final = frozenset({"all", "other"})
"""Words that stand where the key of a game can stand."""


class UnusableGame(CompanionError):
    """An installed game that cannot be played; the fault names the distribution it comes from."""


def add_installed_games() -> tuple[UnusableGame, ...]:
    """Register every installed game, in the order of their keys; gives what is wrong with the others.

    A game that is there already, from an earlier call, is left as it is.
    """
    faults = []
    for point in _entry_points():
        if games.GAMES.get(point.name) == point.value:
            continue
        try:
            _check_name(point)
            _check(point, _imported(point))
        except UnusableGame as bad:
            faults.append(bad)
        else:
            games.register(point.name, point.value)
    return tuple(faults)


def _entry_points() -> list[EntryPoint]:
    if not _any_offered():
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))


def _any_offered() -> bool:
    """Whether any distribution has an entry point of our group.

    Most machines have none, and importing importlib.metadata costs a Zero 2 W a quarter of a
    second. Reading these few files costs hardly anything, so it comes first.
    """
    for path in _files_of_entry_points():
        try:
            with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - pathlib costs time here
                if f"[{GROUP}]" in file.read():
                    return True
        except OSError:
            continue
    return False


def _files_of_entry_points() -> Iterator[str]:
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - see above
        except OSError:  # a zip file, or a folder that is not there
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                yield os.path.join(folder, name, "entry_points.txt")  # noqa: PTH118 - see above


def _check_name(point: EntryPoint) -> None:
    if not _KEY.fullmatch(point.name) or point.name in _TAKEN:
        raise UnusableGame(
            say("{game} cannot have this name", game=_whose(point)),
            say("its author has to choose another one: up to 20 small letters, digits and underscores"),
        )
    if point.name in games.GAMES:
        raise UnusableGame(
            say("{game} has the name of a game that is there already", game=_whose(point)), _update(point)
        )
    if point.attr:
        raise UnusableGame(
            say("{game} names {name}, which is no module", game=_whose(point), name=repr(point.value)),
            say("its author has to name the module alone: {name}", name=repr(point.module)),
        )


def _imported(point: EntryPoint) -> ModuleType:
    try:
        module: ModuleType = point.load()
    # It is somebody else's code, and whatever it raises, the other games have to play.
    except (Exception, SystemExit) as bad:
        why = f"{type(bad).__name__}: {bad}".partition("\n")[0]
        raise UnusableGame(
            say("{game} cannot be imported: {why}", game=_whose(point), why=why), _update(point)
        ) from bad
    return module


def _check(point: EntryPoint, module: ModuleType) -> None:
    if lacking := games.lacking(module):
        raise UnusableGame(
            say("{game} lacks {parts}", game=_whose(point), parts=tuple(lacking)), _update(point)
        )
    if not _CODE.fullmatch(module.CODE):
        raise UnusableGame(
            say("{game} has the code {code} on its cards", game=_whose(point), code=repr(module.CODE)),
            say("its author has to choose two characters, capitals or digits"),
        )
    for key in games.GAMES:
        if games.module(key).CODE == module.CODE:
            raise UnusableGame(
                say(
                    "{game} has the code {code} on its cards, as {other} has",
                    game=_whose(point),
                    code=repr(module.CODE),
                    other=repr(key),
                ),
                _update(point),
            )


def _whose(point: EntryPoint) -> Text:
    """The game and where it comes from, for the beginning of a sentence."""
    source = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    return say("the game {name} of {source}", name=repr(point.name), source=source)


def _update(point: EntryPoint) -> Text:
    """What people can do who have installed it."""
    name = point.dist.name if point.dist else point.module
    return say("update it, or remove it with: pip uninstall {name}", name=name)
