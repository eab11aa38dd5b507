"""Categories and references in the form of a post, and the page that renames categories."""

import pytest

from contest.models import AuditEntry, Post, PostCategory
from tests.contest.outreach.test_posts import AT, a_post, categorise
from tests.desk.writing.test_posts import HELLO, NEW

PAGE = "/en/desk/posts/categories/"
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def test_categories_and_references_are_previewed_and_saved(organiser, client):
    given = HELLO | {"categories": "围棋 / Go, Proofs", "references": "Savitch 1970, https://example.org/"}
    look = organiser.post(NEW, given | {"do": "look"}).text
    assert ("· Go" in " ".join(look.split()), 'rel="nofollow">https://example.org/</a>' in look) == (True, True)
    assert not PostCategory.objects.exists()
    organiser.post(NEW, given | {"do": "publish"})
    page = client.get("/en/posts/hello/").text
    assert ('<a href="/en/posts/category/go/">Go</a>' in page, "https://example.org/" in page) == (True, True)
    form = organiser.get(f"/en/desk/posts/{Post.objects.get().pk}/").context["form"]
    assert form["categories"].value() == "围棋 / Go, Proofs"
    assert "So far: 围棋 / Go, Proofs" in str(form["categories"].help_text)


def test_faulty_categories_and_references_are_refused_with_a_message(organiser):
    categorise(a_post("other"), "围棋 / Go")
    for name, value, message in (
        ("categories", "围棋 / Weiqi", "“围棋 / Go” already"),
        ("references", "x\n" * 41, "At most 40 references"),
        ("references", "x" * 501, "at most 500 characters"),
        ("references", "a\u202eb", "U+202E"),
    ):
        answer = organiser.post(NEW, HELLO | {"do": "save", name: value})
        assert (answer.status_code, message in answer.text) == (422, True)


def test_categories_of_another_organiser_are_shown_next_to_yours(organiser):
    post = categorise(a_post(title_en="Theirs", text_en="x"), "Theirs alone")
    answer = organiser.post(f"/en/desk/posts/{post.pk}/", HELLO | {"do": "save", "categories": "Mine alone"})
    assert answer.status_code == 409
    assert ("Categories", "Theirs alone", "Mine alone") in answer.context["changes"]


def test_a_category_is_renamed_everywhere_and_keeps_its_address(organiser, client):
    categorise(a_post(), "Go, Proofs")
    go = PostCategory.objects.get(name_en="Go")
    renamed = {"category": go.pk, f"{go.pk}-name_zh": "围棋", f"{go.pk}-name_en": "Game of Go"}
    assert organiser.post(PAGE, renamed).status_code == 302
    assert '<a href="/en/posts/category/go/">Game of Go</a>' in client.get("/en/posts/hello/").text
    entry = AuditEntry.objects.get(act="rename category of posts")
    assert (entry.before, entry.after) == ({"names": "Go"}, {"names": "围棋 / Game of Go"})
    for wrong in ({f"{go.pk}-name_en": "proofs"}, {f"{go.pk}-name_zh": "", f"{go.pk}-name_en": " "}):
        assert organiser.post(PAGE, renamed | wrong).status_code == 422
    assert organiser.post(PAGE, {"category": "9" * 99}).status_code == 404


def test_a_name_in_use_is_refused_at_its_field_and_names_its_category(organiser):
    categorise(a_post(), "Go, 证明 / Proofs")
    go = PostCategory.objects.get(name_en="Go")
    answer = organiser.post(PAGE, {"category": go.pk, f"{go.pk}-name_en": "proofs"})
    (form,) = [form for form in answer.context["forms"] if form.errors]
    assert form.errors == {"name_en": ["There is a category “证明 / Proofs” already."]}
