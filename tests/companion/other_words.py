"""Another language for tests of sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.text.sentence import Decimals, Text


@dataclass(frozen=True)
class OtherWords:
    """A `Locale` with the templates, digits and names that it is given."""

    words: Mapping[str, str] = field(default_factory=dict)
    digits: str = "0123456789"
    names: tuple[str, ...] = ()

    def template(self, text: Text, count: int) -> str:
        english = text.plural if text.plural and count != 1 else text.template
        return self.words.get(english, english)

    def number(self, number: int) -> str:
        return str(number).translate(str.maketrans("0123456789", self.digits))

    def decimals(self, number: Decimals) -> str:
        return str(number).replace(".", ",").translate(str.maketrans("0123456789", self.digits))

    def name(self, seat: int) -> str | None:
        return self.names[seat] if self.names else None
