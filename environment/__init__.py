"""Tools that run: worlds, replay, stand-ins, and the executor of rounds."""
