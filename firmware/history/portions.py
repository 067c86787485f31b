"""Work in portions: whoever does it may do something else between two of them."""

from collections.abc import Generator, Iterable
from typing import AnyStr, Final, TypeAlias, TypeVar

Made = TypeVar("Made")

Portions: TypeAlias = Generator[None, None, Made]
"""It yields after each portion but the last, and returns what was made."""

_PORTION: Final = 8192
"""Letters of a text that are made in one portion."""


def next_portion(work: Portions[Made]) -> tuple[Made] | None:
    """Do one more portion; what was made, if it was the last one. Raises what the work raises."""
    try:
        next(work)
    except StopIteration as end:
        return (end.value,)
    return None


def done(work: Portions[Made]) -> Made:
    """Do all of it at once. Raises what the work raises."""
    while (made := next_portion(work)) is None:
        pass
    return made[0]


def in_portions(parts: Iterable[AnyStr]) -> Portions[AnyStr]:
    """The parts of a text or a file, put together; there is one at least."""
    made, length = list[AnyStr](), 0
    for part in parts:
        made.append(part)
        length += len(part)
        if length >= _PORTION:
            length = 0
            yield
    return made[0][:0].join(made)
