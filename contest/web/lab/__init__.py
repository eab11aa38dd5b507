"""The lab: puzzles beside Sokoban, and Sokoban itself, to play with and to read about.

`views` of all pages · `covers`, a picture of each puzzle · `knight`, a question and its answer · `records` of Klotski,
and curves · `answers` that a script asks for · `sentences` of the scripts.
"""
