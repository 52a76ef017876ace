"""The paper's questions, each asked of runs in a module of its own, answered by sheets."""
