"""What leaves the site: cards, badges, frames, feeds, files, and what crawlers are told."""
