"""Commands that run campaigns, or say what they would run and how far they are."""
