"""What is said in words that are stored or shown by several doors, in both languages.

`verdicts` · `searches` of the solver · `settings` of a round · `notes` on acts · `bilingual`
reasons that organisers give · `puzzles` beside Sokoban, and what their texts can be wrong in.
"""
