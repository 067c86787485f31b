"""The text in files that people and other programs have written."""

from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say

_UTF_8_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


class NotText(CompanionError, ValueError):
    """What is no text, from a line and a character on, both counted from 1."""

    def __init__(self, file: str, line: int, place: int) -> None:
        super().__init__(
            say(
                "{file} is not UTF-8 text in line {line}, character {place}",
                file=file,
                line=line,
                place=place,
            ),
            say("save the file as UTF-8 text"),
        )
        self.line, self.place = line, place


def text_in(content: bytes, file: str = "the file") -> str:
    """The text in a file, as the editors of any computer save it: with LF alone, without byte order marks.

    It may be UTF-8 or UTF-16. Raises `NotText`, which calls the file by the name that is given.
    """
    if content.startswith(_UTF_16_MARKS) or b"\0" in content[:2]:
        marked = content.startswith(_UTF_16_MARKS)
        encoding = "utf-16" if marked else "utf-16-be" if content.startswith(b"\0") else "utf-16-le"
        content = content[: len(content) // 2 * 2]  # a line that was cut off after LF has half a letter more
    else:
        encoding, content = "utf-8", content.removeprefix(_UTF_8_MARK)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as bad:
        before = content[: bad.start].decode(encoding, errors="replace")
        line = before[before.rfind("\n") + 1 :]
        raise NotText(file, before.count("\n") + 1, len(line) + 1) from bad
    return text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
