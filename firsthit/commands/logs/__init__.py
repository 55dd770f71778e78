"""Commands that make logs of logs, or of other people's data, and the other way round."""
