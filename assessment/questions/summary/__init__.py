"""Short table after a campaign: `table` is the question, `layout` prints its short form."""
