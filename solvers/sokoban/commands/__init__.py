"""The commands of the command line, one module each: what it takes, what it does, and its words."""
