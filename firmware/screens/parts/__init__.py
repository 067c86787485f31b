"""What pages are made of: the protocol of a page, lists, dials, letters, rows of scores."""
