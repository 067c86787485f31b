"""A catalogue that marks every template: what is still in Latin letters was not translated."""

import re

from firmware.text.translation import Catalogue

_MARK = {ord("A") + place: 0x410 + place for place in range(26)} | {
    ord("a") + place: 0x430 + place for place in range(26)
}
_FIELD = re.compile(r"(\{\w*\}|%\(\w+\)[rs]|%[rs])")


class Marking(Catalogue):
    """A catalogue that writes the letters of every template in Cyrillic ones, and leaves its fields alone."""

    def template(self, context: str, template: str, plural: str, count: int) -> str:
        parts = _FIELD.split(super().template(context, template, plural, count))
        return "".join(part if _FIELD.fullmatch(part) else part.translate(_MARK) for part in parts)
