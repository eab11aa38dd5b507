"""The season's calendar on the desk: its sheet, on which rounds are moved (`sheet`), its private address
for calendar programs (`feed`), and the file that comes back from one (`moves`)."""
