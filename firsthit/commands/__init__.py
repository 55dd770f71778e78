"""The commands of the command line, one module each; `listing` prints the rows that they list."""
