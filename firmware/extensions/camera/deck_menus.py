"""The decks of this box, and their menus: teach one, use another one, correct a card, remove it."""

from functools import partial
from pathlib import Path

from companion.core import games
from companion.text.sentence import Text, count, literal, say
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.camera import Camera
from firmware.extensions.camera.cards_in_play import different, label
from firmware.extensions.camera.deck_files import CHOSEN, Header, chosen_of
from firmware.extensions.camera.pages import Teaching
from firmware.extensions.camera.progress import Advice, Progress
from firmware.play.table import Item, Table
from firmware.screens.parts.kinds import Confirm, Menu
from firmware.screens.parts.numbers import Dial
from firmware.session.session import Session
from hardware.ports import Signal


class Decks:
    """The decks in a folder. `box` is the number of the cards on the table, from 1. Game thread only."""

    def __init__(self, folder: Path, box: int) -> None:
        self.folder = folder
        self.box = box
        self.reload()

    def reload(self) -> None:
        """Look up which decks there are: one was changed, or another one was chosen."""
        self.changed_ns = deck_files.changed_ns(self.folder)
        """When a deck was changed last, as `deck_files.changed_ns` says."""
        self.all = tuple(deck for deck in deck_files.headers(self.folder) if deck.game in games.GAMES)
        """All decks, without their pictures, for games that are installed."""
        self._reported = False

    def changed(self) -> bool:
        """Whether a deck, here or on a phone, or the choice has changed since this was asked last."""
        if deck_files.changed_ns(self.folder) != self.changed_ns:
            self.reload()
        reported, self._reported = self._reported, True
        return not reported

    def in_use(self, game: str, session: Session) -> str:
        """The deck that lies on the table, by name: the chosen one, else the first; empty where none is."""
        return chosen_of(self.all, game, self.box, session.notes.recall(CHOSEN))

    def choose(self, deck: Header, session: Session) -> None:
        """Use this one for its game from now on."""
        chosen = session.notes.recall(CHOSEN)
        session.notes.remember(CHOSEN, {**(chosen if isinstance(chosen, dict) else {}), deck.game: deck.name})
        self.reload()


class DeckMenus:
    """The menus of the decks of one box. Game thread only."""

    def __init__(self, camera: Camera, decks: Decks) -> None:
        self._camera = camera
        self._decks = decks

    def items(self) -> list[Item]:
        """The rows of the menu CAMERA that are about decks."""
        items: list[Item] = [(say("TEACH A DECK"), self._choose_game)]
        if self._decks.all:
            items.append((say("DECKS"), self._choose_deck))
        return items

    def show_progress(self, progress: Progress, table: Table) -> None:
        """Show how far a lesson is, as long as its page is open."""
        page = table.front
        if isinstance(page, Teaching):
            before, now = page.progress, progress
            if now.advice in {Advice.ORDER, Advice.SHOWN}:
                table.signal(Signal.REFUSED)
            elif (now.lay, now.showing) != (before.lay, before.showing) and before.showings:
                table.signal(Signal.ACCEPTED)
            table.show(Teaching(page.game, page.box, progress, page.end))

    def _choose_game(self, table: Table) -> None:
        with_cards = [key for key in games.GAMES if games.module(key).DECK]
        items = tuple(
            (literal(games.module(key).TITLE.upper()), partial(self._teach_deck, key)) for key in with_cards
        )
        table.open(Menu(say("CARDS OF WHICH GAME?"), items))

    def _teach_deck(self, game: str, table: Table) -> None:
        """Go on with a deck of this game that is not complete, or begin one."""
        box, whole = self._decks.box, len(different(game, self._decks.box))
        own = [deck for deck in self._decks.all if (deck.game, deck.box) == (game, box)]
        begun = next((deck.name for deck in own if len(deck.cards) < whole), None)
        title, taken = games.module(game).TITLE, {deck.name for deck in self._decks.all}
        fresh = (title if at == 1 else f"{title} {at}" for at in range(1, len(taken) + 2))
        self._begin(begun or next(name for name in fresh if name not in taken), game, (), table)

    def _begin(self, name: str, game: str, cards: tuple[str, ...], table: Table) -> None:
        self._camera.teach(name, game, self._decks.box, cards)
        start = Progress(Advice.LAY, cards, of=len(different(game, self._decks.box)))
        table.open(Teaching(game, self._decks.box, start, self._end_lesson))

    def _end_lesson(self, table: Table) -> None:
        self._camera.end_lesson()
        table.close()

    def _choose_deck(self, table: Table) -> None:
        items = tuple((literal(deck.name.upper()), partial(self._open, deck)) for deck in self._decks.all)
        table.open(Menu(say("DECKS"), items))

    def _open(self, deck: Header, table: Table) -> None:
        """What can be done with a deck."""
        items: list[Item] = []
        if self._decks.in_use(deck.game, table.session) != deck.name:
            items.append((say("USE IT"), partial(self._use, deck)))
        if len(deck.cards) < len(different(deck.game, deck.box)):
            items.append((say("TEACH THE REST"), partial(self._begin, deck.name, deck.game, ())))
        items.append((say("CORRECT A CARD"), partial(self._choose_card, deck)))
        items.append((say("REMOVE"), partial(self._ask_remove, deck)))
        table.open(Menu(literal(deck.name.upper()), tuple(items)))

    def _use(self, deck: Header, table: Table) -> None:
        self._decks.choose(deck, table.session)
        lacks = len(different(deck.game, deck.box)) - len(deck.cards)
        table.say(not_taught(lacks) if lacks > 0 else say("DECK CHOSEN"))

    def _choose_card(self, deck: Header, table: Table) -> None:
        t = table.session.translate
        cards = {label(code, deck.game, deck.box, t): code for code in different(deck.game, deck.box)}
        begin, middle = partial(self._begin, deck.name, deck.game), (len(cards) - 1) // 2
        table.open(Dial(say("WHICH CARD?"), tuple(cards), middle, lambda name, at: begin((cards[name],), at)))

    def _ask_remove(self, deck: Header, table: Table) -> None:
        follows = say("THE CAMERA WILL NO LONGER KNOW ITS CARDS.")
        table.open(Confirm(say("REMOVE THIS DECK?"), follows, say("REMOVE"), partial(self._remove, deck)))

    def _remove(self, deck: Header, table: Table) -> None:
        deck_files.remove(self._decks.folder, deck.name)
        self._decks.reload()
        table.signal(Signal.ACCEPTED)
        table.say(say("DECK REMOVED"))


def not_taught(cards: int) -> Text:
    """The notice that a deck lacks this number of cards, which the camera cannot read."""
    return count("{count} CARD NOT TAUGHT", "{count} CARDS NOT TAUGHT", cards)
