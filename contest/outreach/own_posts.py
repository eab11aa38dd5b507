"""The articles that come with the site, in both languages: `docs/site/posts`."""

from datetime import datetime, timedelta

from django.conf import settings

from contest.models import OWN_POST_SLUGS, Post, Round
from contest.outreach import post_categories, posts

FOLDER = settings.TEXTS_DIR / "docs" / "site" / "posts"
AUTHOR = "Leitai"
CATEGORIES = {
    "push-paths-by-blocks": "算法 / Algorithms",
    "exponential-ladder": "复杂度 / Complexity",
    "how-the-judge-keeps-its-promise": "本站 / This site",
    "why-sokoban-is-pspace-complete": "复杂度 / Complexity",
    "go-and-sokoban": "复杂度 / Complexity, 围棋 / Go",
    "can-quantum-computers-solve-sokoban": "复杂度 / Complexity, 量子计算 / Quantum computing",
}


def read(slug: str, language: str) -> tuple[str, str]:
    """Return the title and the text of an article."""
    title, _line, text = (FOLDER / f"{slug}.{language}.md").read_text().partition("\n")
    return title.removeprefix("# "), text.strip()


def read_references(slug: str) -> str:
    """Return the references of an article, the same in both languages; empty if it has none."""
    path = FOLDER / f"{slug}.references.txt"
    return path.read_text().strip() if path.exists() else ""


def publish(at: datetime) -> int:
    """Publish the articles with slugs that are not in use; return how many were published."""
    known = {*Post.objects.filter(slug__in=OWN_POST_SLUGS).values_list("slug", flat=True)}
    for days, slug in enumerate(reversed(OWN_POST_SLUGS)):
        if slug in known:
            continue
        (title_en, text_en), (title_zh, text_zh) = read(slug, "en"), read(slug, "zh-hans")
        post = Post(slug=slug, kind=Post.Kind.REPORT, author=AUTHOR, published_at=at - timedelta(days=days))
        post.title_en, post.text_en, post.title_zh, post.text_zh = title_en, text_en, title_zh, text_zh
        post.references = read_references(slug)
        posts.save(post, at=at, by=None, categories=post_categories.read(CATEGORIES[slug]))
    return len(OWN_POST_SLUGS) - len(known)


def publish_on_new_site(at: datetime) -> None:
    """Publish the articles if the site has neither posts nor rounds: on a site in use they would be a surprise."""
    if not (Post.objects.exists() or Round.objects.exists()):
        publish(at)
