"""A finished match for the app BG Stats: a link that opens its import dialog, and a file that it imports.

The file is the export format of the app, described at
https://www.bgstatsapp.com/explanations/importing-own-files-into-board-game-stats/. `winner` and `startPlayer`
are always included, because the Android app needs both. Times are in UTC. Identities are the same each time,
so that a play is created only once.
"""

import json
import urllib.parse
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, Final

from companion.core import games
from companion.text.errors import CompanionError
from firmware.history.played_match import PlayedMatch
from firmware.history.players import NOBODY, Person
from firmware.history.stored_matches import NEVER_SET

LINK: Final = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE: Final = "nimmt-companion"
_SPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "nimmt-companion:bgstats")
_PLAYS: Final = "\0"  # stands for the plays
_TIME: Final = "%Y-%m-%d %H:%M:%S"


def link(past: PlayedMatch) -> str:
    """The address that creates the play in the app. Raises `CompanionError` for an unfinished match."""
    text = json.dumps(play(past), ensure_ascii=False, separators=(",", ":"))
    return LINK + urllib.parse.quote(text, safe="")


def play(past: PlayedMatch) -> dict[str, Any]:
    """The content of the link. Raises `CompanionError` for an unfinished match."""
    _finished(past)
    found: dict[str, Any] = {"sourceName": SOURCE, "sourcePlayId": past.uid}
    if past.ended is not None and past.ended >= NEVER_SET:  # else the app takes the day of its import
        found["playDate"] = f"{past.ended:{_TIME}}"
    if past.minutes is not None:
        found["durationMin"] = past.minutes
    found["comments"] = _comment(past)
    bgg = {"bggId": _bgg_id(past)} if _bgg_id(past) else {}
    source = {"name": title_of(past), "sourceGameId": past.match.box or past.match.terms.game}
    found["game"] = {**source, **bgg, "highestWins": past.match.scoring.high_wins, "noPoints": False}
    found["players"] = [
        {
            "name": person.name,
            "sourcePlayerId": _player_id(past, person),
            "score": past.match.totals[person.seat],
            "rank": rank,
            "winner": person in past.winners,
            "startPlayer": _starts(past, person),
        }
        for rank, person in _ranked(past)
    ]
    return found


def file(matches: Iterable[PlayedMatch]) -> Iterator[str]:
    """The play file (`.bgsplay`) with these matches, in parts; an empty one after each match that was read.

    Raises `CompanionError` for an unfinished one.
    """
    titles: dict[str, dict[str, Any]] = {}
    people: dict[str, dict[str, Any]] = {}
    plays = []
    for past in matches:
        _finished(past)
        when = f"{past.ended:{_TIME}}" if past.ended else "1970-01-01 00:00:00"
        game = titles.setdefault(title_of(past), _game(past, len(titles) + 1, when))
        scores = []
        for order, (rank, person) in enumerate(_ranked(past), start=1):
            key = _player_id(past, person)
            player = people.setdefault(key, _player(key, person.name, len(people) + 1, when))
            scores.append(_score(past, person, player["id"], rank, order))
        # As text: ten thousand plays take several times the room as objects.
        plays.append(json.dumps(_play(past, game["id"], scores, when), ensure_ascii=False))
        yield ""
    known = {"games": list(titles.values()), "players": list(people.values()), "locations": []}
    whole = {**known, "plays": [_PLAYS], "userInfo": {"meRefId": 0}}
    before, after = json.dumps(whole, ensure_ascii=False, indent=1).split(json.dumps(_PLAYS))
    yield before
    for number, play in enumerate(plays):
        yield (",\n  " if number else "") + play
    yield after


def _finished(past: PlayedMatch) -> None:
    if not past.winners:
        fix = "finish it, or end it from the menu; nimmt matches shows which matches are finished"
        raise CompanionError(f"match {past.id} is not over, and BG Stats needs a winner", fix)


def _ranked(past: PlayedMatch) -> list[tuple[int, Person]]:
    return [(place.rank, past.people[seat]) for place in past.match.places for seat in place.seats]


def title_of(past: PlayedMatch) -> str:
    return past.match.title.lower() if past.match.title[:1].isdigit() else past.match.title.capitalize()


def _bgg_id(past: PlayedMatch) -> int:
    return games.module(past.match.box).BGG_ID if past.match.box else 0


def _comment(past: PlayedMatch) -> str:
    deals = "1 deal" if len(past.deals) == 1 else f"{len(past.deals)} deals"
    return deals if past.rule == deals else f"{deals}, {past.length}"


def _starts(past: PlayedMatch, person: Person) -> bool:
    terms = past.match.terms
    return bool(games.module(terms.game).STARTER.template) and person.seat == terms.first


def _player_id(past: PlayedMatch, person: Person) -> str:
    return f"p{person.badge:02}" if person.badge != NOBODY else f"{past.uid}-{person.seat + 1}"


def _identity(*what: str) -> str:
    return str(uuid.uuid5(_SPACE, " ".join(what))).upper()


def _game(past: PlayedMatch, number: int, when: str) -> dict[str, Any]:
    return {
        "id": number,
        "uuid": _identity("game", title_of(past)),
        "name": title_of(past),
        "modificationDate": when,
        "bggId": _bgg_id(past),
        "highestWins": past.match.scoring.high_wins,
        **dict.fromkeys(("noPoints", "cooperative", "usesTeams"), False),
    }


def _player(key: str, name: str, number: int, when: str) -> dict[str, Any]:
    who = {"id": number, "uuid": _identity("player", key), "name": name}
    return {**who, "isAnonymous": False, "modificationDate": when}


def _score(past: PlayedMatch, person: Person, number: int, rank: int, order: int) -> dict[str, Any]:
    return {
        "playerRefId": number,
        "score": str(past.match.totals[person.seat]),  # a text in this format: it may be a sum such as 3+7
        "winner": person in past.winners,
        "rank": rank,
        "seatOrder": order,
        "startPlayer": _starts(past, person),
        "newPlayer": False,
    }


def _play(past: PlayedMatch, game: int, scores: list[dict[str, Any]], when: str) -> dict[str, Any]:
    return {
        "uuid": _identity("play", past.uid),
        "gameRefId": game,
        **dict.fromkeys(("playDate", "entryDate", "modificationDate"), when),
        "durationMin": past.minutes or 0,
        "rounds": len(past.deals),
        "comments": _comment(past),
        **dict.fromkeys(("ignored", "manualWinner", "usesTeams"), False),
        "scoringSetting": 0,
        "playerScores": scores,
    }
