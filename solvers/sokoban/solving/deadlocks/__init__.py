"""What is lost, and what must be done first; all of it sound.

`freezing` boxes that can never move again, goals that can never be reached; `corral_search` the boxes round a closed
region, searched alone; `dead_ends` whole positions, and the few boxes that make them lost; `corrals` closed regions
that must be opened first; `inward` the macro moves that do so.
"""
