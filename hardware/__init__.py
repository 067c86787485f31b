"""The devices: ports, drivers, and the simulated twin of each."""
