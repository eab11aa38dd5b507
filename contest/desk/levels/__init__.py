"""Levels on the desk: brought in (`importing`), chosen from a collection (`collections`), published (`publishing`),
waiting in the `library`, proposed by authors (`proposals`), searched by the solver (`vetting`).
"""
