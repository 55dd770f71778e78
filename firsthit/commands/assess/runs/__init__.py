"""Tables of single runs: how they ended, started again, and what time they took."""
