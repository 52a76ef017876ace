"""Rollouts: planners that act in the environment round by round, and err as real agents do."""
