"""Commands of the command line, one module each: arguments, action and messages."""
