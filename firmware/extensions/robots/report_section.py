"""The page of a match: what a hard robot would have played, at its end."""

from collections.abc import Iterator
from html import escape

from firmware.extensions.robots import review_command
from firmware.history.played_match import PlayedMatch
from firmware.history.report import called
from firmware.history.report import rows as table
from firmware.text.translation import Translator


def section(past: PlayedMatch, translate: Translator) -> Iterator[str]:
    """What a hard robot would have played: in words, by player, and play by play.

    Nothing where no hand is known, or numpy is missing.
    """
    advice = review_command.advice_or_none(past.match)
    if not advice:
        return
    from companion.robots import coach  # a box without numpy does without it

    t, told = translate, coach.costliest(advice)
    yield f'<section class="coach"><h2>{escape(t("What a hard robot would have played"))}</h2>'
    if told:
        yield "<ol>"
        yield from (f"<li>{escape(review_command.in_words(one, past, t))}</li>" for one in told)
        yield "</ol>"
    else:
        yield f"<p>{escape(t('No play was clearly a mistake.'))}</p>"
    heads = ("", t("plays"), t("as good"), t("heads lost"))
    players = review_command.by_player(past, advice, t)
    yield from table(heads, ((called(person), *cells) for person, cells in players))
    yield f"<details><summary>{escape(t('Every play'))}</summary>"
    heads_2 = (t("Deal"), "", t("played"), t("expected"), t("robot"), t("expected"))
    plays = (
        (
            f"{t.number(one.play.deal)}.{t.number(one.play.turn)}",
            called(past.people[one.play.seat]),
            *map(escape, review_command.compared(one, t)),
        )
        for one in advice
    )
    yield from table(heads_2, plays)
    yield "</details>"
    note = t(
        "Expected: average bullheads until the end of the deal, as far as the player could know. "
        "Only for players whose hands are known."
    )
    yield f'<p class="note">{escape(note)}</p></section>'
