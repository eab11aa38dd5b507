"""The season's calendar on the desk: its sheet, on which rounds are moved (`sheet`)."""
