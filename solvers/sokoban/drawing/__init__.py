"""Pictures: `sprites`, `draw` as SVG, `pictures` as PNG, GIF and APNG, `outline` of cells, `fonts` for titles."""
