"""The pages that everybody reads: rounds, rankings, results, replays, people, texts."""
