"""What goes out and comes in beside the contest: `posts`, `announcements`, `webhooks`, `questions`, `newsletter`."""
