"""Robots for Ciao!. A card is a number, the place of its kind in `companion.games.ciao.cards.KINDS`."""
