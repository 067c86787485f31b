"""Pages before a match: hello, language, which game, who plays, how it is set up."""
