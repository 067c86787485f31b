"""What is worth saying of the newest events of a table, and in which order. No sound, no clock."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from companion.core.ask import Wait
from companion.protocol.snapshot import PublicStep, Sentence, TableSnapshot
from companion.text.errors import InvalidRecord
from companion.text.sentence import NOTHING, Players, Text, Who
from firmware.extensions.speech import phrases
from firmware.table_socket.messages import RefusedEvent, StepEvent

_MOST_TOTALS: Final = 5
"""Of a large table only so many of the best are told."""


def moment(
    then: TableSnapshot | None,
    table: TableSnapshot | None,
    events: Sequence[StepEvent | RefusedEvent],
    level: str,
) -> tuple[Text, ...]:
    """The sentences for `events`, which have made the table what it is now, and `then` what it was.

    `level` is one of `config.LEVELS`. None: no match is in play.
    """
    said: list[Text] = []
    if level in ("rulings", "short"):
        for event in events:
            said += _refusal(event) if isinstance(event, RefusedEvent) else _step(event.step, level)
    if table is not None:
        said += _end(then, table)
        if level != "end" and _question(then) != (asked := _question(table)) and asked is not None:
            said.append(_asks(table))
    return tuple(one for one in said if one != NOTHING)


def lesson(pages: Sequence[Sentence], level: str) -> tuple[Text, ...]:
    """The sentences for what the page of a lesson says."""
    if level == "end":
        return ()
    return tuple(one for one in (_spoken(written, short=False) for written in pages) if one != NOTHING)


def _refusal(event: RefusedEvent) -> Iterator[Text]:
    for one in (event.fault, event.fix):
        yield _spoken(one, short=False)


def _step(step: PublicStep, level: str) -> Iterator[Text]:
    if step.voids is not UNSET:
        yield phrases.UNDONE
    elif step.because is not UNSET:
        for reason in step.because:
            yield _spoken(reason.says, short=level == "short")


def _spoken(written: Sentence, *, short: bool) -> Text:
    try:
        return phrases.spoken(written.as_text, short=short)
    except InvalidRecord:  # a sentence of a game of somebody else, made wrongly
        return NOTHING


def _end(then: TableSnapshot | None, table: TableSnapshot) -> Iterator[Text]:
    """How a deal or the match has ended since."""
    if then is None or then.match != table.match:
        return
    if len(table.deals) > len(then.deals):
        yield phrases.DEAL_OVER.with_facts(deal=len(table.deals))
        for place in table.places[:_MOST_TOTALS]:
            yield phrases.TOTAL.with_facts(players=Players(place.seats), total=place.total)
    if table.winners and then.winners is None:
        yield phrases.MATCH_OVER
        match table.winners:
            case (one, other):
                yield phrases.TWO_WINNERS.with_facts(one=Who(one), other=Who(other))
            case winners:
                form = phrases.WINNER if len(winners) == 1 else phrases.WINNERS
                yield form.with_facts(players=Players(winners))


def _question(table: TableSnapshot | None) -> object:
    """What is asked, told apart from the question before; None where nothing is.

    Where all or any may answer, those who still have to may change without another question.
    """
    if table is None or table.over or not table.asks:
        return None
    first = table.asks[0]
    one = first.wait == Wait.ONE
    return table.match, table.deal, table.turn, first.verb, first.card, first.seats if one else None


def _asks(table: TableSnapshot) -> Text:
    first = table.asks[0]
    return phrases.question(first.says.as_text, first.verb, first.wait, first.seats, first.card)
