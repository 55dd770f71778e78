"""Watch a campaign while it runs: in a browser (`server`, `page`) or in a terminal (`terminal`).

`watcher` reads the campaign and makes a `Snapshot`, which the other modules show.
"""
