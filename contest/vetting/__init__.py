"""What the solver does for the contest (docs/vetting.md).

`orders` what is asked · `worker` claims rows and writes answers · `process` starts and watches the process that
searches, which is `searcher`: the only file here that loads the solver · `shown` facts after the reveal · `asking` what
anybody may ask · `withholding` solutions that must not leave while a level is in play · `klotski` the lab's
strict questions, a second of a worker each, answered by the cache. This face imports nothing, so that `searcher` starts
without Django.
"""
