"""Release of the three packages: `packages` lists them, `release` builds and checks them."""
