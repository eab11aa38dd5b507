"""The organisers' desk: their own pages, on the same acts as every other door (docs/organising.md)."""
