"""How far raters agree: with each other, with themselves, and on who is better."""
