"""One table for the judge and its readers: `rows` measures all of it, `round_page` its row of a large round."""
