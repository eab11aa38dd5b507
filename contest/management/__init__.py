"""What is done from the command line: `commands`, and the `demo` that some of them load, play and make."""
