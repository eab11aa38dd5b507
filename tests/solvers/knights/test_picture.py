from solvers.knights.picture import cases_svg


def test_the_picture_in_the_docs_is_the_one_the_code_draws(request):
    assert (request.config.rootpath / "docs/pictures/knights.svg").read_text("utf-8") == cases_svg()
