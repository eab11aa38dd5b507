"""Solver jobs of the contest (docs/explanation/vetting.md).

`orders` queues searches · `worker` claims rows and stores answers · `process` starts and monitors the process that
searches, `searcher`: the only module here that loads the solver · `shown` facts after the reveal · `machine` public
attempts at revealed levels · `asking` questions of visitors · `coaching` where a solution loses · `certificates` proofs
that anybody can check · `withholding` solutions that would help with a level in play · `klotski` the lab's strict
questions, one second of a worker each, answered from the cache · `speed` times the path search for the lab. This module
imports nothing, so that `searcher` starts without Django.
"""
