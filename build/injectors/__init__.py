"""Injectors: the fourteen ways in which a trajectory is made to go wrong, one module a type."""
