"""The protocol of the older desktop and phone programs; its quirks stay in this folder (docs/legacy.md)."""
