"""The command line: `main` selects the command, `doc` writes docs/commands.md."""
