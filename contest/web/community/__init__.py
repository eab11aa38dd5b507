"""What readers say of levels, whom they follow, and what they are told."""
