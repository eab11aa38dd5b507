"""Release of the four packages: `packages` lists them, `release` builds and checks them."""
