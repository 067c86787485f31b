"""Pages of results: the end of a deal and of a match, standings, records, sharing."""
