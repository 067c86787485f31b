"""docs/commands.md, generated from the parser of the command line.

`python -m firmware.cli_doc > docs/commands.md` writes it; a test compares them.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from firmware.cli import parser

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD: Final = """# Commands

`nimmt --help` lists the commands, `nimmt COMMAND --help` explains one, and `nimmt --version` prints the
version. Without an installation, run `make run` once and then type `.venv/bin/nimmt`.

The exit status is 0 for success, 1 for a failure (the last two lines say what is wrong and what to do), 2 for
a usage error, and 130 after Ctrl-C.
"""


def as_markdown() -> str:
    """The whole page."""
    return _HEAD + "".join("\n" + "\n".join(_section(name, command)) + "\n" for name, command in _commands())


def _commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command, as `nimmt --help` lists them."""
    for action in _actions(parser()):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse has no other name for it
            yield from action.choices.items()


def _section(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    words = [action for action in _actions(command) if not isinstance(action, argparse._HelpAction)]  # noqa: SLF001
    typed = [_placeholder(action) for action in words if not action.option_strings]
    yield f"## `{' '.join(['nimmt', name, *typed])}`"
    yield ""
    about = command.description or ""
    yield f"{about[:1].upper()}{_plain(about[1:])}."
    if words:
        yield ""
        yield "| argument | meaning |"
        yield "|---|---|"
    for action in words:
        yield f"| `{_typed(action)}` | {_meaning(action)} |"


def _typed(action: argparse.Action) -> str:
    if not action.option_strings:
        return _placeholder(action)
    value = "" if action.nargs == 0 else f" {_name(action)}"
    return f"{action.option_strings[-1]}{value}"


def _placeholder(action: argparse.Action) -> str:
    return f"[{_name(action)}]" if action.nargs == "?" else _name(action)


def _name(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    return metavar.upper()


def _meaning(action: argparse.Action) -> str:
    choices = "" if action.choices is None else ", ".join(f"`{choice}`" for choice in action.choices)
    about = _plain(action.help or "")
    return "; ".join(part for part in (about, choices and f"one of {choices}") if part)


def _plain(text: str) -> str:
    """The text without what Markdown would take for a sign of its own."""
    return text.replace("|", "\\|").replace("*", "\\*")


def _actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return command._actions  # noqa: SLF001 - argparse tells them nowhere else


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
