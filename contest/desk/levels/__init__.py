"""Levels on the desk: brought in (`importing`), chosen from a collection (`collections`), published (`publishing`),
waiting in the `library`, on their way into queues (`queueing`) and waiting there (`series`), proposed by authors
(`proposals`), searched by the solver (`vetting`).
"""
