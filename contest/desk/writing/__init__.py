"""What organisers write for everybody: posts, the pictures in them, the series they belong to, and prizes."""
