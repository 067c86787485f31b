"""Many rounds or matches of robots and programs against each other, with the same cards for all.

Each deal is played as often as there are players, and each time everybody moves on by one seat: so all have
played every hand. What is compared is the mean of all these rounds; its error is computed from whole deals,
for the rounds of one deal are alike.
"""
