"""The rules of the contest as pure functions of what they are given: no rows, no requests, no clock.

`phases` when a round is what · `scoring` points · `lucky_draw` the numbers nobody can choose · `beacons` public
randomness · `settings` what a round may set for itself · `tabulation` results from a document · `canonical` one
spelling for JSON, digests and times · `merkle` the tree over the receipt chain, with its proofs · `ed25519`
signatures · `signed_notes` checkpoints as text · `confusables` characters that look alike · `plain_text` those that
no title holds · `ground` of a level, without its boxes, and near copies · `sealed_answers` what is
hashed of moves that are told after the close.
"""
