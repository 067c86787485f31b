"""Players that think: robots for the demonstration, and for a seat that nobody has taken.

Theory of operation
-------------------
A robot is given what a player at its seat has seen (`six.seen`, and `seen_by` in `eleven` and `ciao`), and a
seed; it answers with a card, a row or another choice. It keeps nothing between two answers, so the same sight
and the same seed give the same answer, and hidden cards cannot matter: they are not in what it is given.

A game has three levels or seven (`levels`). `easy` plays like a child, `normal` by a sensible rule, `hard`
thinks: it imagines the hands of the others many times, plays each of these deals to the end with every card
that it could play, and takes the card that costs least in the mean. For 6 nimmt! this is done in numpy with
thousands of tables at once (`six.tables`), and the imagined hands are those that explain what was played so
far (`six.worlds`). Only this needs numpy; it is imported by the first hard robot. 11 nimmt! and Ciao! have
small engines in plain Python, and `rollouts` chooses by them. `good` plays 6 nimmt! by weights that were
learned; `better`, `great` and `strong` play more and more of their choices as `hard`, the others as `good`.

`levels` answers for one seat of a match of the referee, and `companion.match.dealer` seats players at a whole
one. This package knows the referee (`companion`) and no more. A robot reads no clock.
"""
