"""The games, one package each. `companion.core.games` lists them; nothing here knows another game."""
