"""What is true at this table: the match, its journal, and what people do, whatever device it came through."""
