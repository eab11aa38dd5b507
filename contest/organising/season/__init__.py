"""The season's calendar: `rows` reads what a reader may see, `sheet` arranges it by weeks and tracks."""
