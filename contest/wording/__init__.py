"""Texts for people that are stored or shown in several places, in both languages.

`times` in the site's time zone · `verdicts` · `searches` of the solver · `settings` of a round · changes in the audit
`record` · `notes` on acts · `bilingual` reasons of organisers · `puzzles` other than Sokoban, and errors in
their texts · `readings` of files with levels · `chain` the newest link of the receipt chain.
"""
