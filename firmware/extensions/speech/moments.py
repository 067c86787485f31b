"""What is worth saying of the newest events of a table, and in which order. No sound, no clock."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from companion.core.ask import Wait
from companion.protocol.snapshot import Localized, PublicStep, TableSnapshot
from companion.text.errors import InvalidRecord
from companion.text.sentence import NOTHING, Players, Text, Who
from firmware.extensions.speech import phrases
from firmware.table_socket.messages import RefusedEvent, StepEvent

_MAX_TOTALS: Final = 5
"""Only the best totals of a large table are said."""


def moment(
    before: TableSnapshot | None,
    table: TableSnapshot | None,
    events: Sequence[StepEvent | RefusedEvent],
    level: str,
) -> tuple[Text, ...]:
    """The texts to say for `events`, which have made `table` of what it was `before`.

    `level` is one of `config.LEVELS`. None: no match is in play. A `phrases.voice` says them.
    """
    texts: list[Text] = []
    if level in ("rulings", "short"):
        for event in events:
            if isinstance(event, RefusedEvent):
                texts += _text(event.fault), _text(event.fix)
            else:
                texts += _step(event.step)
    if table is not None:
        texts += _end(before, table)
        if level != "end" and _question(before) != (asked := _question(table)) and asked is not None:
            ask = table.asks[0]
            texts.append(phrases.question(ask.says.as_text, ask.verb, ask.wait, ask.seats, ask.card))
    short = level == "short"
    return tuple(text for text in texts if phrases.is_spoken(text, short=short))


def lesson(pages: Sequence[Localized], level: str) -> tuple[Text, ...]:
    """The texts to say for what the page of a lesson says."""
    return () if level == "end" else tuple(filter(phrases.is_spoken, map(_text, pages)))


def _step(step: PublicStep) -> Iterator[Text]:
    if step.voids is not UNSET:
        yield phrases.UNDONE
    elif step.because is not UNSET:
        yield from (_text(reason.says) for reason in step.because)


def _text(sentence: Localized) -> Text:
    try:
        return sentence.as_text
    except InvalidRecord:  # a sentence of a game of somebody else, made wrongly
        return NOTHING


def _end(before: TableSnapshot | None, table: TableSnapshot) -> Iterator[Text]:
    """How a deal or the match has ended since."""
    if before is None or before.match != table.match:
        return
    if len(table.deals) > len(before.deals):
        yield phrases.DEAL_OVER.with_facts(deal=len(table.deals))
        for place in table.places[:_MAX_TOTALS]:
            yield phrases.TOTAL.with_facts(players=Players(place.seats), total=place.total)
    if table.winners and before.winners is None:
        yield phrases.MATCH_OVER
        match table.winners:
            case (first, second):
                yield phrases.TWO_WINNERS.with_facts(one=Who(first), other=Who(second))
            case winners:
                form = phrases.WINNER if len(winners) == 1 else phrases.WINNERS
                yield form.with_facts(players=Players(winners))


def _question(table: TableSnapshot | None) -> object:
    """What is asked, to compare with the question before; None where nothing is.

    Where all or any may answer, those who still have to may change without another question.
    """
    if table is None or table.over or not table.asks:
        return None
    ask = table.asks[0]
    seats = ask.seats if ask.wait == Wait.ONE else None
    return table.match, table.deal, table.turn, ask.verb, ask.card, seats
