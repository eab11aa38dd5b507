"""Take text files apart: their encoding, marks around rows, JSON, and the names and notes around boards."""
