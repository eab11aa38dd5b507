"""Import of old rounds: `csv_import` reads tables, `incoming` archives; `importer` stores; `jobs` for the desk."""
