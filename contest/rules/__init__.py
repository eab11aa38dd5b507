"""The rules of the contest as pure functions of their arguments: no database, requests or clock.

`phases` of a round · `scoring` points · `lucky_draw` draws that nobody can influence · `beacons` public randomness ·
`settings` of a round · `tabulation` results from a document · `canonical` encodings for JSON, digests and times ·
`merkle` tree and proofs over the receipt chain · `ed25519` signatures · `signed_notes` checkpoints as text ·
`confusables` characters that look alike · `plain_text` characters allowed in titles · `ground` of a level, without its
boxes, and near copies · `move_readers` of submitted texts · `sealed_answers` hashing of moves that are disclosed
after the close.
"""
