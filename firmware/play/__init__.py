"""The running device: the loop, the controller of the screens, and which screen a match needs."""
