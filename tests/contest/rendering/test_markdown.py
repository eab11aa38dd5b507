from pathlib import Path

from contest.rendering import markdown

DOCS = Path(__file__).parents[3] / "docs"


def nowhere(_href: str) -> str:
    return ""


def test_a_rule_can_be_linked_to_by_its_number():
    html = markdown.render_page("# R\n\n## 8. Ranks\n\n- **8.4** Keys (8.5), 8.5.\n- **8.5** No ties.\n", nowhere).html
    assert '<li id="8.4">' in html
    assert '<a href="#8.4" rel="noopener">8.4</a>' in html
    assert '(<a href="#8.5" rel="noopener">8.5</a>), 8.5.' in html


def test_a_page_has_a_title_and_headings_with_ids():
    page = markdown.render_page("# All\n\n## 1. Words\n\na\n\n## Keys {#keys}\n\nb\n", nowhere)
    assert page.title == "All"
    assert page.headings == [markdown.Heading("1", "1. Words"), markdown.Heading("keys", "Keys")]
    assert '<h2 id="keys">Keys</h2>' in page.html


def test_a_link_to_another_file_leads_to_its_page_or_becomes_text():
    places = {"rules.md": "/rules/"}
    html = markdown.render_page("# A\n\n[r](rules.md) [x](archive.md)\n", lambda href: places.get(href, "")).html
    assert html.strip() == '<p><a href="/rules/" rel="noopener">r</a> x</p>'


def test_markdown_images_are_shown_on_repository_pages_but_not_in_posts():
    html = markdown.render_page("# A\n\n![Two boxes](a.svg)\n", lambda href: f"/static/{href}").html
    assert '<img src="/static/a.svg" alt="Two boxes" ' in html
    assert "<img" not in markdown.clean('<img src="/static/a.svg">')
