"""A visitor's hands: the mouse on every board."""

BOARDS = "[data-board], .lab-board svg"


def move_over_boards(page):
    """Move the mouse over every visible board: to its middle, then to a corner."""
    for board in page.query_selector_all(BOARDS):
        if board.is_visible():
            board.scroll_into_view_if_needed()
            box = board.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.move(box["x"] + 2, box["y"] + 2)
