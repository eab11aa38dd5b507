"""What is said in words that are stored or shown by several doors, in both languages.

`times` in Beijing · `verdicts` · `searches` of the solver · `settings` of a round · what the `record` says was
changed · `notes` on acts · `bilingual`
reasons that organisers give · `puzzles` beside Sokoban, and what their texts can be wrong in · `chain` the newest link
of the receipt chain.
"""
