"""Puts what a page says on the display as the plan says: title, lines, choices, hints, and large words.

Everything here keeps one promise: a text that has no room in the first font is set in the next one, then
broken into lines where there are some, and only at last shortened with …. A strict canvas raises ValueError
instead of shortening, so that a test finds the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from companion.values import Value, replace
from firmware.display.canvas import BAR_PX, Canvas
from firmware.display.glyphs import CROSS, ELLIPSIS, NARROW, PERSIAN, RIGHT_TO_LEFT, SMALL, Font
from firmware.display.plan import HEIGHT_PX, LOW, LOW_PX, MAIN, MAIN_WORDS, Plan, low_plan

_MARGIN_PX: Final = 2
_GAP_PX: Final = 6
"""Between a title and its aside."""
_WORDS: Final = re.compile(r"[^ \t\n]+")
_NUMBERED: Final = re.compile(r".*[^\W\d_]{3} \W*\d")
KEY_PX: Final = 9
"""Width of a row key in low letters."""
_KEY_EDGE_PX: Final = 8
"""What a key has beside its letters, with the gap before it."""
_MAIN_BAR_PX: Final = 16
"""Height of a title bar with letters of 14 px."""
_HINT_GAP_PX: Final = 4
_MOST_OF_NOTICE_PX: Final = 40
_STEPS: Final = 8
"""From the largest letters of a stack to the smallest."""
_STEPS_OF_BIG: Final = 3
"""Of these, in which only large words get smaller."""
_PERSIAN_LETTERS: Final = PERSIAN.difference("۰۱۲۳۴۵۶۷۸۹٫،")
_HINT: Final = re.compile(r"(\S{1,6})=(\S.*)")


class Area(Value):
    """A part of the display, in pixels."""

    x_px: int
    y_px: int
    width_px: int
    height_px: int

    @property
    def right_px(self) -> int:
        """The first column behind it."""
        return self.x_px + self.width_px

    @property
    def bottom_px(self) -> int:
        """The first row below it."""
        return self.y_px + self.height_px

    def middle_px(self, height_px: int) -> int:
        """The row at which something so high begins that stands in its middle."""
        return self.y_px + (self.height_px - height_px) // 2

    def below(self, height_px: int) -> Area:
        """What is left of it below its first `height_px` rows."""
        return Area(self.x_px, self.y_px + height_px, self.width_px, max(0, self.height_px - height_px))


class Layout:
    """One picture while it is laid out. `free` is what title and hints have left."""

    def __init__(self, canvas: Canvas, plan: Plan) -> None:
        self.canvas = canvas
        self.plan = plan
        self.crossed: tuple[int, ...] = ()
        """The places of choices or rows, from 0, that have a cross in the place of their key."""
        self.costs = False
        """Whether rows have their heads in the place of the boxes for their cards."""
        self.hollow: frozenset[int] = frozenset()
        """The places of choices, from 0, that cannot be chosen now."""
        self.bar_px = 0
        """Height of the title bar, 0 without one: what hangs below the line in a title makes it higher."""
        width_px, height_px = canvas.size_px
        self.free = Area(0, 0, width_px, height_px)

    # --------------------------------------------------------------------------------- title and hints

    def title(self, title: str, aside: str = "", key: str = "") -> None:
        """The title bar: the title, and at its other end the aside, which gives way to a long title.

        An aside takes more than half of the bar only beside a short title.

        `key` is one for whose hint there is no room below: it stands at the very end, if there is room with
        its word, or gives way as well.
        """
        canvas, plan = self.canvas, self.plan
        canvas.note(title, aside)
        whole = Area(0, 0, self.free.width_px, plan.bar_px)
        key_px = self._key_px(key)
        for shorter in (key.partition("=")[0], ""):
            if plan.title[-1].width_px(title) > whole.width_px - 2 * _MARGIN_PX - key_px:
                key, key_px = shorter, self._key_px(shorter)
        free, end = self.split(whole, whole.width_px - key_px)
        width_px = free.width_px - 2 * _MARGIN_PX + 1
        aside_px, beside_px = width_px // 2, width_px - plan.title[-1].width_px(title) - _GAP_PX
        if plan.title[-1].width_px(aside) > aside_px:
            aside_px = max(aside_px, beside_px)
        aside_font, aside = self.fitted(aside, aside_px, plan.title)
        if aside_font.width_px(aside) > beside_px:
            aside_font = plan.title[-1]
        if aside_font.width_px(aside) > beside_px:
            aside = ""
        room_px = width_px - (aside_font.width_px(aside) + _GAP_PX if aside else 0)
        font, title = self.fitted(title, room_px, plan.title)
        bar = Area(free.x_px + _MARGIN_PX, 0, width_px - 1, plan.bar_px)
        high_px = max(self.put(bar, title, font), self.put(bar, aside, aside_font, end=True), plan.bar_px)
        self.bar_px = high_px
        if key:
            _, box = self.split(end, 3)
            box = replace(box, width_px=box.width_px - 1)
            if _HINT.fullmatch(key):
                self.hint(box, key, NARROW)
            else:
                self.key(box, key, plan.title[0])
        canvas.light_key(0, 0, self.free.width_px, high_px)
        canvas.notice_at = (0, 0, self.free.width_px, plan.bar_px + plan.below_bar_px)
        self.free = self.free.below(high_px)

    def frame(self, title: str, *hints: str, aside: str = "", key: str = "", needs_px: int = 0) -> str:
        """The title bar, and what the keys do, as far as `needs_px` are left between them.

        The hints are left out first: then `key` stands in the bar. Then the bar is: the aside comes back, and
        the page says it, and what else has to be known, beside what it shows.
        """
        hinted = any(hints) and self.has_hints(needs_px)
        if self.plan.bar_px + needs_px > self.free.height_px:
            bottom_px = self.canvas.size_px[1]  # a notice has the place of hints
            high_px = bottom_px - self.free.bottom_px or self.plan.hint_px
            self.canvas.notice_at = (0, bottom_px - high_px, self.free.width_px, high_px)
            return aside
        self.title(title, aside, "" if hinted else key)
        if hinted:
            self.hints(*hints)
        return ""

    def has_hints(self, needs_px: int) -> bool:
        """Whether a title bar and hints leave so much room between them."""
        return self.plan.bar_px + needs_px + self.plan.hint_px <= self.free.height_px

    def main_title(self, title: str, key: str = "") -> None:
        """The title bar of a page whose title is its main thing, for it has no room for another.

        `key` is as with `title`.

        Where the title has no room in letters of 14 px it is set as `title` does.
        """
        plan = self.plan
        key_px = self._key_px(key) if "=" in key else MAIN_WORDS[0].width_px(key) + _KEY_EDGE_PX if key else 0
        room_px = self.free.width_px - 2 * _MARGIN_PX + 1 - key_px
        font, shown = self.fitted(title, room_px, MAIN_WORDS)
        if shown == title:
            high_px = self.height_px(title, font)
            self.plan = replace(plan, bar_px=max(plan.bar_px, high_px, _MAIN_BAR_PX), title=MAIN_WORDS)
            self.canvas.note_main(high_px)
        self.title(title, key=key)
        self.plan = plan

    def notice(self, text: str, key: str = "") -> None:
        """A tab that is shown for a moment where the title is: rows and keys stay visible.

        It has no edge where the display ends, so letters never touch one. `key` stands at its end.
        """
        canvas, area = self.canvas, self.notice_area()
        wider_px = max(map(NARROW.width_px, text.split()), default=0) + 6 - area.width_px
        if 0 < wider_px <= area.x_px:  # a word is not broken
            area = replace(area, x_px=area.x_px - wider_px, width_px=area.width_px + wider_px)
        canvas.fill(area.x_px, area.y_px, area.width_px, area.height_px, lit=False)
        above_px = 2 if area.y_px else self.plan.below_bar_px
        edges_px = above_px + (2 if area.bottom_px < canvas.size_px[1] else 0)
        inner = Area(area.x_px + 3, area.y_px + above_px, area.width_px - 6, area.height_px - edges_px)
        key_px = SMALL.width_px(key) + 4
        if key and inner.height_px > 4 * LOW_PX:
            inner = replace(inner, height_px=inner.height_px - LOW_PX - 1)
            middle_px = inner.x_px + (inner.width_px - key_px) // 2
            self.key(Area(middle_px, inner.bottom_px, key_px, LOW_PX), key, SMALL)
        elif key and area.width_px == canvas.size_px[0]:
            inner, end = self.split(inner, inner.width_px - key_px - 3, 3)
            self.key(replace(end, y_px=area.y_px, height_px=area.height_px - 1), key, SMALL)
        fonts = (*self.plan.title, SMALL, NARROW)
        if inner.height_px < 2 * LOW_PX:
            font = _best(text, inner.width_px, fonts)
            self.put(inner, font.fit(text, inner.width_px), font, centre=True)
        else:
            self.words(inner, text, fonts)
        for x_px in (area.x_px, area.right_px - 1):
            canvas.vline(x_px, area.y_px, area.height_px)
        for y_px in {area.y_px, area.bottom_px - 1} - {0, canvas.size_px[1] - 1}:
            canvas.hline(area.x_px, y_px, area.width_px)

    def notice_area(self) -> Area:
        """Where a notice stands: where the page says, and higher where it would cut what is there."""
        canvas, area = self.canvas, Area(*self.canvas.notice_at)
        title = not area.y_px and area.height_px > BAR_PX
        for high_px in () if title else range(area.height_px, _MOST_OF_NOTICE_PX):
            top_px = area.bottom_px - high_px if area.y_px else 0
            if canvas.is_parted(area.x_px, top_px if area.y_px else high_px, area.width_px):
                return replace(area, y_px=top_px, height_px=high_px)
        return area

    def title_holds(self, title: str, aside: str = "", *, smallest: bool = False) -> bool:
        """Whether a title has room without being shortened, beside an aside as `title_room_px` says."""
        return self.title_room_px(title, aside, smallest=smallest) >= 0

    def _key_px(self, key: str) -> int:
        if _HINT.fullmatch(key):
            return self._hint_px(key, NARROW) + _HINT_GAP_PX
        return self.plan.title[0].width_px(key) + _KEY_EDGE_PX if key else 0

    def aside_room_px(self, key: str = "") -> int:
        """How much room an aside has in the title bar beside any title, and that key."""
        return (self.free.width_px - self._key_px(key) - 2 * _MARGIN_PX + 1) // 2

    def title_room_px(self, title: str, aside: str = "", *, smallest: bool = False) -> int:
        """How much room a title leaves in the bar; beside an aside, in the first letters or the smallest."""
        font = self.plan.title[0 if aside and not smallest else -1]
        room_px = self.canvas.size_px[0] - 2 * _MARGIN_PX + 1
        return room_px - font.width_px(title) - (font.width_px(aside) + _GAP_PX if aside else 0)

    def hints(self, *hints: str) -> None:
        """What the keys do, in the last rows: "OK=PLACED" is the key OK and the word PLACED.

        The first hint stands where a line begins, the last one where it ends.
        """
        hints = tuple(hint for hint in hints if hint)
        if not hints:
            return
        self.canvas.note(*hints)
        plan, free = self.plan, self.free
        strip = Area(0, free.bottom_px - plan.hint_px, free.width_px, plan.hint_px)
        room_px = strip.width_px - _HINT_GAP_PX * (len(hints) - 1)
        font = next(
            (font for font in plan.hints if sum(self._hint_px(hint, font) for hint in hints) <= room_px),
            plan.hints[-1],
        )
        shown = self._short_hints(hints, font, room_px)
        widths = [self._hint_px(hint, font) for hint in shown]
        gap_px = (strip.width_px - sum(widths)) / max(1, len(shown) - 1)
        for place, hint in enumerate(shown):
            x_px = round(sum(widths[:place]) + gap_px * place)
            if plan.right_to_left:
                x_px = strip.width_px - x_px - widths[place]
            self.hint(Area(x_px, strip.y_px, widths[place], strip.height_px), hint, font)
        self.free = Area(0, free.y_px, free.width_px, free.height_px - plan.hint_px)

    def hints_below(self, area: Area, *hints: str) -> Area:
        """What the keys do, one in each of the last lines of an area, in low letters; what is left above."""
        hints = tuple(hint for hint in hints if hint)
        self.canvas.note(*hints)
        top_px = area.bottom_px - LOW_PX * len(hints)
        for place, hint in enumerate(hints):
            font = next((one for one in LOW if self._hint_px(hint, one) <= area.width_px), LOW[-1])
            shown = self._short_hints((hint,), font, area.width_px)[0]
            self.hint(Area(area.x_px, top_px + LOW_PX * place, area.width_px, LOW_PX), shown, font)
        return replace(area, height_px=area.height_px - LOW_PX * len(hints))

    def hint_lines(self, *hints: str) -> None:
        """The same in several lines where they have no room in one."""
        if self.hints_hold(*hints):
            self.hints(*hints)
            return
        for hint in hints:
            self.hints(hint)

    def hints_hold(self, *hints: str) -> bool:
        """Whether hints have room side by side without being shortened."""
        found = [hint for hint in hints if hint]
        room_px = self.canvas.size_px[0] - _HINT_GAP_PX * (len(found) - 1)
        return sum(self._hint_px(hint, self.plan.hints[-1]) for hint in found) <= room_px

    def hint(self, area: Area, text: str, font: Font) -> None:
        """One key with its word, in the middle of an area's height."""
        found = _HINT.fullmatch(text)
        if not found:
            self.put(area, text, font)
            return
        key, rest = self.split(area, font.width_px(found[1]) + 4, 3)
        self.key(key, found[1], font)
        self.put(rest, found[2], font)

    def key(self, area: Area, label: str, font: Font) -> None:
        """A lit key with round corners, two rows higher than its letters, in the middle of the area."""
        high_px = min(area.height_px, font.capital_px + 2)
        y_px = area.middle_px(high_px)
        self.put(Area(area.x_px + 2, y_px, area.width_px - 4, high_px), label, font, centre=True)
        self.canvas.light_key(area.x_px, y_px, area.width_px, high_px)

    # --------------------------------------------------------------------------------- lines and choices

    def line(self, row: int, text: str, *, lit: bool = False, fonts: Sequence[Font] = ()) -> None:
        """A line of the text below the title bar, counted from 0; `lit`: dark on light."""
        plan = self.plan
        area = self._line_area(row)
        inner = Area(area.x_px + _MARGIN_PX, area.y_px, area.width_px - 2 * _MARGIN_PX, area.height_px)
        font, text = self.fitted(text, inner.width_px + 1, fonts or plan.text)
        self.put(inner, text, font)
        if lit:
            self.canvas.invert(area.x_px, area.y_px, area.width_px, min(area.height_px, plan.pitch_px))

    def lines(self, texts: Sequence[str]) -> None:
        """Lines of one text: all in the widest letters in which each of them has room."""
        fonts, room_px = self.plan.text, self.free.width_px - 2 * _MARGIN_PX + 1
        while len(fonts) > 1 and any(fonts[0].width_px(text) > room_px for text in texts):
            fonts = fonts[1:]
        for row, text in enumerate(texts):
            self.line(row, text, fonts=fonts)

    def paragraph(self, *texts: str) -> None:
        """Sentences in capitals, each beginning a line, in all that is free; smaller if they are long."""
        free, plan = self.free, self.plan
        room = Area(_MARGIN_PX, free.y_px + 1, free.width_px - 2 * _MARGIN_PX + 1, free.height_px - 1)
        lines: list[str] = []
        fonts, pitch_px, top_px = plan.text, plan.pitch_px, 0
        for fonts in (plan.text, (SMALL, NARROW), (NARROW,)):
            lines = [line for text in texts for line in wrap(text.upper(), room.width_px, fonts)]
            lower_px = max(8, min(9, room.height_px // max(1, len(lines))))
            pitch_px = plan.pitch_px if fonts is plan.text else lower_px
            # High lines have a dark row above their letters; all others are parted from the bar.
            top_px = plan.below_bar_px if fonts is plan.text or room.y_px == 1 else 1
            if pitch_px * len(lines) + top_px <= free.height_px + plan.below_bar_px:
                break
        if pitch_px * len(lines) > room.height_px:
            top_px = plan.below_bar_px
        for row, text in enumerate(lines):
            y_px = free.y_px + top_px + pitch_px * row
            if y_px + pitch_px > free.bottom_px + 1:
                if self.canvas.strict:
                    raise ValueError(f"{text!r} has no room in {free.height_px} px")
                return
            font, shown = self.fitted(text, room.width_px, fonts)
            self.put(Area(room.x_px, y_px, room.width_px, pitch_px), shown, font)

    def sentence(self, title: str, says: str, *hints: str) -> None:
        """A sentence below a title and above what the keys do, in low letters if need be.

        A long one takes their room.
        """
        width_px = self.free.width_px - 2 * _MARGIN_PX + 1
        line_px = LOW_PX if self.plan.right_to_left else LOW_PX - 1
        high_px = line_px * len(wrap(says.upper(), width_px, (NARROW,))) + 1
        plan, low = self.plan, low_plan(self.plan)
        for bar, strip in ((plan, plan), (plan, low), (low, low)):
            if bar.bar_px + high_px + strip.hint_px <= self.free.height_px:
                self.plan = bar
                self.title(title)
                self.plan = strip
                self.hints(*hints)
                self.plan = plan
                break
        else:
            if high_px + plan.bar_px <= self.free.height_px:
                self.title(title)
        self.paragraph(says)

    def pair(self, row: int, text: str, end: str, *, lit: bool = False) -> None:
        """A line with a text where it begins and another, which is kept whole, where it ends."""
        area = self._line_area(row)
        inner = Area(area.x_px + _MARGIN_PX, area.y_px, area.width_px - 2 * _MARGIN_PX, area.height_px)
        end_font, end = self.fitted(end, inner.width_px, self.plan.text)
        font, text = self.fitted(text, inner.width_px - end_font.width_px(end) - _HINT_GAP_PX, self.plan.text)
        self.put(inner, text, font)
        self.put(inner, end, end_font, end=True)
        if lit:
            self.canvas.invert(area.x_px, area.y_px, area.width_px, area.height_px)

    def choices(
        self, labels: Sequence[str], lit: int | None, *, width_px: int = 0, ends: Sequence[str] = ()
    ) -> None:
        """Choices beside the keys 1, 2, ...; a triangle stands beside the one in place `lit`.

        `ends` stand where the lines end.
        """
        plan = self.plan
        self.canvas.note(
            *(f"{row + 1}={label}" for row, label in enumerate(labels) if row not in self.crossed)
        )
        key_font, _ = plan.choice_key
        width_px = width_px or self.free.width_px
        for row, label in enumerate(labels):
            high_px = min(plan.choice_pitch_px - 1, 16)
            top_px = max(plan.choice_top_px, self.bar_px + 1 + plan.below_bar_px if self.bar_px else 0)
            begin_px = self.free.width_px - width_px if plan.right_to_left else 6
            area = Area(begin_px, top_px + plan.choice_pitch_px * row, width_px - 6, high_px)
            room_px = plan.choice_px(width_px)
            font, label = self.fitted(label, room_px, plan.text)  # noqa: PLW2901 - the text as it is set
            key, beside = self.split(area, area.width_px - room_px - 3, 3)
            if row < len(ends):
                beside = replace(beside, width_px=beside.width_px - _MARGIN_PX)
                beside = self.put_end(beside, ends[row], plan.text[0], _HINT_GAP_PX)
                font, label = self.fitted(label, beside.width_px, plan.text)  # noqa: PLW2901
            if row in self.crossed:
                self.put(key, CROSS, key_font, centre=True)
            elif row in self.hollow:
                hollow_px = min(key.height_px, key_font.capital_px + 2)
                self.canvas.frame(key.x_px, key.middle_px(hollow_px), key.width_px, hollow_px)
            else:
                self.key(key, str(row + 1), key_font)
            self.put(beside, label, font)
            if row == lit:
                y_px = area.middle_px(7)
                self.canvas.cursor(
                    self.free.width_px - 4 if plan.right_to_left else 0, y_px, left=plan.right_to_left
                )

    # ------------------------------------------------------------------------------------- large words

    def main(self, area: Area, text: str, fonts: Sequence[Font] = MAIN, *, align: str = "centre") -> int:
        """The main thing of the page, as large as the area allows; returns its height in pixels.

        `fonts` are the largest first, `align` is `begin` (of the line), `centre` or `end`.
        """
        while len(fonts) > 1 and self.height_px(text, fonts[0]) > area.height_px:
            fonts = fonts[1:]
        font, text = self.fitted(text, area.width_px, fonts)
        high_px = min(self.height_px(text, font), area.height_px)
        place = replace(area, height_px=high_px)
        self.put(place, text, font, centre=align == "centre", end=align == "end")
        self.canvas.note_main(self.height_px(text, font))
        return high_px

    def stack(self, area: Area, items: Sequence[Big | Extra | str], *, align: str = "centre") -> None:
        """Words below each other in an area: `Big` ones as large as there is room, others in detail letters.

        Where the height is short, the large ones get smaller first; then `Extra` ones are left out, the last
        one first; then details get smaller.
        """
        left, step = list(items), 0
        while True:
            set_items = self._set(area, left, step)
            spare_px = area.height_px - sum(high_px for *_, high_px in set_items)
            if spare_px >= len(set_items) - 1 or step == _STEPS - 1:
                break
            step += 1
            if step == _STEPS_OF_BIG and (extra := [item for item in left if isinstance(item, Extra)]):
                left.remove(extra[-1])
                step = 0
        # What stands above, such as a title bar, is parted from the words by a row, where there is one left.
        # Persian letters bring the dark rows between lines.
        parted = area.y_px > 0 and spare_px >= (1 if self.plan.right_to_left else len(set_items))
        gap_px = max(0, min(5, spare_px // max(1, len(set_items) - (0 if parted else 1))))
        y_px = area.y_px + max(1 if parted else 0, (spare_px - gap_px * (len(set_items) - 1)) // 2)
        for text, font, big, high_px in set_items:
            if y_px + high_px > area.bottom_px + 1 and self.canvas.strict:
                raise ValueError(f"{text!r} has no room in {area.height_px} px")
            if y_px + high_px > area.bottom_px + 1:
                return
            place = Area(area.x_px, y_px, area.width_px, high_px)
            shown = self.canvas.shorten(text, area.width_px, font)
            self.put(place, shown, font, centre=align == "centre", end=align == "end")
            if big:
                self.canvas.note_main(high_px)
            y_px += high_px + gap_px

    def _set(
        self, area: Area, items: Sequence[Big | Extra | str], step: int
    ) -> list[tuple[str, Font, bool, int]]:
        """The lines of some words in the letters of a step, whether they are big, and their heights."""
        detail, set_items = self.plan.detail, []
        bigs = MAIN[min(step, 1) :] if step < _STEPS - 1 else detail[-2:]  # better small than not
        details = detail[max(0, step - _STEPS_OF_BIG + 1) :] or detail[-1:]
        for item in items:
            inner = item.item if isinstance(item, Extra) else item
            words = inner.text if isinstance(inner, Big) else inner
            if isinstance(inner, Big) and bigs[-1].width_px(words) <= area.width_px:
                set_items.append((words, _best(words, area.width_px, bigs), True))
            else:
                lines = wrap(words, area.width_px, details)
                set_items += [(line, _best(line, area.width_px, details), False) for line in lines]
        smallest = max((details.index(font) for _, font, big in set_items if not big), default=0)
        fonts = [font if big else details[smallest] for _, font, big in set_items]
        return [
            (text, font, big, self.height_px(text, font))
            for (text, _, big), font in zip(set_items, fonts, strict=True)
        ]

    def words(self, area: Area, text: str, fonts: Sequence[Font]) -> None:
        """A sentence in the middle of an area, in the largest of some fonts in which all of it has room.

        No word is broken for large letters.
        """
        for font in fonts:
            if any(font.width_px(word) > area.width_px for word in _WORDS.findall(text)):
                continue
            lines = wrap(text, area.width_px, (font,))
            heights = [self.height_px(line, font) for line in lines]
            if sum(heights) + len(lines) - 1 <= area.height_px:
                break
        else:
            self.stack(area, (text,))
            return
        gap_px = min(3, (area.height_px - sum(heights)) // max(1, len(lines) - 1)) if len(lines) > 1 else 0
        y_px = area.y_px + (area.height_px - sum(heights) - gap_px * (len(lines) - 1)) // 2
        for line, high_px in zip(lines, heights, strict=True):
            self.put(Area(area.x_px, y_px, area.width_px, high_px), line, font, centre=True)
            self.canvas.note_main(high_px)
            y_px += high_px + gap_px

    # ------------------------------------------------------------------------------------------- pieces

    def split(self, area: Area, width_px: int, gap_px: int = 0) -> tuple[Area, Area]:
        """Where a line of an area begins, so wide, and the rest of it behind a gap.

        From right to left the line begins at the right: a row is laid out once for both.
        """
        rest_px = area.width_px - width_px - gap_px
        at_px, rest_at_px = area.x_px, area.right_px - rest_px
        if self.plan.right_to_left:
            at_px, rest_at_px = area.right_px - width_px, area.x_px
        return (
            Area(at_px, area.y_px, width_px, area.height_px),
            Area(rest_at_px, area.y_px, rest_px, area.height_px),
        )

    def put_end(self, area: Area, text: str, font: Font, gap_px: int) -> Area:
        """Put a text where a line ends; the part of the area before it and a gap."""
        self.put(area, text, font, end=True)
        return self.split(area, area.width_px - font.width_px(text) - gap_px)[0]

    def column(self, area: Area, columns: int, place: int) -> Area:
        """One of several columns of an area, counted from where a line begins."""
        wide_px = area.width_px // columns
        place = columns - 1 - place if self.plan.right_to_left else place
        return Area(area.x_px + wide_px * place, area.y_px, wide_px, area.height_px)

    def fitted(self, text: str, width_px: int, fonts: Sequence[Font]) -> tuple[Font, str]:
        """The first font in which a text has that many pixels; in the last one it is shortened."""
        font = _best(text, width_px, fonts)
        return font, self.canvas.shorten(text, width_px, font)

    def height_px(self, text: str, font: Font) -> int:
        """Rows that a text needs: capitals or digits with their dots, or a whole line of Persian letters."""
        bits = font.bitmap(text)
        return bits.height_px if _has_persian_letters(text) else font.capital_px + bits.above_px

    def put(self, area: Area, text: str, font: Font, *, centre: bool = False, end: bool = False) -> int:
        """A text halfway up an area, where its line begins, in the middle or at the end; the row below."""
        if not text:
            return 0
        if self.plan.right_to_left and not PERSIAN.isdisjoint(text):
            text = RIGHT_TO_LEFT + text
        bits = font.bitmap(text)
        if centre:
            x_px = area.x_px + (area.width_px - bits.width_px) // 2
        elif end != self.plan.right_to_left:
            x_px = area.right_px - bits.width_px
        else:
            x_px = area.x_px
        dark_px = next((row for row, dots in enumerate(bits.rows) if dots), 0)
        least_px = (self.bar_px + 1 if area.y_px >= self.bar_px > 0 else 0) + bits.above_px - dark_px
        if _has_persian_letters(text):
            y_px = area.middle_px(min(bits.height_px, area.height_px)) + bits.above_px
        else:
            y_px = area.middle_px(font.capital_px)
            if area.y_px <= 0 or area.height_px >= font.capital_px + bits.above_px:
                parted = area.y_px > 0 and area.height_px > font.capital_px + bits.above_px
                # The dots of Ü have room as well, and do not touch what is above, if they need not.
                y_px = max(y_px, max(0, area.y_px) + bits.above_px + parted)
        lowest = max((row for row, dots in enumerate(bits.rows) if dots), default=0)
        # A comma hangs below the line: it stays on the display and in a title bar. Below that a row is dark.
        y_px = max(least_px, min(y_px, self.canvas.size_px[1] + bits.above_px - lowest - 1))
        if area.y_px <= 0:
            y_px = max(bits.above_px, min(y_px, area.bottom_px + bits.above_px - lowest - 1))
        self.canvas.text(x_px, y_px, text, font)
        return y_px - bits.above_px + lowest + 1

    def _line_area(self, row: int) -> Area:
        plan = self.plan
        top_px = self.bar_px + plan.below_bar_px
        lines = (HEIGHT_PX - top_px + 1) // plan.pitch_px
        if not 0 <= row < lines:
            raise ValueError(f"there are lines 0 to {lines - 1}, not {row}")
        return Area(0, top_px + plan.pitch_px * row, self.canvas.size_px[0], plan.pitch_px)

    def _hint_px(self, text: str, font: Font) -> int:
        found = _HINT.fullmatch(text)
        if not found:
            return font.width_px(text)
        return font.width_px(found[1]) + 7 + font.width_px(found[2])

    def _short_hints(self, hints: tuple[str, ...], font: Font, room_px: int) -> list[str]:
        """The hints, each with an equal part of the room that the shorter ones leave."""
        widths = [self._hint_px(hint, font) for hint in hints]
        shown, free_px = list(hints), room_px
        for done, place in enumerate(sorted(range(len(hints)), key=widths.__getitem__)):
            each_px = free_px // (len(hints) - done)
            if widths[place] > each_px:
                key, equals, word = hints[place].rpartition("=")
                word_px = each_px - (widths[place] - font.width_px(word))
                word = self.canvas.shorten(word, max(word_px, font.width_px(ELLIPSIS)), font)
                shown[place] = f"{key}{equals}{word}"
            free_px -= self._hint_px(shown[place], font)
        return shown


def _best(text: str, width_px: int, fonts: Sequence[Font]) -> Font:
    return next((font for font in fonts if font.width_px(text) <= width_px), fonts[-1])


class Big(Value):
    """A word or number that a page says in large letters."""

    text: str


class Extra(Value):
    """Words that a page can do without: they are left out where there is little room."""

    item: Big | str


def _has_persian_letters(text: str) -> bool:
    """Whether a text has more than digits and commas that are written so: letters, below the line as well."""
    return not _PERSIAN_LETTERS.isdisjoint(text)


def wrap(text: str, width_px: int, fonts: Sequence[Font]) -> list[str]:
    """A text in lines of at most that many pixels in the first font.

    A word that is wider stands alone: a narrower font takes it. One for which no font is narrow enough is
    broken. Words that a no-break space joins are one. A number stays with the word before it, as in ROW 3,
    but not with a short one, as in OF 6 NIMMT!
    """
    wide, narrow = fonts[0], fonts[-1]
    lines: list[str] = []
    line = ""
    for word in _WORDS.findall(text):
        joined = f"{line} {word}" if line else word
        if wide.width_px(joined) <= width_px:
            line = joined
            continue
        head, _, last = line.rpartition(" ")
        pair = f"{last} {word}"
        if head and _NUMBERED.match(pair) and wide.width_px(pair) <= width_px:
            line, word = head, pair  # noqa: PLW2901 - ROW stays beside its number
        if line:
            lines.append(line)
        while narrow.width_px(word) > width_px and len(word) > 1:
            end = next(
                (end for end in range(len(word) - 1, 0, -1) if narrow.width_px(word[:end]) <= width_px), 1
            )
            lines.append(word[:end])
            word = word[end:]  # noqa: PLW2901 - the rest of it
        line = word
    return [*lines, line] if line else lines


def paginate(plan: Plan, *texts: str, lines: int = 0) -> list[list[str]]:
    """Sentences in capitals, each beginning a line of its own, as pages of `lines` lines (0: of the plan).

    No word stands alone on the last page: narrower letters make room for it, or the line before comes along.
    """
    each, width_px = lines or plan.lines, 128 - 2 * _MARGIN_PX + 1

    def broken(fonts: Sequence[Font]) -> list[list[str]]:
        found = [line for text in texts for line in wrap(text.upper(), width_px, fonts)] or [""]
        return [found[first : first + each] for first in range(0, len(found), each)]

    def is_alone(pages: list[list[str]]) -> bool:
        return len(pages) > 1 and len(pages[-1]) == 1 and " " not in pages[-1][0]

    pages, narrow = broken(plan.text), broken(plan.text[1:])
    if is_alone(pages) and len(narrow) < len(pages) and not is_alone(narrow):
        return narrow
    if is_alone(pages) and len(pages[-2]) > 1:
        pages[-1].insert(0, pages[-2].pop())
    return pages
