"""Code for the command line: `commands`, and the `demo` that some of them load, simulate or generate."""
