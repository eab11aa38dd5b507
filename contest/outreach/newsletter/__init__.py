"""Letters by e-mail to those who asked for them."""
