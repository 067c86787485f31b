"""The error of devices that fail, and its sentences. Wrong plays and wrong files have errors of their own."""

from collections.abc import Mapping


class Sentence(str):
    """An English sentence that knows its template and its facts, to be said in any language.

    It is a string wherever a string will do. Facts are strings, other sentences, and whatever `str` takes.
    """

    __slots__ = ("facts", "template")

    template: str
    facts: Mapping[str, object]


def sentence(template: str, /, **facts: object) -> Sentence:
    """A `Sentence` from a template with `{named}` facts."""
    made = Sentence(template.format_map(facts))
    made.template, made.facts = template, facts
    return made


class HardwareError(OSError):
    """A device is absent, or does not do what its data sheet says.

    `device` is the name people use for it ("scanner", "display"), `fault` says what was seen, `check` what a
    person can do about it; give a `sentence` for both. It is an `OSError`, so that code which only knows the
    standard library can catch it as well.
    """

    def __init__(self, device: str, fault: str, check: str) -> None:
        super().__init__(f"{device}: {fault} ({check})")
        self.device = device
        self.fault = fault
        self.check = check
