from tooling.lint import documentation, links


def test_files_from_other_hosts_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<link rel="canonical" href="https://leitai.example/a.html"><a href="https://example.org">x</a>'
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/css">'
    )
    (tmp_path / "b.css").write_text("@font-face { src: url('https://fonts.example/f.woff2') }\nurl(own.woff2)")
    assert list(documentation.find_foreign_files(tmp_path)) == [
        "a.html: loads https://cdn.example/x.js from another host",
        "a.html: loads //fonts.example/css from another host",
        "b.css: loads https://fonts.example/f.woff2 from another host",
    ]


def test_broken_links_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "name_of", lambda page: page.name)
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n\n[a](#one) [b](#two) [c](page.md#one) [d](none.md)\n[e](https://example.org/x) [f](/rules/)\n\n"
        "```text\n[g](no.md)\n```\n\n[h](page.md#three)\n"
    )
    assert list(links.find_broken_links([page])) == [
        "page.md:3: the page has no heading #two",
        "page.md:3: none.md does not exist",
        "page.md:10: the page has no heading #three",
    ]
