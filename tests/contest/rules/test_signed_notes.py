import pytest

from contest.rules import ed25519, signed_notes
from contest.rules.signed_notes import BadNote

SEED = bytes(range(32))
BODY = signed_notes.write("example.org/leitai", 7, b"\1" * 32, "ab" * 32, {219: "cd" * 32, 218: "ef" * 32})
NOTE = f"{BODY}\n{signed_notes.sign(BODY, 'example.org/leitai', SEED)}"


def test_a_note_of_another_program_is_read():
    """The example from golang.org/x/mod/sumdb/note."""
    key = signed_notes.read_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
    )  # fmt: skip
    signature = signed_notes.from_base64(
        "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    )
    assert signature[:4] == key.id
    assert ed25519.is_signed(key.public, text.encode(), signature[4:])


def test_a_written_note_is_read_and_its_signature_valid_only_for_its_key_and_body():
    note = signed_notes.read(NOTE)
    assert (note.origin, note.size, note.root, note.link) == ("example.org/leitai", 7, b"\1" * 32, "ab" * 32)
    assert (note.seals, note.body) == ({219: "cd" * 32, 218: "ef" * 32}, BODY)
    ours, witness = signed_notes.keys_of("example.org/leitai", SEED)
    assert signed_notes.read_key(str(ours)) == ours
    assert signed_notes.is_signed_by(signed_notes.read(NOTE), ours)
    assert not signed_notes.is_signed_by(signed_notes.read(NOTE), witness)
    assert not signed_notes.is_signed_by(signed_notes.read(NOTE.replace("\n7\n", "\n8\n")), ours)
    other, _ = signed_notes.keys_of("example.org/leitai", bytes(32))
    assert not signed_notes.is_signed_by(signed_notes.read(NOTE), other)


def test_a_countersignature_has_its_time():
    _, witness = signed_notes.keys_of("other.example/leitai", SEED)
    line = signed_notes.cosign(BODY, "other.example/leitai", SEED, 1_800_000_000)
    assert signed_notes.is_signed_by(signed_notes.read(NOTE + line), witness)
    packed = signed_notes.from_base64(line.split(" ")[2].strip())
    assert int.from_bytes(packed[4:12], "big") == 1_800_000_000


@pytest.mark.parametrize(
    "text",
    [
        "", "x", NOTE[:-1], NOTE.replace("\n7\n", "\n07\n"), NOTE.replace("\n7\n", "\n-7\n"), BODY,
        NOTE.replace("— ", "- "), NOTE.replace("AQEB", "A*EB"), NOTE + "x\n", NOTE.replace("example", "exa\tmple", 1),
        "a\n" * 70_000 + NOTE,
    ],
)  # fmt: skip
def test_a_text_that_is_no_checkpoint_is_refused(text):
    with pytest.raises(BadNote):
        signed_notes.read(text)


def test_a_text_that_is_no_key_is_refused():
    another_id = "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    for text in ("", "a+b", "a+00000000+AAAA", another_id):
        with pytest.raises(BadNote):
            signed_notes.read_key(text)
