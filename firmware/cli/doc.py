"""docs/commands.md: the help of every command, without the options that all have.

`python -m firmware.cli.doc > docs/commands.md` writes it; a test compares them.
"""

import argparse
import re
import sys
from functools import partial
from typing import Final

from firmware.cli.main import parser

_HEAD: Final = """\
# Commands

`nimmt --help` lists the commands, `nimmt COMMAND --help` explains one. In a clone, type `.venv/bin/nimmt` in
place of `nimmt`; `make run` creates it.

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | not done: the last two lines say what is wrong and what to do |
| 2 | usage error: the command or an option is not known |
| 130 | stopped with Ctrl-C |

An installed device finds its configuration and its journal by itself. Elsewhere, add `--config FILE` or
`--journal FILE`; these and `--help` mean the same for every command.
"""
_EVERYWHERE: Final = re.compile(r"(?m)^  (?:-h|--config|--journal).*(?:exit|TOML\)|instead)\n| \[-h\]")


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of every command by its name, in the order of `nimmt --help`."""
    [made] = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    return dict(made.choices)


def as_markdown() -> str:
    """The whole page."""
    return _HEAD + "".join(map(_section, commands().items()))


def _section(named: tuple[str, argparse.ArgumentParser]) -> str:
    name, command = named
    command.formatter_class = partial(argparse.RawDescriptionHelpFormatter, width=100)
    text = _EVERYWHERE.sub("", command.format_help()).replace("options:\n\n", "").removesuffix("options:\n")
    return f"\n## `nimmt {name}`\n\n```text\n{text}```\n"


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
