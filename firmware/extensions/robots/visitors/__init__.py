"""A deal that the box itself deals to visitors and robots, at a kiosk or from the start page."""
