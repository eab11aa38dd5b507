"""One table of the judge and its readers: `rows` measures all of it, `round_page` its one row of a large round."""
