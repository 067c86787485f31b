"""Help and complaints about the words of a command line, in the language of the reader.

`argparse` says its own sentences through `gettext`, and there is no other way to reach them: `in_language`
puts our translation in that place.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from companion.text.sentence import count, say
from firmware.text.translation import Translator

_EXPECTED: Final = count("expected %s argument", "expected %s arguments", 1)

_LINE: Final = re.compile(r"(?m)^(  \S+ +|)(.*)$")

WORDS: Final = (
    # Translators: of the help that a command prints, and its complaints. Keep what begins with % as it is.
    say("usage: "),
    say("positional arguments"),
    say("options"),
    say("show this help message and exit"),
    say("show program's version number and exit"),
    say("%(prog)s: error: %(message)s\n"),
    say("%(heading)s:"),
    say("argument %(argument_name)s: %(message)s"),
    say("the following arguments are required: %s"),
    say("unrecognized arguments: %s"),
    say("one of the arguments %s is required"),
    say("not allowed with argument %s"),
    say("ignored explicit argument %r"),
    say("expected one argument"),
    say("expected at most one argument"),
    say("expected at least one argument"),
    say("ambiguous option: %(option)s could match %(matches)s"),
    say("invalid choice: %(value)r (choose from %(choices)s)"),
    say("invalid %(type)s value: %(value)r"),
    say("unknown parser %(parser_name)r (choices: %(choices)s)"),
)
"""What `argparse` says, where a translation looks for it; it has no other sentences for people."""


def _beside_options(lines: Iterable[str]) -> Iterator[str]:
    """Lines from right to left that stand right of an option, each whole in itself.

    An isolate that a line leaves open is closed at its end, and opened again in the next one.
    """
    opened = 0
    for line in lines:
        begin = "\u2066" * opened
        opened += sum((char in "\u2066\u2068") - (char == "\u2069") for char in line)
        yield f"\u2067{begin}{line}" + "\u2069" * (opened + 1)


@contextmanager
def in_language(t: Translator) -> Iterator[type[argparse.ArgumentParser]]:
    """The kind of parser that speaks this language; it is made, used and let go within the block."""

    class Formatter(argparse.HelpFormatter):
        """Gives the texts of a command in the language."""

        def add_text(self, text: str | None) -> None:
            super().add_text(text and t.title(text))

        def _get_help_string(self, action: argparse.Action) -> str | None:
            return action.help and t.title(action.help)

        def _split_lines(self, text: str, width: int) -> list[str]:
            lines = super()._split_lines(text, width)
            return list(_beside_options(lines)) if t.right_to_left else lines

    class Raw(Formatter, argparse.RawDescriptionHelpFormatter):
        """The same for a text of several lines, each of which may begin with a word and spaces."""

        def add_text(self, text: str | None) -> None:
            super().add_text(text and _LINE.sub(lambda line: f"{line[1]}{t.title(line[2])}", text))

    class Speaking(argparse.ArgumentParser):
        """A parser with them."""

        def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as in argparse
            super().__init__(**{"formatter_class": Formatter, **options})

        def format_help(self) -> str:
            if self.formatter_class is argparse.RawDescriptionHelpFormatter:
                self.formatter_class = Raw
            return super().format_help()

    def one_or_many(one: str, many: str, number: int) -> str:
        known = one == _EXPECTED.template
        return t.template(_EXPECTED, number) if known else (one if number == 1 else many)

    theirs = vars(argparse)
    before = {name: theirs[name] for name in ("_", "ngettext")}
    theirs.update({"_": t.title, "ngettext": one_or_many})
    try:
        yield Speaking
    finally:
        theirs.update(before)
