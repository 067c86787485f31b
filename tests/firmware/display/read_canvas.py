"""What a stranger reads on the display: the words, and the keys with what they do."""

from typing import Final

from firmware.display.canvas import Canvas
from hardware.ports import Key

KEYS: Final = {"1": Key.ROW_1, "2": Key.ROW_2, "3": Key.ROW_3, "4": Key.ROW_4, "OK": Key.OK, "UNDO": Key.UNDO}


class CardsCanvas(Canvas):
    """A canvas that notes the cards on it: column, row, label, and whether it is lit."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[tuple[int, int, str, bool]] = []

    def card(self, x_px: int, y_px: int, label: str | None, *, emphasised: bool = False) -> None:
        self.cards.append((x_px, y_px, label or "", emphasised))
        super().card(x_px, y_px, label, emphasised=emphasised)


class ReadCanvas(Canvas):
    """A canvas of which a stranger reads the words and the keys."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.labels: dict[str, str] = {}
        self.rows: dict[str, str] = {}
        """The number beside each key of a row."""
        self._row = ""

    def note(self, *texts: str) -> None:
        for text in texts:
            key, _, label = text.partition("=")
            if key in KEYS and "=" in text:
                self.labels[key] = label
            else:
                self.words.append(text)

    def text(self, x_px: int, y_px: int, text: str, *rest: object, **more: object) -> int:
        self.words.append(text)
        if self._row and text.isdigit():
            self.rows[self._row] = text
        self._row = ""
        return super().text(x_px, y_px, text, *rest, **more)  # type: ignore[arg-type] # as it was given

    def key(self, x_px: int, y_px: int, label: str) -> int:
        if label in KEYS:
            self.labels.setdefault(label, "")
            self._row = label if label.isdigit() else ""
        return super().key(x_px, y_px, label)
