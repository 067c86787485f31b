"""What devices say of their faults, as texts that can be said in any language."""

from __future__ import annotations

from companion.text.sentence import Text, as_it_is
from hardware.errors import Sentence, sentence


def text_of(said: str) -> Text:
    """What a device says as a text; the plain strings of a driver of another package stay as they are."""
    if not isinstance(said, Sentence):
        return as_it_is(said)
    return Text(said.template, {name: _fact(fact) for name, fact in said.facts.items()})


def sentence_of(text: Text) -> Sentence:
    """A text of the program for a `DeviceFault`; `text_of` gives it back."""
    return sentence("{text}", text=text)


def _fact(fact: object) -> object:
    if isinstance(fact, Text):
        return fact
    if isinstance(fact, tuple):
        return tuple(map(_fact, fact))
    # Numbers of pins, buses and baud rates are as they are printed, in every language.
    return text_of(fact) if isinstance(fact, Sentence) else str(fact)
