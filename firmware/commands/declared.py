"""What a command of `nimmt` says of itself, beside its code: `COMMAND = Command(...)`.

Other distributions add a command, or something to a command that is there: see `firmware.plugins.Part`.
"""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from companion.text.digits import in_latin_digits
from companion.text.errors import quoted
from companion.values import Value
from firmware import plugins

if TYPE_CHECKING:
    from firmware.paper.stock import Paper
    from firmware.text.translation import Translator

Kind = TypeVar("Kind")


Option: TypeAlias = Callable[[Any], object]
"""Something that can be typed behind the name of a command: adds it to a parser, or to a group of one."""


def option(*names: str, **settings: Any) -> Option:  # noqa: ANN401 - as in argparse
    """A word or an option, with the settings of `ArgumentParser.add_argument`."""
    return lambda parser: parser.add_argument(*names, **settings)


def flag(*names: str, help: str) -> Option:  # noqa: A002 - as in argparse
    """An option without a value."""
    return option(*names, action="store_true", help=help)


def number(name: str, help: str, default: int | None = None) -> Option:  # noqa: A002 - as in argparse
    """An option with a whole number."""
    return option(name, type=whole, default=default, metavar="N", help=help)


def whole(typed: str) -> int:
    """A whole number that was typed, in any digits. Raises `ArgumentTypeError`."""
    return _read(int, typed, "a whole number such as 3")


def decimal(typed: str) -> float:
    """A number that was typed, in any digits. Raises `ArgumentTypeError`."""
    return _read(float, in_latin_digits(typed), "a number such as 12.5")


def _read(kind: Callable[[str], Kind], typed: str, what: str) -> Kind:
    try:
        return kind(typed)
    except ValueError:
        raise ArgumentTypeError(f"{quoted(typed)} is not {what}") from None


def path(name: str, **settings: Any) -> Option:  # noqa: ANN401 - as in argparse
    """A word or an option that names a file."""
    usual = {"metavar": "FILE"} if name.startswith("-") else {}
    return option(name, type=Path, **{**usual, **settings})


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and what it counts: "1 match", "2 matches"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def one_of(*options: Option) -> Option:
    """Options that exclude each other."""

    def add(parser: Any) -> None:  # noqa: ANN401 - as above
        add_options(parser.add_mutually_exclusive_group(), options)

    return add


def add_options(parser: Any, options: Iterable[Option]) -> None:  # noqa: ANN401 - a parser, or a group of one
    for add in options:
        add(parser)


class Command(Value, kw_only=True):
    """A command: what it says in the help, what it does, and what it needs.

    `run` gives the exit status and raises `CompanionError` for what it cannot do. `options` are what can be
    typed behind the name; `config` and `journal` add `--config` and `--journal` before that. Its help ends
    with `examples` and `epilog`.
    """

    help: str
    run: Callable[[Namespace], int]
    options: tuple[Option, ...] = ()
    config: bool = False
    journal: bool = False
    games: bool = True
    """Whether installed games are added first; a command that is called often or early does without."""
    service: bool = False
    """Whether errors propagate, so that systemd restarts it and the log has the cause."""
    streams: frozenset[int] = frozenset({1})
    """The standard streams without which it makes no sense."""
    epilog: str = ""
    examples: tuple[str, ...] = ()


def about_records(**declared: Any) -> Command:  # noqa: ANN401 - the fields of a command
    """A command about stored matches, of which docs/records.md has more."""
    return Command(config=True, journal=True, epilog="More: docs/records.md", **declared)


class Addition(Value, kw_only=True):
    """What a part adds to a command that is there already: options, and what that command calls for it.

    `nimmt demo` calls `use(args, rng)`; it gives what chooses for the players, or None.
    """

    use: Callable[..., Any]
    options: tuple[Option, ...] = ()


class Sheet(Value, kw_only=True):
    """A sheet for `nimmt print SHEET`.

    `draw` gives the PDF and how many pages it has; it raises `CompanionError`. Its last argument puts the
    letters of a name in the order in which they are drawn. `own` are the options of this sheet alone, as
    attributes that are None where they are not given; `options` declares them.
    """

    draw: Callable[[Namespace, Paper, Translator, Callable[[str], str]], tuple[bytes, int]]
    options: tuple[Option, ...] = ()
    own: tuple[str, ...] = ()


def offered(point: plugins.EntryPoint, kind: type[Kind], what: str) -> Kind:
    """What an entry point leads to. Raises `Unusable`, also where that is not of the kind."""
    found = plugins.load(point, what)
    if not isinstance(found, kind):
        raise plugins.Unusable(
            f"{plugins.whose(point, what)} is not a {kind.__name__}", plugins.update(point)
        )
    return found


def additions(command: str) -> Iterator[Addition]:
    """What installed parts add to a command; what is not installed adds nothing. Raises `Unusable`."""
    for point in plugins.added("options"):
        if point.target == command:
            try:
                yield offered(point, Addition, f"what is added to nimmt {command}")
            except plugins.NotInstalled:
                continue
