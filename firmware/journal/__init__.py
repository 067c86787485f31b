"""The journal: every match on disk, before anybody sees it."""
