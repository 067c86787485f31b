"""docs/commands.md, generated from the parser of the command line, with the output of examples.

`python -m firmware.cli.doc > docs/commands.md` writes it; a test compares them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from firmware.cli.examples import outputs
from firmware.cli.main import parser
from firmware.scripted.gallery import SCREENS

_HEAD: Final = """\
# Commands

- `nimmt --help` lists the commands.
- `nimmt COMMAND --help` explains one.
- `nimmt --version` prints the version.

If you have not installed the package, type `.venv/bin/nimmt` in place of `nimmt`. `make run` creates it.

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | not done: the last two lines say what is wrong and what to do |
| 2 | usage error: the command or an option is not known |
| 130 | stopped with Ctrl-C |

An installed device finds its configuration and its journal by itself. Elsewhere, add `--config FILE` or
`--journal FILE`. The examples on this page show the journal of one evening of Ana, Bo, Cem and Dora.
They are real output: a test runs them and compares. `...` stands for lines that were left out.
"""

_PICTURES: Final[Mapping[str, tuple[str, str]]] = {
    "run": (next(iter(SCREENS)), "Without a configuration, the display appears in the terminal:"),
    "display": ("status-starting", "`nimmt display starting` prints nothing. The display shows:"),
}
"""Commands that show a picture and print nothing: its name, and what is said of it."""


def as_markdown() -> str:
    """The whole page. Runs the examples, which takes some seconds."""
    shown = outputs()
    sections = ("\n".join(_section(name, command, shown.get(name, []))) for name, command in _commands())
    return _HEAD + "".join(f"\n{section}\n" for section in sections)


def _commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command once, as `nimmt --help` lists them; the old name of a command is left out."""
    for action in _actions(parser()):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse has no other name for it
            listed = {choice.dest for choice in action._choices_actions}  # noqa: SLF001
            yield from ((name, command) for name, command in action.choices.items() if name in listed)


def _section(
    name: str, command: argparse.ArgumentParser, examples: Sequence[tuple[str, str]]
) -> Iterator[str]:
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
    if name in _PICTURES:
        picture, says = _PICTURES[name]
        yield f"\n{says}\n\n![{name}](pictures/screens/{picture}.png)"
    for example, output in examples:
        yield f"\n```text\n$ {example}\n{output}\n```"


def _typed(action: argparse.Action) -> str:
    if not action.option_strings:
        return _placeholder(action)
    value = "" if action.nargs == 0 else f" {_name(action)}"
    return "`, `".join(f"{one}{value}" for one in action.option_strings)


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
    """The text with Markdown's special characters escaped."""
    return text.replace("|", "\\|").replace("*", "\\*")


def _actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return command._actions  # noqa: SLF001 - argparse tells them nowhere else


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
