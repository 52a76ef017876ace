"""Conversations in BUTTON's published format: read into gold plans, and written from them."""
