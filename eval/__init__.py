"""From an agent to a leaderboard: runs, metrics, checks."""
