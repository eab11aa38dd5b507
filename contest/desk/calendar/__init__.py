"""The season's calendar on the desk: its sheet, on which rounds are moved (`sheet`), and the private address
of it for calendar programs (`feed`)."""
