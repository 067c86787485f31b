"""Refusals that every game gives in the same words, and members that a game does not offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from companion.core.cards import Seat, listed_players, who
from companion.core.ruling import Refused
from companion.text.errors import NotInThisGame
from companion.text.sentence import Sentences, Text, count, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.ruling import Rule
    from companion.text.sentence import Who


def not_playing(players: Sequence[Seat], seat: Seat, rule: Rule) -> Refused | None:
    """A refusal if nobody plays at that seat."""
    if seat in players:
        return None
    return Refused(
        rule,
        say("{player} is not playing", player=who(seat)),
        say("choose one of the {players}", players=listed_players(players)),
    )


def cannot_join(players: Sequence[Seat], seats: int, most: int, seat: Seat, rule: Rule) -> Refused | None:
    """A refusal if a seat is taken, or is not the next free one.

    `seats` have places in the match, those of players who left among them; `most` can play at all.
    """
    if seat in players:
        return Refused(rule, say("{player} is already playing", player=who(seat)), say("continue"))
    free = [Seat(one) for one in range(min(seats + 1, most)) if one not in players]
    if seat in free:
        return None
    if not free:
        fix = say("all {most} seats are taken, so nobody can join", most=most)
    else:
        fix = say("use a free player number: {numbers}", numbers=tuple(seat + 1 for seat in free))
    return Refused(rule, say("there is no player {seat}", seat=seat + 1), fix)


def cannot_leave(players: Sequence[Seat], fewest: int, rule: Rule, fix: Text) -> Refused | None:
    """A refusal if too few would stay. Whether the seat plays is checked with `not_playing`."""
    if len(players) > fewest:
        return None
    return Refused(rule, say("at least {fewest} players must stay", fewest=fewest), fix)


def cannot_swap(players: Sequence[Seat], seats: Sequence[Seat], rule: Rule, seated: Rule) -> Refused | None:
    """A refusal if `seats` are not two different players; `seated` is the rule about who plays."""
    if len(seats) != 2 or seats[0] == seats[1]:  # noqa: PLR2004 - a swap is between two
        return Refused(rule, say("a swap needs two players"), say("name two different players"))
    return not_playing(players, seats[0], seated) or not_playing(players, seats[1], seated)


def impossible_position(faults: Sequence[Text], rule: Rule, most: int, fix: Text) -> Refused | None:
    """A refusal that names what can never be on a table, if anything is.

    A real table has at most `most` faults. A program can send thousands, and all of them in one
    sentence would help nobody: of the rest only the number is given.
    """
    if not faults:
        return None
    more = len(faults) - most
    named = tuple(faults[:most])
    if more > 0:
        named += (count("and {count} more", "and {count} more", more),)
    return Refused(rule, say("this table is not possible: {faults}", faults=Sentences(named)), fix)


def in_two_places(card: object, place: Text, other: Text) -> Text:
    """The fault of a card that is told to be in two places ("in row 1")."""
    return say("card {card} is {place} and {other}", card=card, place=place, other=other)


def wrong_number_of_entries(name: str, given: int, seats: int) -> Text:
    """The fault of a list that does not have one entry for each seat."""
    return say(
        "{name} needs {seats} entries, one for each seat, but has {given}",
        name=repr(name),
        seats=seats,
        given=given,
    )


def more_named_than_held(player: Who, size: int, named: int) -> Text:
    """The fault of a hand of which more cards are named than are in it."""
    return say(
        "the number of cards in {player}'s hand is {size}; {named} are named",
        player=player,
        size=size,
        named=named,
    )


def not_offered(fault: Text | str, fix: Text | str) -> Callable[..., NoReturn]:
    """What stands for a member of `Game` that a game does not offer.

    Calling it raises `NotInThisGame`; `fault` says what the game lacks, `fix` what serves instead.
    """

    def member(*_args: object) -> NoReturn:
        raise NotInThisGame(fault, fix)

    return member
