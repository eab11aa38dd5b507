"""The site's first posts, written for it in both languages: `docs/site/posts`."""

from datetime import datetime, timedelta

from django.conf import settings

from contest.models import Post
from contest.outreach import posts

FOLDER = settings.TEXTS_DIR / "docs" / "site" / "posts"
# In order of publication: the last one is the newest and comes first on the page.
SLUGS = ("push-paths-by-blocks", "exponential-ladder", "how-the-judge-keeps-its-promise")
AUTHOR = "Leitai"


def read(slug: str, language: str) -> tuple[str, str]:
    """Return the title and the text of a post."""
    title, _line, text = (FOLDER / f"{slug}.{language}.md").read_text().partition("\n")
    return title.removeprefix("# "), text.strip()


def publish(at: datetime) -> int:
    """Publish the posts with slugs that are not in use; return how many were published."""
    known = {*Post.objects.filter(slug__in=SLUGS).values_list("slug", flat=True)}
    for days, slug in enumerate(reversed(SLUGS)):
        if slug in known:
            continue
        (title_en, text_en), (title_zh, text_zh) = read(slug, "en"), read(slug, "zh-hans")
        post = Post(slug=slug, kind=Post.Kind.REPORT, author=AUTHOR, published_at=at - timedelta(days=days))
        post.title_en, post.text_en, post.title_zh, post.text_zh = title_en, text_en, title_zh, text_zh
        posts.save(post, at=at, by=None)
    return len(SLUGS) - len(known)
