"""Models: what they are asked, how they are called, how their answers are read."""
