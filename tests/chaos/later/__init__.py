"""What a later version might do to the table that people send to."""
