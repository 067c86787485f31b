"""The rules of each game on one page. `firmware.paper.in_short` names and draws them."""
