"""Resuming a match that was suspended before it was over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from firmware.screens.parts.base import Controller
from firmware.screens.parts.choice import Menu
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.session.earlier_matches import SuspendedMatch
    from firmware.session.session import Session


def resume_suspended(controller: Controller) -> None:
    """Resume the suspended match; where there are several, ask which one, the newest first."""
    matches = controller.session.suspended()
    if not matches:
        controller.say(controller.session.translate("NO SUSPENDED MATCH"))
    elif len(matches) == 1:
        _resume(matches[0].id, controller)
    else:
        items = tuple((_label(match, controller.session), partial(_resume, match.id)) for match in matches)
        controller.open(Menu(controller.session.translate("WHICH MATCH?"), items))


def _label(match: SuspendedMatch, session: Session) -> str:
    """Number, date and game; the title of a game is shortened to what is left of a line."""
    translate, plan = session.translate, session.plan
    head = f"{match.id}: {match.date}".strip() + " "
    font = plan.text[-1]
    room_px = plan.choice_px() - font.width_px(f"{head}-") + font.width_px("-")
    return head + translate.isolated(font.fit(translate.title(match.title).upper(), room_px))


def _resume(match_id: int, controller: Controller) -> None:
    controller.session.resume_match(match_id)
    controller.set_up(None)
    controller.home()
    controller.signal(Signal.ACCEPTED)
    controller.say(controller.session.translate("MATCH {match} RESUMED", match=match_id))
