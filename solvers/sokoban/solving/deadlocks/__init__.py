"""Deadlock detection and corral pruning; all of it sound.

`freezing` finds boxes that can never move again and goals that can never be reached; `dead_pairs` lists two boxes that
can never both get home; `corral_search` searches the boxes around a closed region separately; `dead_ends` proves whole
positions lost and learns patterns of few boxes from them; `corrals` finds closed regions that must be opened first;
`inward` keeps only the macro moves that open them.
"""
