"""The pages on which levels are drawn and played, and moves are sent."""
