"""What readers say of levels (`talk`), whom they follow (`stars`), and what they are told (`news`)."""
